/** Collects what is wrong with one file, and what is only odd. */
import type { InputProblem } from '../../kit/faults.ts';
import type { FilePosition } from '../../kit/yaml/document.ts';

/** More are not worth reading; the first ones say what kind of file it is. */
const MOST_KEPT = 100;

/** What is odd but has a meaning. */
export interface Warning {
  readonly source: string;
  readonly line: number;
  readonly message: string;
}

export class Problems {
  readonly #found: InputProblem[] = [];
  readonly #warnings = new Map<string, Warning>();

  /** @param source name of the file. */
  constructor(readonly source: string) {}

  /** In the order of the file. */
  get found(): readonly InputProblem[] {
    const place = ({ line = 0, column = 0 }: InputProblem): readonly [number, number] => [line, column];
    return [...this.#found].sort((a, b) => place(a)[0] - place(b)[0] || place(a)[1] - place(b)[1]);
  }

  /** Each once, in the order of the file. */
  get warnings(): readonly Warning[] {
    return [...this.#warnings.values()].sort((a, b) => a.line - b.line);
  }

  add(place: FilePosition | undefined, problem: Omit<InputProblem, 'line' | 'column'>): void {
    if (this.#found.length < MOST_KEPT) this.#found.push({ ...place, ...problem });
  }

  addAll(problems: readonly InputProblem[]): void {
    this.#found.push(...problems.slice(0, MOST_KEPT - this.#found.length));
  }

  warn(place: FilePosition, message: string): void {
    const warning = { source: this.source, line: place.line, message };
    this.#warnings.set(`${place.line}:${message}`, warning);
  }
}
