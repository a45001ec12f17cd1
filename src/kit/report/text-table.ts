/** Plain text tables in the stock programs' layout (byte contract). */

/** Length of a text in characters (code points), by which columns are padded. */
export const textWidth = (text: string): number => [...text].length;

/** That of the longest. */
export const widest = (some: readonly string[]): number =>
  some.reduce((most, text) => Math.max(most, textWidth(text)), 0);

export const padRight = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - textWidth(text)));

export const padLeft = (text: string, width: number): string =>
  ' '.repeat(Math.max(0, width - textWidth(text))) + text;

export interface TableColumn {
  readonly heading: string;
  readonly isNumeric: boolean;
}

export type Cell = string | number;

const columnsOf =
  (isNumeric: boolean) =>
  (...headings: string[]): readonly TableColumn[] =>
    headings.map((heading) => ({ heading, isNumeric }));

export const texts = columnsOf(false);
export const numbers = columnsOf(true);

/**
 * Each line: the indent, a blank, the cells parted by `gap`, each column, the last too, as wide as its
 * widest. @param rows each as long as `columns`
 */
export function textTable(
  indent: string,
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
  gap = ' ',
): string {
  const lines = [columns.map((column) => column.heading), ...rows.map((row) => row.map(String))];
  const widths = columns.map((_, at) => widest(lines.map((line) => line[at]!)));
  return lines
    .map((line) => {
      const cells = line.map((cell, at) => (columns[at]!.isNumeric ? padLeft : padRight)(cell, widths[at]!));
      return `${indent} ${cells.join(gap)}\n`;
    })
    .join('');
}
