/** The tables of nodes and instances on standard error, where the command line asks for them. */
import type { FieldSelection } from '../../../../kit/cli/options/option.ts';
import { numbers, padLeft, texts, textTable } from '../../../../kit/report/text-table.ts';
import { printfFixed, showInt } from '../../../../kit/text/numbers.ts';
import { MIB_PER_GIB } from '../../../../kit/units.ts';
import { type InstanceRow, instanceRows } from '../../../explain/state/instance-rows.ts';
import { nodeRows } from '../../../explain/state/node-rows.ts';
import type { Figures } from '../../../model/state/moved-snapshot.ts';
import type { Scope } from '../../../model/state/scope.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import { DEFAULT_NODE_FIELDS, nodeListing } from './node-table.ts';

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
export const instanceTable = (rows: readonly InstanceRow[]): string =>
  textTable('', COLUMNS, rows.toSorted((a, b) => a.index - b.index).map(cells));

/** What `--print-instances` writes to stderr: an empty line, a title and the map. */
export const instanceListing = (title: string, rows: readonly InstanceRow[]): string =>
  `\n${title} instance map:\n${instanceTable(rows)}`;

interface Listed {
  readonly printNodes: FieldSelection | undefined;
  readonly printInstances: boolean;
  /** Free memory as stock shows it. */
  readonly stockFigures?: boolean;
}

export function fieldNames({ isExtending, names }: FieldSelection): readonly string[] {
  if (isExtending) return [...DEFAULT_NODE_FIELDS, ...names];
  return names.length > 0 ? names : DEFAULT_NODE_FIELDS;
}

export const figuresOf = ({ stockFigures }: Pick<Listed, 'stockFigures'>): Figures =>
  stockFigures ? 'stock' : 'true';

/**
 * The instance map and the node table, in stock's order; empty when neither is wanted.
 * @param instanceTitle for example `Initial` @param nodeTitle for example `Initial cluster`
 */
export function listings(
  wanted: Listed,
  state: ClusterState,
  scope: Scope,
  instanceTitle: string,
  nodeTitle: string,
): string {
  const instances = wanted.printInstances
    ? instanceListing(instanceTitle, instanceRows(state, scope.instances))
    : '';
  const nodes = wanted.printNodes
    ? nodeListing(nodeTitle, nodeRows(state, scope.nodes, figuresOf(wanted)), fieldNames(wanted.printNodes))
    : '';
  return instances + nodes;
}
