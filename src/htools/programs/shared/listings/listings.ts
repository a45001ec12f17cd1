/** The tables of nodes and instances on standard error, where the command line asks for them. */
import type { FieldSelection } from '../../../../kit/cli/options/option.ts';
import { numbers, padLeft, texts, textTable } from '../../../../kit/report/text-table.ts';
import { printfFixed, showInt } from '../../../../kit/text/numbers.ts';
import { MIB_PER_GIB } from '../../../../kit/units.ts';
import { instanceRows, nodeRows } from '../../../explain/state/state-facts.ts';
import type { Figures } from '../../../model/state/moved-snapshot.ts';
import type { Scope } from '../../../model/state/scope.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import type { SomeOptions } from '../../../options/command-options.ts';
import type { InstanceRow } from '../../../results/parts/tables.ts';
import { DEFAULT_NODE_FIELDS, nodeTable } from './node-table.ts';

const LOAD_DECIMALS = 3;
const COLUMNS = [
  ...texts('F', 'Name', 'Pri_node', 'Sec_node', 'Auto_bal'),
  ...numbers('vcpu', 'mem', 'dsk', 'lCpu', 'lMem', 'lDsk', 'lNet'),
];

const showLoad = (load: number): string => padLeft(printfFixed(load, LOAD_DECIMALS), 5);

function cells(row: InstanceRow): readonly string[] {
  const { cpu, mem, disk, net } = row.load;
  return [
    row.isRunning ? 'R' : ' ',
    row.name,
    row.primary ?? '',
    row.secondary ?? '',
    row.isAutoBalanced ? 'Y' : 'N',
    padLeft(showInt(row.vcpus), 3),
    padLeft(showInt(row.memMib), 5),
    padLeft(showInt(Math.floor(row.diskMib / MIB_PER_GIB)), 5),
    ...[cpu, mem, disk, net].map(showLoad),
  ];
}

/** The map as text, each line ended by a newline, in the order of the instances' indices. */
const instanceTable = (rows: readonly InstanceRow[]): string =>
  textTable('', COLUMNS, rows.toSorted((a, b) => a.index - b.index).map(cells));

export function fieldNames({ isExtending, names }: FieldSelection): readonly string[] {
  if (isExtending) return [...DEFAULT_NODE_FIELDS, ...names];
  return names.length > 0 ? names : DEFAULT_NODE_FIELDS;
}

export const figuresOf = ({ stockFigures }: SomeOptions<'stockFigures'>): Figures =>
  stockFigures ? 'stock' : 'true';

/** The instance map and the node table as far as they are asked for, in the order of stock. */
export function listings(
  options: SomeOptions<'printNodes' | 'printInstances' | 'stockFigures'>,
  state: ClusterState,
  { nodes, instances }: Scope,
  nodeTitle: string,
  instanceTitle = '',
): string {
  const { printNodes, printInstances } = options;
  const map = printInstances
    ? `\n${instanceTitle} instance map:\n${instanceTable(instanceRows(state, instances))}`
    : '';
  const table = printNodes
    ? `\n${nodeTitle} status:\n${nodeTable(nodeRows(state, nodes, figuresOf(options)), fieldNames(printNodes))}\n`
    : '';
  return map + table;
}
