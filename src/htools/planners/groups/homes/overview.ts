/** The groups at a glance, as facts: partitions, health, score, used and free resources. */
import type { DocumentOf } from '../../../../kit/results/members.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { Scorer } from '../../../model/score/scorer.ts';
import type { superCluster } from '../../../results/hinfo.ts';
import { capacityOf, mapAmounts } from './group-room.ts';
import { isAlone } from './leaving.ts';
import { SuperCluster } from './super-cluster.ts';

/** Memory and disk in MiB, cpu in virtual cpus that the policy allows; figures of online nodes. */
export type GroupsReport = DocumentOf<typeof superCluster>;

export function groupsReport(snapshot: Snapshot): GroupsReport {
  const cluster = new SuperCluster(snapshot);
  const nameOf = (group: number): string => snapshot.groups[group]!.name;
  return {
    partitions: cluster.storage.pools.map(({ id, groups }) => ({ pool: id, groups: groups.map(nameOf) })),
    groups: cluster.groups.map((group) => {
      const { total, free } = capacityOf(cluster.state, cluster.members[group]!);
      const health = cluster.healthOf(group);
      return {
        name: nameOf(group),
        allocPolicy: snapshot.groups[group]!.allocPolicy,
        state: health.state,
        deadNodes: health.deadNodes.length,
        failingNodes: health.failing.length,
        score: new Scorer(cluster.state, cluster.members[group]!).score,
        used: mapAmounts((of) => total[of] - free[of]),
        free,
        isAlone: isAlone(cluster, group),
      };
    }),
    alone: cluster.groups.filter((group) => isAlone(cluster, group)).map(nameOf),
  };
}
