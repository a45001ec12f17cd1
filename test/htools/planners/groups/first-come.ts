/**
 * Plain first-come relocation, to measure redistribution by: sick groups in their order, instances in their
 * order, each to the first place that takes it, until the group is healthy. Nothing of the search's own code
 * but the moves themselves.
 */
import { NO_NODE } from '../../../../src/htools/cluster/snapshot.ts';
import { primaryRefusal } from '../../../../src/htools/model/rules/admission.ts';
import { HAS_SECONDARY, IS_AUTO_BALANCED, IS_MOVABLE } from '../../../../src/htools/model/state/state.ts';
import { groupRefusal, stayRule } from '../../../../src/htools/planners/groups/homes/leaving.ts';
import type { SuperCluster } from '../../../../src/htools/planners/groups/homes/super-cluster.ts';

export interface FirstComeResult {
  readonly healed: ReadonlySet<number>;
  /** MiB copied for the groups that were healed. */
  readonly copiedMib: number;
}

/** Moves an instance to the first place in the healthy groups; true when there is one. */
function moveAnywhere(cluster: SuperCluster, i: number, targets: readonly number[]): boolean {
  const { state, storage, online } = cluster;
  const row = storage.rows[i]! * storage.nodeCount;
  const isPair = (state.flags[i]! & HAS_SECONDARY) !== 0;
  for (const group of targets) {
    if (group === state.groupOf[state.primary[i]!] || groupRefusal(cluster, i, group)) continue;
    const nodes = online[group]!.filter((n) => storage.access[row + n] === 1);
    for (const primary of nodes) {
      if (primaryRefusal(state, i, primary, false) !== 0) continue;
      for (const secondary of isPair ? nodes : [NO_NODE]) {
        if (secondary === primary) continue;
        const mark = cluster.mark();
        if (!cluster.move(i, { group, primary, secondary })) continue;
        if (cluster.isHealthy(group)) return true;
        cluster.rollback(mark);
      }
    }
  }
  return false;
}

/** Instances that have to go next, in their order. */
function candidates(cluster: SuperCluster, group: number): number[] {
  const { state } = cluster;
  const health = cluster.healthOf(group);
  const on = (nodes: readonly number[]): number[] =>
    nodes.flatMap((n) => [...state.primaries[n]!, ...state.secondaries[n]!]).sort((a, b) => a - b);
  if (health.deadNodes.length > 0) return on(health.deadNodes);
  const wanted = IS_MOVABLE | IS_AUTO_BALANCED;
  return on(health.failing).filter((i) => (state.flags[i]! & wanted) === wanted);
}

/** Leaves the cluster as it was. */
export function firstCome(
  cluster: SuperCluster,
  sick: readonly number[],
  healthy: readonly number[],
): FirstComeResult {
  const start = cluster.mark();
  const targets = [...healthy].sort(
    (a, b) => Number(cluster.isLastResort(a)) - Number(cluster.isLastResort(b)) || a - b,
  );
  const healed = new Set<number>();
  let copiedMib = 0;
  for (const group of [...sick].sort((a, b) => a - b)) {
    let own = 0;
    const homeless = new Set<number>();
    for (;;) {
      const next = candidates(cluster, group).find((i) => !homeless.has(i));
      if (next === undefined || cluster.isHealthy(group)) break;
      const { diskTemplate, diskMib } = cluster.snapshot.instances[next]!;
      if (stayRule(cluster, next) === undefined && moveAnywhere(cluster, next, targets)) {
        own += diskTemplate === 'drbd' ? 2 * diskMib : 0;
      } else homeless.add(next);
    }
    if (!cluster.isHealthy(group)) continue;
    healed.add(group);
    copiedMib += own;
  }
  cluster.rollback(start);
  return { healed, copiedMib };
}
