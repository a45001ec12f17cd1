/**
 * Tables of our own reports. They are as wide as what is in them wherever a program reads them, and on a
 * terminal that is narrower their columns are wrapped. Tables that are contract are never wrapped.
 */
import type Table from 'cli-table3';
import { isTerminal, STDOUT } from './output.ts';
import { LINE_WIDTH } from './sentences.ts';
import { type Cell, type TableColumn, textTable, textWidth, widest } from './text-table.ts';

/** A terminal: how wide it is, and what draws tables for it. */
let screen: { readonly columns: number; readonly Table: typeof Table } | undefined;

/** Has tables fit the terminal, if standard output is one; loads the package that draws them only then. */
export async function fitTables(): Promise<void> {
  if (!isTerminal(STDOUT)) return;
  screen = { columns: process.stdout.columns, Table: (await import('cli-table3')).default };
}

/** How much a line has room for: the terminal's width, once tables fit it. */
export const lineRoom = (): number => screen?.columns ?? LINE_WIDTH;

/** Nothing between the cells but a blank. */
const CHARS = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: ' ' },
};

/** Widths of columns within `room`, if that can be: the widest gives way, but words stay whole. */
function fittingWidths(cells: readonly (readonly string[])[], room: number): readonly number[] {
  const widths = cells.map(widest);
  const least = cells.map((column) => widest(column.flatMap((cell) => cell.split(' '))));
  const total = (): number => widths.reduce((sum, width) => sum + width + 1, -1);
  while (total() > room) {
    const most = Math.max(...widths.filter((width, at) => width > least[at]!));
    if (!Number.isFinite(most)) break;
    widths[widths.findIndex((width, at) => width === most && width > least[at]!)]!--;
  }
  return widths;
}

/** A run of blanks is looked at once, not from each of them: the rows of deep trees begin with thousands. */
const trimmed = (table: string): string => table.replaceAll(/(?<! ) +$/gm, '');

/**
 * As `textTable`, or wrapped, with a blank for a gap; no blanks end a line. @param on where it is shown; for
 * tests
 */
export function reportTable(
  indent: string,
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
  on = screen,
  gap = ' ',
): string {
  const plain = trimmed(textTable(indent, columns, rows, gap));
  if (on === undefined || widest(plain.split('\n')) <= on.columns) return plain;
  // Lists may be broken behind their commas.
  const lines = rows.map((row) => row.map((cell) => `${cell}`.replaceAll(/,(?=\S)/g, ', ')));
  const cells = columns.map(({ heading }, at) => [heading, ...lines.map((row) => row[at]!)]);
  const table = new on.Table({
    colWidths: [...fittingWidths(cells, on.columns - textWidth(indent) - 1)],
    colAligns: columns.map(({ isNumeric }) => (isNumeric ? 'right' : 'left')),
    wordWrap: true,
    chars: CHARS,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  });
  table.push(
    columns.map(({ heading }) => heading),
    ...lines,
  );
  return trimmed(`${table.toString()}\n`.replaceAll(/^(?=.)/gm, `${indent} `));
}
