/** Nodes as bars by resource: in use, kept for N+1, free; before and after where there are both. */

import type { BarPart } from '../../../../kit/report/html/charts.ts';
import { type Content, html, type Markup } from '../../../../kit/report/html/markup.ts';
import { section } from '../../../../kit/report/html/page.ts';
import { pageTable } from '../../../../kit/report/html/table.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import type { nodeRow } from '../../../results/parts/tables.ts';
import { useBars } from './use-bars.ts';
import { marked, nameCell, sizeWords } from './words.ts';

export type PageNode = DocumentOf<typeof nodeRow>;

/** Nodes before and after a plan, in the same order. */
export interface PlanTables {
  readonly before: readonly PageNode[];
  readonly after: readonly PageNode[];
}

interface Use {
  readonly used: number;
  readonly kept: number;
  readonly total: number;
}

const memoryOf = (node: PageNode): Use => {
  const free = Math.max(0, node.unallocatedMemMib);
  const kept = Math.min(free, node.reservedMemMib);
  return { used: node.totalMemMib - free, kept, total: node.totalMemMib };
};
const diskOf = ({ totalDiskMib, freeDiskMib }: PageNode): Use => ({
  used: totalDiskMib - freeDiskMib,
  kept: 0,
  total: totalDiskMib,
});
const vcpusOf = ({ totalCpus, vcpuRatio }: PageNode, most: number): Use => ({
  used: vcpuRatio ?? 0,
  kept: 0,
  total: totalCpus > 0 ? most : 0,
});

const partsOf = ({ used, kept, total }: Use): readonly BarPart[] => [
  { kind: 'used', share: used / total },
  { kind: 'kept', share: kept / total },
];

const sizes = ({ used, kept, total }: Use): string =>
  `${sizeWords(used)} in use${kept > 0 ? `, ${sizeWords(kept)} kept for N+1` : ''}, of ${sizeWords(total)}`;

/** @param words what a use is in words */
function bars(what: string, uses: readonly Use[], words: (use: Use) => string, short: string): Markup {
  const said = uses.length > 1 ? `before ${words(uses[0]!)}; after ${words(uses[1]!)}` : words(uses[0]!);
  return useBars(`${what}: ${said}`, uses.map(partsOf), short);
}

const stateOf = (node: PageNode): Content => {
  if (node.isOffline) return html`<span class="soft">offline</span>`;
  return marked(!node.failsNPlusOne, node.failsNPlusOne ? 'fails N+1' : 'fine');
};

/** @param before nodes in the same order as `after`, where there are two states */
export function nodesSection(after: readonly PageNode[], before?: readonly PageNode[], id = 'nodes'): Markup {
  const both = (k: number): readonly PageNode[] => (before ? [before[k]!, after[k]!] : [after[k]!]);
  const most = Math.max(...[...after, ...(before ?? [])].map(({ vcpuRatio }) => vcpuRatio ?? 0), 1);
  const percent = (use: Use): string =>
    use.total > 0 ? `${Math.round((100 * use.used) / use.total)} %` : '-';
  const change = (uses: readonly Use[]): string => uses.map(percent).join(' → ');
  const rows = after.map((node, k): Content[] => {
    const states = both(k);
    const [memory, disk, cpu] = [memoryOf, diskOf, (one: PageNode) => vcpusOf(one, most)].map((of) =>
      states.map(of),
    );
    const ratio = (use: Use): string => `${use.used.toFixed(2)} a cpu`;
    return [
      nameCell(node.name, () => node.alias),
      stateOf(node),
      bars('Memory', memory!, sizes, change(memory!)),
      bars('Disk', disk!, sizes, change(disk!)),
      bars('Virtual cpus', cpu!, ratio, cpu!.map(ratio).join(' → ')),
      states.map((one) => one.primaries.length).join(' → '),
      states.map((one) => one.secondaries.length).join(' → '),
    ];
  });
  const key = html`<p class="soft"><span class="key used"></span>in use<span class="key kept"></span>kept for N+1<span class="key free"></span>free. ${before ? 'The upper bar is before the plan, the lower one after it. ' : ''}Virtual cpus are drawn against the fullest node.</p>
`;
  const columns = [
    { heading: 'Node', isName: true },
    { heading: 'State' },
    { heading: 'Memory' },
    { heading: 'Disk' },
    { heading: 'Virtual cpus' },
    { heading: 'Primaries', isNumeric: true },
    { heading: 'Secondaries', isNumeric: true },
  ];
  return section(before ? 'Nodes before and after' : 'Nodes', key, pageTable(id, 'nodes', columns, rows));
}
