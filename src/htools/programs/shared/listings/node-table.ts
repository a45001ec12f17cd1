/** The node table of `--print-nodes`: fields, headings and formats of stock (byte contract). */
import { padLeft, textTable } from '../../../../kit/report/text-table.ts';
import { printfFixed, showDouble, showInt, showList } from '../../../../kit/text/numbers.ts';
import { MIB_PER_GIB } from '../../../../kit/units.ts';
import type { NODE_COLUMNS } from '../../../options/report-options.ts';
import type { NodeRow } from '../../../results/parts/tables.ts';

interface NodeField {
  readonly heading: string;
  readonly isNumeric: boolean;
  readonly show: (row: NodeRow) => string;
}

const UNKNOWN_FIELD = '<unknown field>';
const UNKNOWN: NodeField = { heading: UNKNOWN_FIELD, isNumeric: false, show: () => UNKNOWN_FIELD };

type Show = NodeField['show'];
const text = (heading: string, show: Show): NodeField => ({ heading, isNumeric: false, show });
const bare = (heading: string, show: Show): NodeField => ({ heading, isNumeric: true, show });
const whole = (heading: string, width: number, value: (row: NodeRow) => number): NodeField =>
  bare(heading, (row) => padLeft(showInt(value(row)), width));
const decimal = (
  heading: string,
  width: number,
  digits: number,
  value: (row: NodeRow) => number,
): NodeField => bare(heading, (row) => padLeft(printfFixed(value(row), digits), width));

function statusOf(row: NodeRow): string {
  if (row.isOffline) return '-';
  return row.failsNPlusOne ? '*' : ' ';
}

/** Order of Haskell's Map: by code point. */
const byCodePoint = ([a]: readonly [string, number], [b]: readonly [string, number]): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));

const showTags = (tags: NodeRow['primaryTags']): string =>
  Object.entries(tags)
    .sort(byCodePoint)
    .map(([tag, count]) => `${tag}=${count}`)
    .join(',');

const showPeers = (peers: NodeRow['peers']): string =>
  showList(peers.map(([node, mib]) => `(${node},${mib})`));

const FIELDS: Readonly<Record<(typeof NODE_COLUMNS)[number], NodeField>> = {
  idx: whole('Index', 4, (row) => row.index),
  name: text('Name', (row) => row.alias),
  fqdn: text('Name', (row) => row.name),
  status: text('F', statusOf),
  tmem: decimal('t_mem', 5, 0, (row) => row.totalMemMib),
  nmem: whole('n_mem', 5, (row) => row.nodeMemMib),
  xmem: whole('x_mem', 5, (row) => row.missingMemMib),
  fmem: whole('f_mem', 5, (row) => row.freeMemMib),
  umem: whole('u_mem', 5, (row) => row.unallocatedMemMib),
  imem: whole('i_mem', 5, (row) => row.instanceMemMib),
  rmem: whole('r_mem', 5, (row) => row.reservedMemMib),
  amem: whole('a_mem', 5, (row) => row.availableMemMib),
  tdsk: decimal('t_dsk', 5, 0, (row) => row.totalDiskMib / MIB_PER_GIB),
  fdsk: whole('f_dsk', 5, (row) => Math.floor(row.freeDiskMib / MIB_PER_GIB)),
  tcpu: decimal('pcpu', 4, 0, (row) => row.totalCpus),
  ucpu: whole('vcpu', 4, (row) => row.usedVcpus),
  pcnt: whole('pcnt', 3, (row) => row.primaries.length),
  scnt: whole('scnt', 3, (row) => row.secondaries.length),
  plist: bare('primaries', (row) => showList(row.primaries.map(showInt))),
  slist: bare('secondaries', (row) => showList(row.secondaries.map(showInt))),
  pfmem: decimal('p_fmem', 6, 4, (row) => row.freeMemShare),
  pfdsk: decimal('p_fdsk', 6, 4, (row) => row.freeDiskShare),
  rcpu: decimal('r_cpu', 5, 2, (row) => row.vcpuRatio),
  cload: decimal('lCpu', 5, 3, (row) => row.load.cpu),
  mload: decimal('lMem', 5, 3, (row) => row.load.mem),
  dload: decimal('lDsk', 5, 3, (row) => row.load.disk),
  nload: decimal('lNet', 5, 3, (row) => row.load.net),
  ptags: text('PrimaryTags', (row) => showTags(row.primaryTags)),
  peermap: text('PeerMap', (row) => showPeers(row.peers)),
  spindle_count: bare('NodeSpindles', (row) => showInt(row.spindles)),
  hi_spindles: bare('MaxSpindles', (row) => showDouble(row.maxSpindles)),
  inst_spindles: bare('InstSpindles', (row) => showDouble(row.instanceSpindles)),
};
const FIELD_CALLED: ReadonlyMap<string, NodeField> = new Map(Object.entries(FIELDS));

export const DEFAULT_NODE_FIELDS: readonly string[] = [
  ...['status', 'name', 'tmem', 'nmem', 'imem', 'xmem', 'fmem', 'umem', 'rmem'],
  ...['tdsk', 'fdsk', 'tcpu', 'ucpu'],
  ...['pcnt', 'scnt', 'pfmem', 'pfdsk', 'rcpu', 'cload', 'mload', 'dload', 'nload'],
];

/** The table as text, each line ended by a newline. Rows come in the order of their index. */
export function nodeTable(rows: readonly NodeRow[], fields: readonly string[]): string {
  const columns = fields.map((name) => FIELD_CALLED.get(name) ?? UNKNOWN);
  const cells = rows.toSorted((a, b) => a.index - b.index).map((row) => columns.map(({ show }) => show(row)));
  return textTable('', columns, cells);
}
