/** Nodes before and after where there are both: how many are how full, each, and what is wrong with them. */

import { chartRow, columnChart, spanOf } from '../../../../kit/report/html/charts.ts';
import { type Content, html, type Markup } from '../../../../kit/report/html/markup.ts';
import { type Card, pageTable, section, type subsection } from '../../../../kit/report/html/page.ts';
import type { PriceRates } from '../../../plan/price.ts';
import type { NodeRow } from '../../../results/parts/tables.ts';
import { diskOf, either, kindOf, memoryOf, ratioCell, ratioOf, shareOf, useCell } from './use.ts';
import { change, many, marked, nameCell, score, someNames } from './words.ts';

/** Nodes before and after a plan, in the same order. */
export interface NodeTables {
  readonly before: readonly NodeRow[];
  readonly after: readonly NodeRow[];
}

/** The same, and how fast the plan is carried out. */
export interface PlanTables extends NodeTables {
  readonly rates: PriceRates;
}

function stateOf(states: readonly NodeRow[]): Content {
  const [was, is] = [states[0]!, states.at(-1)!];
  if (is.isOffline)
    return hosts(is) > 0 ? marked(false, `offline, with ${many(hosts(is), 'instance')}`) : 'offline';
  if (is.failsNPlusOne) return marked(false, 'fails N+1');
  return was.failsNPlusOne && marked(true, 'no longer fails N+1');
}

const hosts = ({ primaries, secondaries }: NodeRow): number => primaries.length + secondaries.length;
const isInTrouble = (node: NodeRow): boolean => (node.isOffline ? hosts(node) > 0 : node.failsNPlusOne);

/** The highest ratio of virtual cpus, and at least 1. */
const mostRatio = (states: readonly (readonly NodeRow[])[]): number =>
  spanOf([1, ...states.flat().map(ratioOf)])[1];

/** How full the fuller of memory and disk is, as a share. */
const usedOf = (node: NodeRow): number => Math.max(shareOf(memoryOf(node)), shareOf(diskOf(node)));

/** How far a node's use of memory or disk changes, as a share. */
const changeOf = (states: readonly NodeRow[]): number =>
  Math.max(
    ...[memoryOf, diskOf].map((of) => Math.abs(shareOf(of(states.at(-1)!)) - shareOf(of(states[0]!)))),
  );

/** @param before in the same order as `after`, where there are two states @param part kind of section */
export function nodesSection(
  after: readonly NodeRow[],
  before?: readonly NodeRow[],
  id = 'nodes',
  part: typeof section | typeof subsection = section,
): Markup {
  const most = mostRatio([after, before ?? []]);
  const rows = after
    .map((node, k) => {
      const states = before ? [before[k]!, node] : [node];
      return { node, states, by: changeOf(states), isBad: states.some(isInTrouble) };
    })
    // What is wrong first, then what changes most, or without a plan is fullest.
    .sort((a, b) => Number(b.isBad) - Number(a.isBad) || b.by - a.by || usedOf(b.node) - usedOf(a.node));
  type Row = (typeof rows)[number];
  const hosted =
    (role: 'primaries' | 'secondaries') =>
    ({ states }: Row) =>
      change(score(states[0]![role].length), score(states.at(-1)![role].length));
  const key = html`<p class="soft">${before && html`<span class="key before"></span>before`}<span class="key after"></span>${before ? 'after' : 'in use'}<span class="key kept"></span>kept for N+1<span class="key free"></span>free. What is in trouble comes first, then ${before ? 'what changes most' : 'the fullest'}.</p>
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
        ['Virtual cpus a cpu', ({ states }) => ratioCell(states, most)],
        ['#Primaries', hosted('primaries')],
        ['#Secondaries', hosted('secondaries')],
      ],
      { kinds: { 'in trouble': ({ isBad }) => isBad, changed: ({ by }) => by > 0 } },
    ),
  );
}

export function troubleCard(
  { before, after }: NodeTables,
  hasPlan: boolean,
  more: readonly (string | false)[] = [],
): Card {
  const short = (nodes: readonly NodeRow[]): string => someNames(nodes.map(({ alias }) => alias));
  const kinds = [
    ['fails N+1', 'fail N+1', ({ isOffline, failsNPlusOne }: NodeRow) => !isOffline && failsNPlusOne],
    ['offline with instances', 'offline with instances', (one: NodeRow) => one.isOffline && hosts(one) > 0],
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

const BINS = 20;

/** How many nodes are how full. @param label of the axis, with unit @param most that the last column is */
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
  const range = (uses: readonly number[]): string => spanOf(uses).map(format).join(' to ');
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
export function nodeCharts(after: readonly NodeRow[], before?: readonly NodeRow[]): Markup | false {
  const states = [...(before ? [before] : []), after].map((nodes) =>
    nodes.filter(({ isOffline }) => !isOffline),
  );
  if (states.some((nodes) => nodes.length === 0)) return false;
  const chart = (label: string, of: (node: NodeRow) => number, most: number): Markup =>
    spreadChart(
      label,
      states.map((nodes) => nodes.map(of)),
      most,
    );
  const key =
    before &&
    html`<p class="soft"><span class="key before"></span>before<span class="key after"></span>after</p>
`;
  return html`${chartRow(
    ['Nodes by memory in use', chart('memory in use, %', (node) => 100 * shareOf(memoryOf(node)), 100)],
    ['Nodes by disk in use', chart('disk in use, %', (node) => 100 * shareOf(diskOf(node)), 100)],
    ['Nodes by virtual cpus', chart('virtual cpus a cpu', ratioOf, mostRatio(states))],
  )}${key}`;
}
