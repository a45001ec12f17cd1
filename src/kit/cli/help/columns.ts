/** Names with what they mean, in two columns. */
import { wrapped } from '../../report/wrap.ts';

/** Wider names have a line to themselves. */
const WIDEST = 36;

/** One line for each pair, or more where the text is long; with line ends. */
export function twoColumns(rows: readonly (readonly [name: string, text: string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length).filter((length) => length <= WIDEST), 0);
  return rows
    .map(([name, text]) =>
      name.length > width
        ? `  ${name}\n${wrapped(' '.repeat(width + 4), text)}`
        : wrapped(`  ${name.padEnd(width)}  `, text),
    )
    .join('');
}
