/** The instance map of `--print-instances` (byte contract). */

import { padLeft, textTable } from '../../../../kit/report/text-table.ts';
import { printfFixed, showInt } from '../../../../kit/text/numbers.ts';
import { MIB_PER_GIB } from '../../../../kit/units.ts';
import type { InstanceRow } from '../../../explain/state/instance-rows.ts';

const LOAD_DECIMALS = 3;
const TEXT_HEADINGS = ['F', 'Name', 'Pri_node', 'Sec_node', 'Auto_bal'];
const NUMBER_HEADINGS = ['vcpu', 'mem', 'dsk', 'lCpu', 'lMem', 'lDsk', 'lNet'];
const COLUMNS = [
  ...TEXT_HEADINGS.map((heading) => ({ heading, isNumeric: false })),
  ...NUMBER_HEADINGS.map((heading) => ({ heading, isNumeric: true })),
];

const showLoad = (load: number): string => padLeft(printfFixed(load, LOAD_DECIMALS), 5);

function cells(row: InstanceRow): readonly string[] {
  const { cpu, mem, disk, net } = row.utilisation;
  return [
    row.isRunning ? 'R' : ' ',
    row.name,
    row.primaryName,
    row.secondaryName,
    row.isAutoBalanced ? 'Y' : 'N',
    padLeft(showInt(row.vcpus), 3),
    padLeft(showInt(row.memMib), 5),
    padLeft(showInt(Math.floor(row.diskMib / MIB_PER_GIB)), 5),
    ...[cpu, mem, disk, net].map(showLoad),
  ];
}

/** The map as text, each line ended by a newline, in the order of the instances' indices. */
export const instanceTable = (rows: readonly InstanceRow[]): string =>
  textTable('', COLUMNS, rows.toSorted((a, b) => a.index - b.index).map(cells));

/** What `--print-instances` writes to stderr: an empty line, a title and the map. */
export const instanceListing = (title: string, rows: readonly InstanceRow[]): string =>
  `\n${title} instance map:\n${instanceTable(rows)}`;
