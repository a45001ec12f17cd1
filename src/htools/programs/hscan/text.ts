/** The lines of hscan (byte contract with the stock program). */
import { printfFixed } from '../../../kit/text/numbers.ts';
import { MIB_PER_GIB } from '../../../kit/units.ts';
import type { ClusterFigures } from './scan.ts';

const COUNT_WIDTH = 5;
const SIZE_WIDTH = 6;
const SCORE_WIDTH = 10;
const SCORE_DIGITS = 8;

/** Width of the first column. */
export const nameWidth = (names: readonly string[]): number =>
  names.reduce((width, name) => Math.max(width, [...name].length), 0);

const padName = (name: string, width: number): string =>
  name + ' '.repeat(Math.max(0, width - [...name].length));

export function headings(width: number): string {
  const counts = ['Nodes', 'Inst', 'BNode', 'BInst'].map((word) => word.padStart(COUNT_WIDTH));
  const sizes = ['t_mem', 'f_mem', 't_disk', 'f_disk'].map((word) => word.padStart(SIZE_WIDTH));
  return `${[padName('Name', width), ...counts, ...sizes, 'Score'.padStart(SCORE_WIDTH)].join(' ')}\n`;
}

export function clusterLine(name: string, width: number, figures: ClusterFigures): string {
  const { nodes, instances, badNodes, badInstances, totalMemMib, freeMemMib, totalDiskMib, freeDiskMib } =
    figures;
  const counts = [nodes, instances, badNodes, badInstances].map((n) => `${n}`.padStart(COUNT_WIDTH));
  const sizes = [
    printfFixed(totalMemMib, 0),
    `${freeMemMib}`,
    printfFixed(totalDiskMib / MIB_PER_GIB, 0),
    `${Math.floor(freeDiskMib / MIB_PER_GIB)}`,
  ];
  return `${[
    padName(name, width),
    ...counts,
    ...sizes.map((size) => size.padStart(SIZE_WIDTH)),
    printfFixed(figures.score, SCORE_DIGITS),
  ].join(' ')}\n`;
}

/** What stands in place of the line of a cluster that could not be read. */
export const failureText = (name: string, details: string): string =>
  `\nError for ${name}: failed to load data. Details:\n${details}\n`;
