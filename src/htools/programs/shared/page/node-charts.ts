/** How many nodes are how full, before and after where there are both. */
import { chartRow, columnChart } from '../../../../kit/report/html/charts.ts';
import { html, type Markup } from '../../../../kit/report/html/markup.ts';
import type { NodeRow } from '../../../results/parts/tables.ts';
import { diskOf, either, kindOf, memoryOf, ratioOf, shareOf } from './use.ts';
import { many } from './words.ts';

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
