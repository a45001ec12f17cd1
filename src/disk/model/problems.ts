/** Collects what is wrong with one file, and what is only odd. */
import type { InputProblem } from '../../kit/faults.ts';
import type { FilePosition } from '../../kit/yaml/document.ts';

/** More are not worth reading; the first ones say what kind of file it is. */
const MOST_KEPT = 100;

/** What is odd but has a meaning. */
export interface Warning {
  readonly line: number;
  readonly message: string;
}

export class Problems {
  private readonly kept: InputProblem[] = [];
  private readonly odd = new Map<string, Warning>();

  /** In the order of the file. */
  get found(): readonly InputProblem[] {
    const by = (a: InputProblem, b: InputProblem, key: 'line' | 'column') => (a[key] ?? 0) - (b[key] ?? 0);
    return [...this.kept].sort((a, b) => by(a, b, 'line') || by(a, b, 'column'));
  }

  /** Each once, in the order of the file. */
  get warnings(): readonly Warning[] {
    return [...this.odd.values()].sort((a, b) => a.line - b.line);
  }

  /** @returns undefined, for readers that have nothing else to give then. */
  add(place: FilePosition | undefined, problem: Omit<InputProblem, 'line' | 'column'>): undefined {
    if (this.kept.length < MOST_KEPT) this.kept.push({ ...place, ...problem });
    return undefined;
  }

  addEmpty(remedy: string): void {
    this.add({ line: 1, column: 1 }, { problem: 'the file is empty', remedy });
  }

  warn(place: FilePosition, message: string): void {
    this.odd.set(`${place.line}:${message}`, { line: place.line, message });
  }
}
