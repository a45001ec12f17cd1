/** What a tortured process writes down about its consumers: what it is about to do, and what was done. */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Provider to class to amount. */
export type Holding = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** What consumers of one operation shall hold when it is done; an empty holding for none. */
export type Wish = Readonly<Record<string, Holding>>;

export type Line =
  /** `mayEnd`: what is claimed goes back some time, unless it is confirmed. */
  | { readonly kind: 'intent'; readonly wish: Wish; readonly mayEnd: boolean }
  /** The intent before was carried out, or not. */
  | { readonly kind: 'done' | 'refused' };

/** One line, in the file's hands when this returns. */
export const write = (file: string, line: Line): void => appendFileSync(file, `${JSON.stringify(line)}\n`);

/**
 * What each consumer may hold: one holding, or two when nobody knows whether the last operation was carried
 * out.
 */
export interface Expectation {
  readonly holdings: ReadonlyMap<string, readonly Holding[]>;
  readonly done: number;
  readonly refused: number;
  readonly unknown: number;
}

/** Reads all files of a folder. Each consumer is in one file only. */
export function expectations(folder: string): Expectation {
  const holdings = new Map<string, readonly Holding[]>();
  const counts = { done: 0, refused: 0, unknown: 0 };
  for (const file of readdirSync(folder)) {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n');
    // A last line without its end was cut off by the kill: the operation behind it had not begun, or its
    // outcome is not known.
    const parsed = lines.slice(0, -1).map((line) => JSON.parse(line) as Line);
    parsed.forEach((line, i) => {
      if (line.kind !== 'intent') return;
      const outcome = parsed[i + 1];
      if (outcome?.kind === 'done') counts.done++;
      else if (outcome?.kind === 'refused') counts.refused++;
      else counts.unknown++;
      for (const [consumer, wish] of Object.entries(line.wish)) {
        const before = holdings.get(consumer) ?? [{}];
        const after = line.mayEnd ? [wish, {}] : [wish];
        if (outcome?.kind === 'done') holdings.set(consumer, after);
        else if (outcome?.kind !== 'refused') holdings.set(consumer, [...before, ...after]);
      }
    });
  }
  return { holdings, ...counts };
}
