/** `hinfo --groups`: partitions, and health, score, used and free resources of each group. */

import type { Snapshot } from '../../cluster/snapshot.ts';
import { Scorer } from '../../model/score/scorer.ts';
import { type Amounts, capacityOf, RESOURCES } from '../../planners/groups/homes/group-room.ts';
import { failingNodes, type HealthState } from '../../planners/groups/homes/health.ts';
import { SuperCluster } from '../../planners/groups/homes/super-cluster.ts';
import { neighbours } from '../../planners/groups/homes/targets.ts';
import { textTable } from '../../report/text-table.ts';
import { printfFixed } from '../../stock/numbers.ts';

const SCORE_DECIMALS = 8;

/** One group; memory and disk in MiB, cpu in virtual cpus that its policy allows. Figures of online nodes. */
export interface GroupOverview {
  readonly name: string;
  readonly allocPolicy: string;
  readonly state: HealthState;
  readonly deadNodes: number;
  readonly failingNodes: number;
  readonly score: number;
  readonly used: Amounts;
  readonly free: Amounts;
  /** No other group shares a storage pool with it. */
  readonly isAlone: boolean;
}

/** The groups that reach a storage pool. */
export interface Partition {
  readonly pool: string;
  readonly groups: readonly string[];
}

export interface GroupsReport {
  readonly partitions: readonly Partition[];
  readonly groups: readonly GroupOverview[];
}

export function groupsReport(snapshot: Snapshot): GroupsReport {
  const cluster = new SuperCluster(snapshot);
  const near = neighbours(cluster);
  const nameOf = (group: number): string => snapshot.groups[group]!.name;
  return {
    partitions: cluster.storage.pools.map(({ id, groups }) => ({ pool: id, groups: groups.map(nameOf) })),
    groups: cluster.groups.map((group) => {
      const { total, free } = capacityOf(cluster.state, cluster.members[group]!);
      const used = Object.fromEntries(RESOURCES.map((name) => [name, total[name] - free[name]]));
      const health = cluster.healthOf(group);
      return {
        name: nameOf(group),
        allocPolicy: snapshot.groups[group]!.allocPolicy,
        state: health.state,
        deadNodes: health.deadNodes.length,
        failingNodes: failingNodes(health).length,
        score: new Scorer(cluster.state, cluster.members[group]!).score,
        used: used as Amounts,
        free,
        isAlone: near[group]!.size === 0,
      };
    }),
  };
}

const COLUMNS = [
  { heading: 'Group', isNumeric: false },
  { heading: 'Policy', isNumeric: false },
  { heading: 'State', isNumeric: false },
  { heading: 'Dead', isNumeric: true },
  { heading: 'Fail_N+1', isNumeric: true },
  { heading: 'Score', isNumeric: true },
  { heading: 'Used_Mem', isNumeric: true },
  { heading: 'Free_Mem', isNumeric: true },
  { heading: 'Used_Disk', isNumeric: true },
  { heading: 'Free_Disk', isNumeric: true },
  { heading: 'Used_vCPU', isNumeric: true },
  { heading: 'Free_vCPU', isNumeric: true },
];

/** The groups, then the partitions, then the groups that stand alone. */
export function groupsOverviewText({ partitions, groups }: GroupsReport): string {
  const rows = groups.map((group) => [
    group.name,
    group.allocPolicy,
    group.state,
    `${group.deadNodes}`,
    `${group.failingNodes}`,
    printfFixed(group.score, SCORE_DECIMALS),
    ...RESOURCES.flatMap((name) => [group.used[name], group.free[name]].map((x) => `${Math.floor(x)}`)),
  ]);
  const alone = groups.filter((group) => group.isAlone).map(({ name }) => name);
  const lines = partitions.map(
    ({ pool, groups: members }) => `   ${pool}: ${members.join(', ') || 'no group'}\n`,
  );
  return [
    'Health and resources of the groups (MiB, virtual cpus):\n',
    textTable('  ', COLUMNS, rows).replaceAll(/ +$/gm, ''),
    lines.length > 0 ? `Partitions (groups that reach a storage pool):\n${lines.join('')}` : '',
    alone.length > 0 ? `Alone, without another group in any partition: ${alone.join(', ')}\n` : '',
  ].join('');
}
