/** Nodes by resource: how many are how full, and a table of them; before and after where there are both. */

import { type BarPart, chartRow, columnChart, stackedBars } from '../../../../kit/report/html/charts.ts';
import { type Content, html, type Markup } from '../../../../kit/report/html/markup.ts';
import { type Card, section, type subsection } from '../../../../kit/report/html/page.ts';
import { pageTable } from '../../../../kit/report/html/table.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import type { PriceRates } from '../../../plan/price.ts';
import type { nodeRow } from '../../../results/parts/tables.ts';
import {
  change,
  many,
  marked,
  nameCell,
  percentText,
  roughPercent,
  score,
  size,
  sizeText,
  someNames,
} from './words.ts';

export type PageNode = DocumentOf<typeof nodeRow>;

/** Nodes before and after a plan, in the same order. */
export interface NodeTables {
  readonly before: readonly PageNode[];
  readonly after: readonly PageNode[];
}

/** The same, and how fast the plan is carried out. */
export interface PlanTables extends NodeTables {
  readonly rates: PriceRates;
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

const shareOf = ({ used, total }: Use): number => (total > 0 ? used / total : 0);
const ratioOf = ({ vcpuRatio }: PageNode): number => vcpuRatio ?? 0;

const sizes = ({ used, kept, total }: Use): string =>
  `${sizeText(used)} in use${kept > 0 ? `, ${sizeText(kept)} kept for N+1` : ''}, of ${sizeText(total)}`;
const exact = ({ used, total }: Use): string => `${used} of ${total} MiB`;

const useShare = (use: Use): Markup => roughPercent(shareOf(use), exact(use));

/** Bars one below the other, and what they show in short. */
const barCell = (words: string, bars: readonly (readonly BarPart[])[], short: Content): Markup =>
  html`<div class="bars${bars.length > 1 && ' two'}">${stackedBars(words, bars)}<small>${short}</small></div>`;

/** A share of a whole as a bar. @param short what stands below it */
export const shareBar = (what: string, share: number, short: Content): Markup =>
  barCell(`${what}: ${percentText(share)}`, [[{ kind: 'after', share }]], short);

/** How much of an amount in MiB is in use, as a bar. */
export function sizeBar(what: string, total: number | null, free: number | null): Markup {
  const used = (total ?? 0) - (free ?? 0);
  return shareBar(what, total ? used / total : 0, html`${size(used)} of ${size(total)}`);
}

/** How much of all nodes together is in use. */
export function fullness(nodes: readonly PageNode[], question: string): Card {
  const online = nodes.filter(({ isOffline }) => !isOffline);
  const sum = (of: (node: PageNode) => number): number => online.reduce((all, one) => all + of(one), 0);
  const [memory, disk] = [memoryOf, diskOf].map((of) => ({
    used: sum((node) => of(node).used),
    kept: sum((node) => of(node).kept),
    total: sum((node) => of(node).total),
  })) as [Use, Use];
  const cpus = sum(({ totalCpus }) => totalCpus);
  return {
    question,
    answer: html`${useShare(memory)} of memory`,
    lines: [
      html`${size(memory.total - memory.used)} of memory free, ${size(memory.kept)} of it kept for N+1`,
      html`${useShare(disk)} of disk`,
      html`${score(cpus > 0 ? sum(({ usedVcpus }) => usedVcpus) / cpus : 0)} virtual cpus a cpu`,
    ],
  };
}

/** A state of several: the last one is what is or will be. */
const kindOf = (k: number, count: number): 'before' | 'after' => (k === count - 1 ? 'after' : 'before');

const either = <T>(values: readonly T[], words: (value: T) => string): string =>
  values.length > 1 ? `before ${words(values[0]!)}; after ${words(values[1]!)}` : words(values[0]!);

function useCell(what: string, uses: readonly Use[]): Content {
  if (uses.every(({ total }) => total <= 0)) return '-';
  const bars = uses.map((use, k): readonly BarPart[] => [
    { kind: kindOf(k, uses.length), share: shareOf(use) },
    { kind: 'kept', share: use.kept / use.total },
  ]);
  return barCell(`${what}: ${either(uses, sizes)}`, bars, change(useShare(uses[0]!), useShare(uses.at(-1)!)));
}

function ratioCell(ratios: readonly number[], most: number): Markup {
  const words = (ratio: number): string => `${ratio.toFixed(2)} a cpu`;
  const bars = ratios.map((ratio, k) => [{ kind: kindOf(k, ratios.length), share: ratio / most }]);
  return barCell(
    `Virtual cpus: ${either(ratios, words)}`,
    bars,
    change(score(ratios[0]!), score(ratios.at(-1)!)),
  );
}

function stateOf(states: readonly PageNode[]): Content {
  const [was, is] = [states[0]!, states.at(-1)!];
  if (is.isOffline)
    return hosts(is) > 0 ? marked(false, `offline, with ${many(hosts(is), 'instance')}`) : 'offline';
  if (is.failsNPlusOne) return marked(false, 'fails N+1');
  return was.failsNPlusOne && marked(true, 'no longer fails N+1');
}

const hosts = ({ primaries, secondaries }: PageNode): number => primaries.length + secondaries.length;
const isInTrouble = (node: PageNode): boolean => (node.isOffline ? hosts(node) > 0 : node.failsNPlusOne);

/** How far a node's use of anything changes, as a share. */
function changeOf([was, is]: readonly PageNode[]): number {
  if (is === undefined) return 0;
  const by = [memoryOf, diskOf].map((of) => Math.abs(shareOf(of(is)) - shareOf(of(was!))));
  return Math.max(...by, Math.abs(hosts(is) - hosts(was!)) / 1000);
}

const BINS = 20;

/**
 * How many nodes are how full.
 * @param label of the axis, with its unit
 * @param most that the last column stands for
 */
function spreadChart(label: string, states: readonly (readonly number[])[], most: number): Markup {
  const columns = states.map((uses, k) => {
    const values = new Array<number>(BINS).fill(0);
    for (const use of uses) values[Math.min(BINS - 1, Math.max(0, Math.floor((use / most) * BINS)))]!++;
    return { kind: kindOf(k, states.length), values };
  });
  const format = (use: number): string => String(Number(use.toFixed(2)));
  const bound = (bin: number): string => format((most * bin) / BINS);
  const words = (bin: number): string =>
    `${label} ${bound(bin)} to ${bound(bin + 1)}: ${either(columns, ({ values }) => many(values[bin]!, 'node'))}`;
  const range = (uses: readonly number[]): string =>
    `${format(Math.min(...uses))} to ${format(Math.max(...uses))}`;
  return columnChart(
    `Nodes by ${label}: ${either(states, range)}`,
    [0, most],
    columns,
    words,
    { label, format },
    { label: 'nodes', format, isWhole: true },
  );
}

/** @param before where there are two states */
export function nodeCharts(after: readonly PageNode[], before?: readonly PageNode[]): Markup | false {
  const states = [...(before ? [before] : []), after].map((nodes) =>
    nodes.filter(({ isOffline }) => !isOffline),
  );
  if (states.some((nodes) => nodes.length === 0)) return false;
  const chart = (label: string, of: (node: PageNode) => number, most: number): Markup =>
    spreadChart(
      label,
      states.map((nodes) => nodes.map(of)),
      most,
    );
  const mostRatio = Math.max(...states.flat().map(ratioOf), 1);
  const key =
    before &&
    html`<p class="soft"><span class="key before"></span>before<span class="key after"></span>after</p>
`;
  return html`${chartRow(
    ['Nodes by memory in use', chart('memory in use, %', (node) => 100 * shareOf(memoryOf(node)), 100)],
    ['Nodes by disk in use', chart('disk in use, %', (node) => 100 * shareOf(diskOf(node)), 100)],
    ['Nodes by virtual cpus', chart('virtual cpus a cpu', ratioOf, mostRatio)],
  )}${key}`;
}

/** @param before in the same order as `after`, where there are two states @param part kind of section */
export function nodesSection(
  after: readonly PageNode[],
  before?: readonly PageNode[],
  id = 'nodes',
  part: typeof section | typeof subsection = section,
): Markup {
  const most = Math.max(...[...after, ...(before ?? [])].map(ratioOf), 1);
  const rows = after
    .map((node, k) => {
      const states = before ? [before[k]!, node] : [node];
      return { node, states, by: changeOf(states), isBad: states.some(isInTrouble) };
    })
    // What is wrong first, then what changes most.
    .sort((a, b) => Number(b.isBad) - Number(a.isBad) || b.by - a.by);
  type Row = (typeof rows)[number];
  const hosted =
    (role: 'primaries' | 'secondaries') =>
    ({ states }: Row) =>
      change(score(states[0]![role].length), score(states.at(-1)![role].length));
  const key = html`<p class="soft">${before && html`<span class="key before"></span>before`}<span class="key after"></span>${before ? 'after' : 'in use'}<span class="key kept"></span>kept for N+1<span class="key free"></span>free. What is in trouble comes first${before && ', then what changes most'}.</p>
`;
  return part(
    id,
    before ? 'Nodes before and after' : 'Nodes',
    key,
    pageTable<Row>(
      `${id}-rows`,
      'nodes',
      rows,
      [
        [
          'Node',
          ({ node, states }) =>
            html`${nameCell(node.name, () => node.alias)} <small>${stateOf(states)}</small>`,
        ],
        ['Memory', ({ states }) => useCell('Memory', states.map(memoryOf))],
        ['Disk', ({ states }) => useCell('Disk', states.map(diskOf))],
        ['Virtual cpus a cpu', ({ states }) => ratioCell(states.map(ratioOf), most)],
        ['#Primaries', hosted('primaries')],
        ['#Secondaries', hosted('secondaries')],
      ],
      { kinds: { 'in trouble': ({ isBad }) => isBad, changed: ({ by }) => by > 0 } },
    ),
  );
}

/** What is wrong with the nodes, now and after the plan. @param more that is wrong */
export function troubleCard(
  { before, after }: NodeTables,
  hasPlan: boolean,
  more: readonly (string | false)[] = [],
): Card {
  const short = (nodes: readonly PageNode[]): string => someNames(nodes.map(({ alias }) => alias));
  const kinds = [
    ['fails N+1', 'fail N+1', ({ isOffline, failsNPlusOne }: PageNode) => !isOffline && failsNPlusOne],
    ['offline with instances', 'offline with instances', (one: PageNode) => one.isOffline && hosts(one) > 0],
  ] as const;
  const found = kinds.flatMap(([one, several, of]) => {
    const [was, is] = [before.filter(of), after.filter(of)];
    if (was.length + is.length === 0) return [];
    const then = is.length === 0 ? 'none after the plan' : `${is.length} after the plan: ${short(is)}`;
    return [
      { words: many(was.length, `node ${one}`, `nodes ${several}`), line: hasPlan ? then : short(was) },
    ];
  });
  const others = more.filter((one) => one !== false);
  const lines = found.map(({ words, line }, k) => (k === 0 ? line : `${words}: ${line}`));
  if (found.length + others.length === 0)
    return {
      question: 'What is wrong',
      answer: 'Nothing',
      lines: ['no node fails N+1, none is offline with instances'],
    };
  return {
    question: 'What is wrong',
    answer: found[0]?.words ?? others[0]!,
    isBad: true,
    lines: [...lines, ...others.slice(found.length > 0 ? 0 : 1)],
  };
}
