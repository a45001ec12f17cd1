/**
 * Whether a group can be emptied, decided by trying every home for every instance in every order; judged at
 * the end, from nothing.
 */
import { ALLOWED } from '../../../../src/htools/cluster/refusal.ts';
import { NO_NODE } from '../../../../src/htools/cluster/snapshot.ts';
import { migrationRefusal, primaryRefusal } from '../../../../src/htools/model/rules/admission.ts';
import { HAS_SECONDARY } from '../../../../src/htools/model/state/state.ts';
import { groupRefusal, stayRule } from '../../../../src/htools/planners/groups/homes/leaving.ts';
import { SuperCluster } from '../../../../src/htools/planners/groups/homes/super-cluster.ts';
import {
  type Home,
  type Relocation,
  relocate,
} from '../../../../src/htools/planners/groups/relocate/relocation.ts';
import { snapshotAfter } from '../../../../src/htools/planners/groups/relocate/relocation-plan.ts';

/** Every home in the target groups that reaches the instance's pool. */
function homesFor(cluster: SuperCluster, i: number, targets: readonly number[]): Home[] {
  const { state, storage, online } = cluster;
  const row = storage.rows[i]! * storage.nodeCount;
  const isPair = (state.flags[i]! & HAS_SECONDARY) !== 0;
  return targets.flatMap((group) => {
    if (groupRefusal(cluster, i, group)) return [];
    const nodes = online[group]!.filter((n) => storage.access[row + n] === 1);
    return nodes.flatMap((primary) =>
      (isPair ? nodes : [NO_NODE])
        .filter((secondary) => secondary !== primary)
        .map((secondary) => ({ group, primary, secondary })),
    );
  });
}

/** True when there is a way; the cluster is left as it was. */
export function canBeEmptied(
  cluster: SuperCluster,
  residents: readonly number[],
  targets: readonly number[],
): boolean {
  const { state, snapshot } = cluster;
  if (residents.some((i) => stayRule(cluster, i) !== undefined)) return false;
  const done: Relocation[] = [];
  const solve = (waiting: readonly number[]): boolean => {
    if (waiting.length === 0) {
      const final = new SuperCluster(snapshotAfter(snapshot, done));
      return targets.every((group) => final.isHealthy(group));
    }
    return waiting.some((i) => solveWith(i, waiting));
  };
  const solveWith = (i: number, waiting: readonly number[]): boolean => {
    for (const home of homesFor(cluster, i, targets)) {
      const mark = state.journal.mark();
      // What a dead primary leaves is let in by force; here it has to be let in by the rules, as everything
      // else.
      const isLetIn =
        primaryRefusal(state, i, home.primary, false) === ALLOWED &&
        migrationRefusal(state, state.primary[i]!, home.primary) === ALLOWED;
      const moved = isLetIn ? relocate(state, i, home) : undefined;
      if (!moved) continue;
      done.push(moved);
      const isSolved = solve(waiting.filter((other) => other !== i));
      done.pop();
      state.journal.rollback(mark);
      if (isSolved) return true;
    }
    return false;
  };
  return solve(residents);
}
