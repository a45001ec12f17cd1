/** What `hspace --explain` adds: what stops the next instance, what would lift it, and how many fit of each size. */

import type { Node, Snapshot } from '../../cluster/snapshot.ts';
import type { Obstacle } from '../../planners/allocate/explain/next-obstacle.ts';
import type { Lift } from '../../planners/allocate/explain/what-would-lift.ts';
import type { Upgrade } from '../../planners/allocate/fill/filled-snapshot.ts';
import type { Size, SizeCount } from '../../planners/allocate/fill/sized-instance.ts';
import { padLeft, padRight } from '../../report/text-table.ts';
import { ruleWords } from '../shared/explain/refusal-words.ts';
import { RESERVED } from '../shared/listings/n1-words.ts';

/** How many instances of a size fit; `isAtLeast`: the count stopped there, and there are more. */
export interface ChartRow extends SizeCount {
  readonly isAtLeast: boolean;
}

export interface Explanation {
  readonly size: Size;
  /** Nodes that could be tried. */
  readonly usableNodes: number;
  /** Nodes that fail N+1 at the start, so that nothing was tried at all. */
  readonly stoppedBy: readonly number[];
  readonly obstacles: readonly Obstacle[];
  readonly lifts: readonly Lift[];
  /** How many instances of each size the cluster takes at the start, smallest size first. */
  readonly chart: readonly ChartRow[];
}

const ROLE_WORDS = { primary: ' as primary', secondary: ' as secondary', any: '' } as const;

const MIB_PER_GIB = 1024;
const CHART_WIDTH = 40;

const amountText = (amount: number, unit: string): string => {
  if (unit !== 'MiB') return `${amount} ${amount === 1 ? unit.replace(/s$/, '') : unit}`;
  return amount >= MIB_PER_GIB && amount % MIB_PER_GIB === 0
    ? `${amount / MIB_PER_GIB} GiB`
    : `${amount} MiB`;
};

const sizeText = ({ memMib, diskMib, cpuCount }: Size): string =>
  `${amountText(memMib, 'MiB')} memory, ${amountText(diskMib, 'MiB')} disk, ${amountText(cpuCount, 'cpus')}`;

function obstacleLine(obstacle: Obstacle, explanation: Explanation, nodes: readonly Node[]): string {
  const { rule, role, least } = obstacle;
  if (role === 'any')
    return '  - global N+1: there is room, but some node could not be emptied onto the others any more\n';
  if (rule === 'pool-space' && least)
    return `  - space in the storage pool ${obstacle.pool}: ${amountText(least.missing, least.unit)} are missing (${least.available} of ${least.needed} ${least.unit})\n`;
  const refusing = `${obstacle.nodes.length} of ${explanation.usableNodes} nodes refuse${ROLE_WORDS[role]}`;
  const best = least
    ? `; the best of them, ${nodes[least.node]!.alias}, lacks ${amountText(least.missing, least.unit)}` +
      ` (has ${Math.floor(least.available)}, needs ${least.mustLeaveSome ? 'more than ' : ''}${least.needed} ${least.unit})`
    : '';
  const about = obstacle.pool === undefined ? '' : ` ${obstacle.pool}`;
  return `  - ${ruleWords(rule)}${about}: ${refusing}${best}\n`;
}

const UPGRADE_UNITS = {
  memory: 'MiB',
  disk: 'MiB',
  cpu: 'cpus',
  spindles: 'spindles',
  pool: 'MiB',
} as const;

const upgradeText = ({ node, resource, amount, pool }: Upgrade, nodes: readonly Node[]): string => {
  if (pool !== undefined)
    return `${amountText(amount, UPGRADE_UNITS[resource])} more in the storage pool ${pool}`;
  const what = resource === 'memory' || resource === 'disk' ? ` ${resource}` : '';
  return `${amountText(amount, UPGRADE_UNITS[resource])} more${what} on ${nodes[node]!.alias}`;
};

function liftLine({ upgrades, nodeLike, gain, isAtLeast }: Lift, { nodes, groups }: Snapshot): string {
  const inGroup = ({ group }: Node): string => (groups.length > 1 ? ` in group ${groups[group]!.name}` : '');
  const what =
    nodeLike === undefined
      ? upgrades.map((upgrade) => upgradeText(upgrade, nodes)).join(' and ')
      : `one more node like ${nodes[nodeLike]!.alias}${inGroup(nodes[nodeLike]!)}`;
  const more = isAtLeast ? `${gain} or more` : gain > 0 ? `about ${gain} more` : 'no more';
  return `  - ${what}: ${more}\n`;
}

function chartText(chart: readonly ChartRow[]): string {
  const largest = Math.max(1, ...chart.map(({ count }) => count));
  const labels = chart.map(({ size }) => sizeText(size));
  const labelWidth = Math.max(...labels.map((label) => label.length));
  const counts = chart.map(({ count, isAtLeast }) => `${count}${isAtLeast ? '+' : ''}`);
  const countWidth = Math.max(...counts.map((count) => count.length));
  return chart
    .map(({ count }, k) => {
      const bar = '#'.repeat(Math.ceil((count / largest) * CHART_WIDTH));
      return `  ${padRight(labels[k]!, labelWidth)}  ${padLeft(counts[k]!, countWidth)} ${bar}`.trimEnd();
    })
    .map((line) => `${line}\n`)
    .join('');
}

export function explanationText(explanation: Explanation, snapshot: Snapshot): string {
  const { nodes } = snapshot;
  const { stoppedBy, obstacles, lifts, chart, size } = explanation;
  if (stoppedBy.length > 0) {
    const names = stoppedBy.map((n) => nodes[n]!.alias).join(', ');
    return [
      'What stops the next instance:\n',
      `  - the cluster is not N+1 happy already (${RESERVED}): see ${names}\n`,
      'What would lift it:\n',
      '  - balancing the cluster with hbal, or --accept-existing-errors, or --independent-groups\n',
    ].join('');
  }
  return [
    `What stops the next instance of ${sizeText(size)}:\n`,
    obstacles.length > 0
      ? obstacles.map((obstacle) => obstacleLine(obstacle, explanation, nodes)).join('')
      : '  - nothing but --max-length: it would fit\n',
    lifts.length > 0 ? 'What would lift it:\n' : '',
    ...lifts.map((lift) => liftLine(lift, snapshot)),
    'What fits by size, if nothing else came:\n',
    chartText(chart),
  ].join('');
}

/** A size for JSON documents. */
export const sizeJson = ({ memMib, diskMib, cpuCount, spindles }: Size) => ({
  memMib,
  diskMib,
  vcpus: cpuCount,
  spindles,
});

/** The same for `--json`. */
export const explanationJson = (explanation: Explanation, { nodes }: Snapshot) => ({
  size: sizeJson(explanation.size),
  usableNodes: explanation.usableNodes,
  stoppedBy: explanation.stoppedBy.map((n) => nodes[n]!.name),
  obstacles: explanation.obstacles.map(({ rule, role, nodes: refusing, least, pool }) => ({
    rule,
    role,
    ...(pool !== undefined && { pool }),
    nodes: refusing.map((n) => nodes[n]!.name),
    least: least ? { ...least, node: nodes[least.node]!.name } : null,
  })),
  lifts: explanation.lifts.map(({ upgrades, nodeLike, gain, isAtLeast }) => ({
    upgrades: upgrades.map((upgrade) => ({
      ...upgrade,
      node: nodes[upgrade.node]?.name ?? null,
      unit: UPGRADE_UNITS[upgrade.resource],
    })),
    nodeLike: nodeLike === undefined ? null : nodes[nodeLike]!.name,
    gain,
    isAtLeast,
  })),
  chart: explanation.chart.map(({ size, count, isAtLeast }) => ({ ...sizeJson(size), count, isAtLeast })),
});
