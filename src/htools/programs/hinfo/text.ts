/** What hinfo says: line by line as the stock program does, and tables that it does not have. */

import { reportTable } from '../../../kit/report/report-table.ts';
import { gib, wrapped } from '../../../kit/report/sentences.ts';
import { numbers, texts } from '../../../kit/report/text-table.ts';
import { toned, warning } from '../../../kit/report/tone.ts';
import { printfFixed } from '../../../kit/text/numbers.ts';
import { count } from '../../../kit/text/words.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { PoolReport, StorageReport } from '../../cluster/storage/storage-report.ts';
import { coefficientsOf } from '../../explain/state/state-facts.ts';
import type { Shortage } from '../../model/redundancy/packing/packing-proof.ts';
import type { N1NodeReport, N1Report } from '../../model/redundancy/shared/n1-report.ts';
import type { Scorer } from '../../model/score/scorer.ts';
import type { GroupRow } from '../../planners/balance/steps/group-scores.ts';
import type { GroupsReport } from '../../planners/groups/homes/overview.ts';
import type { NodeRow } from '../../results/parts/tables.ts';
import { groupTable } from '../shared/groups/group-table.ts';
import { EITHER_NOTE, RESTART_NOTE } from '../shared/listings/n1-words.ts';
import { policyLine } from '../shared/listings/policy-text.ts';
import { coefficientTable, loadedTags, showScore, strippedSuffix } from '../shared/steps/said.ts';

/** Verbosity from which on each kind of detail is said. */
const GROUPS = 2;
const POLICY = 3;

export const headText = (snapshot: Snapshot, verbosity: number): string =>
  loadedTags(snapshot.tags) + (verbosity >= POLICY ? policyLine(snapshot.policy) : '');

export function countsText(snapshot: Snapshot, verbosity: number): string {
  const { nodes, instances, groups } = snapshot;
  return [
    instances.length === 0 && verbosity >= GROUPS ? 'Cluster is empty.\n' : '',
    `Loaded ${count(nodes.length, 'node')}, ${count(instances.length, 'instance')}, `,
    `${count(groups.length, 'node group')}\n`,
    verbosity >= POLICY ? strippedSuffix(snapshot) : '',
  ].join('');
}

/** @param names of instances over two groups, which stand on standard error */
export function splitText(names: readonly string[], verbosity: number): string {
  if (names.length > 0) return 'Found instances belonging to multiple node groups:\n';
  return verbosity >= GROUPS ? 'No split instances found\n' : '';
}

export function groupsText(rows: readonly GroupRow[], verbosity: number): string {
  const table = `Node group information:\n${groupTable(rows)}`;
  const isHappy = rows.every(({ isNPlusOneHappy }) => isNPlusOneHappy);
  return `${verbosity >= GROUPS ? table : ''}${toned(isHappy ? 'good' : 'bad', `Cluster is N+1 ${isHappy ? 'happy' : 'unhappy'}`)}\n`;
}

export const scoreText = (scorer: Scorer): string =>
  `Cluster coefficients:\n${coefficientTable(coefficientsOf(scorer))}` +
  toned('figure', `Cluster score: ${showScore(scorer.score)}\n`);

const HEALTH = [...texts('Group', 'Policy', 'State'), ...numbers('Dead', 'Fail_N+1', 'Score')];

const USE = [
  ...texts('Group'),
  ...numbers('Used_Mem', 'Free_Mem', 'Used_Disk', 'Free_Disk', 'Used_vCPU', 'Free_vCPU'),
];

/** The groups' health, what they use and have free, then the partitions, then the groups that stand alone. */
export function groupsOverviewText({ partitions, groups, alone }: GroupsReport): string {
  const health = groups.map((group) => [
    group.name,
    group.allocPolicy,
    group.state,
    `${group.deadNodes}`,
    `${group.failingNodes}`,
    showScore(group.score),
  ]);
  const use = groups.map((group) => [
    group.name,
    ...(['memMib', 'diskMib', 'vcpus'] as const).flatMap((name) =>
      [group.used[name], group.free[name]].map((x) => `${Math.floor(x)}`),
    ),
  ]);
  const lines = partitions.map(
    ({ pool, groups: members }) => `   ${pool}: ${members.join(', ') || 'no group'}\n`,
  );
  return [
    'Health of the groups:\n',
    reportTable('  ', HEALTH, health),
    EITHER_NOTE,
    'Resources of the groups (MiB, virtual cpus):\n',
    reportTable('  ', USE, use),
    lines.length > 0 ? `Partitions (groups that reach a storage pool):\n${lines.join('')}` : '',
    alone.length > 0 ? `Alone, without another group in any partition: ${alone.join(', ')}\n` : '',
  ].join('');
}

const UNKNOWN = '-';

const POOL_COLUMNS = [
  ...texts('Type', 'Pool'),
  ...numbers('Nodes', 'Inst', 'Used_GiB', 'Size_GiB', 'Free_GiB'),
  ...texts('Groups'),
];

const amount = (mib: number | null): string => (mib === null ? UNKNOWN : gib(mib));

const poolCells = (pool: PoolReport): string[] => [
  pool.type,
  pool.name,
  String(pool.nodes.length),
  String(pool.instances),
  amount(pool.usedMib),
  amount(pool.sizeMib),
  amount(pool.freeMib),
  pool.groups.join(',') || UNKNOWN,
];

function basis(report: StorageReport): string {
  if (!report.isStated)
    return 'The snapshot says nothing about storage: pools follow from the disk templates.';
  return report.isBinding
    ? 'Nodes list the pools that they reach.'
    : 'No node lists its pools: every node reaches every pool.';
}

/** Pools with their partitions (the groups that reach each), then misplaced instances and warnings. */
export function storageText(report: StorageReport): string {
  const lines = [`Storage pools (${report.pools.length}). ${basis(report)}\n`];
  if (report.pools.length > 0) {
    lines.push(reportTable('', POOL_COLUMNS, report.pools.map(poolCells)));
  }
  if (report.misplaced.length > 0) {
    lines.push(`Misplaced instances (${report.misplaced.length}): ${report.misplaced.join(', ')}\n`);
  }
  for (const message of report.warnings) lines.push(warning(message));
  return lines.join('');
}

const N1_COLUMNS = [...texts('Node', 'Group'), ...numbers('Inst'), ...texts('N+1', 'Reason')];

const REASONS: Record<Shortage, (missing: number) => string> = {
  access: (missing) => `${count(missing, 'instance')} without a node to start on`,
  memory: (missing) => `${missing} MiB of memory short`,
  disk: (missing) => `${missing} MiB of disk short`,
  spindles: (missing) => `${count(missing, 'spindle')} short`,
  room: (missing) => `enough in total, but at least ${count(missing, 'instance')} cannot be placed whole`,
};

function reason(node: N1NodeReport): string {
  if (node.shortfall) return REASONS[node.shortfall.resource](node.shortfall.missing);
  if (node.verdict === 'unproven') return 'the search ended without a verdict; counted as failing';
  return node.degraded.length > 0 ? `${count(node.degraded.length, 'restart')} degraded` : '';
}

const n1Cells = (node: N1NodeReport): string[] => [
  node.isOffline ? `${node.node} (offline)` : node.node,
  node.group,
  String(node.instances),
  node.verdict,
  reason(node),
];

function witnessLines(node: N1NodeReport): string[] {
  const restarts = node.restarts ?? [];
  if (restarts.length === 0) return [];
  const list = restarts.map(
    ({ instance, node: target, isDegraded }) =>
      `    ${instance} -> ${target}${isDegraded ? ' (degraded)' : ''}\n`,
  );
  return [`  ${node.node}:\n`, ...list];
}

const percent = (share: number): string => `${printfFixed(100 * share, 0)}%`;

/** What is of no size is not full. */
const shareUsed = (free: number, total: number): number => (total > 0 ? 1 - free / total : 0);

const USES: readonly (readonly [string, (node: NodeRow) => number, (use: number) => string])[] = [
  ['memory', (node) => shareUsed(node.unallocatedMemMib, node.totalMemMib), percent],
  ['disk', (node) => shareUsed(node.freeDiskMib, node.totalDiskMib), percent],
  [
    'virtual cpus',
    ({ vcpuRatio = 0 }) => (Number.isFinite(vcpuRatio) ? vcpuRatio : 0),
    (ratio) => `${printfFixed(ratio, 2)} a cpu`,
  ],
];

/** Which nodes run full first, if what they have grows alike; empty where none is online. */
export function fullestText(nodes: readonly NodeRow[]): string {
  const online = nodes.filter(({ isOffline }) => !isOffline);
  if (online.length === 0) return '';
  const parts = USES.map(([what, useOf, words]) => {
    const fullest = online.reduce((most, node) => (useOf(node) > useOf(most) ? node : most));
    return `${what} of ${fullest.alias} (${words(useOf(fullest))})`;
  });
  return wrapped('', `Fullest, of the nodes that are online: ${parts.join(', ')}`);
}

/** One line a node and a sum. @param withWitness also where each instance would start again (`-v`) */
export function n1Text(report: N1Report, withWitness: boolean): string {
  const { yes, no, unproven } = report.counts;
  const lines = [
    reportTable('', N1_COLUMNS, report.nodes.map(n1Cells)),
    `N+1 with shared storage: ${yes} yes, ${no} no, ${unproven} unproven\n`,
    RESTART_NOTE,
  ];
  if (withWitness && report.nodes.some(({ restarts }) => (restarts ?? []).length > 0)) {
    lines.push('If a node fails, its instances can start on:\n', ...report.nodes.flatMap(witnessLines));
  }
  return lines.join('');
}
