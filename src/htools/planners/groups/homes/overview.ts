/**
 * The groups of a cluster at a glance, as facts: partitions, and health, score, used and free resources of
 * each group.
 */

import type { AllocPolicy, Snapshot } from '../../../cluster/snapshot.ts';
import { Scorer } from '../../../model/score/scorer.ts';
import { type Amounts, capacityOf, RESOURCES } from './group-room.ts';
import { failingNodes, type HealthState } from './health.ts';
import { SuperCluster } from './super-cluster.ts';
import { neighbours } from './targets.ts';

/** One group; memory and disk in MiB, cpu in virtual cpus that its policy allows. Figures of online nodes. */
export interface GroupOverview {
  readonly name: string;
  readonly allocPolicy: AllocPolicy;
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
  /** Names of the groups that stand alone. */
  readonly alone: readonly string[];
}

export function groupsReport(snapshot: Snapshot): GroupsReport {
  const cluster = new SuperCluster(snapshot);
  const near = neighbours(cluster);
  const nameOf = (group: number): string => snapshot.groups[group]!.name;
  const isAlone = (group: number): boolean => near[group]!.size === 0;
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
        isAlone: isAlone(group),
      };
    }),
    alone: cluster.groups.filter(isAlone).map(nameOf),
  };
}
