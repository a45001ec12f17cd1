/** Mutants that no test finds and none has to: the table of bench/mutate/README.md. */
import { readFileSync } from 'node:fs';
import type { Mutant } from './mutants.ts';

const PAGE = 'bench/mutate/README.md';

export interface KnownSurvivor {
  readonly path: string;
  readonly text: string;
  readonly change: string;
  readonly reason: string;
}

/** A cell of code, with what Markdown escapes in a table put back. */
const code = (cell: string): string =>
  cell
    .trim()
    .replace(/^`+ ?| {1,2}`+$|`+$/g, '')
    .replaceAll('\\|', '|');

/** The rows of the page's table: file, line, change, reason. */
export function knownSurvivors(page = readFileSync(PAGE, 'utf8')): readonly KnownSurvivor[] {
  return page.split('\n').flatMap((line) => {
    const cells = line.split(/(?<!\\)\|/).slice(1, -1);
    if (cells.length !== 4 || !cells[0]!.includes('.ts')) return [];
    const [path, text, change] = cells.slice(0, 3).map(code);
    return [{ path: path!, text: text!, change: change!, reason: cells[3]!.trim() }];
  });
}

/** A mutant's row is found by its file, its line's text and its change: line numbers wander. */
export const changeOf = ({ from, to }: Pick<Mutant, 'from' | 'to'>): string => `${from} → ${to}`;

export const isKnown = (survivors: readonly KnownSurvivor[], mutant: Mutant): boolean =>
  survivors.some(
    ({ path, text, change }) => path === mutant.path && text === mutant.text && change === changeOf(mutant),
  );
