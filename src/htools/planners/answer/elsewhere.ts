/**
 * What happens to instances of a super cluster that no node of their own group takes: they go to other groups
 * where that is allowed, and otherwise the answer says where they could go. One after another, and without
 * making a group unhealthy. Healthy groups come first: in one that fails N+1 already, an arrival might have
 * nowhere to start again. Source: docs/why/groups.md.
 */
import type { ClusterState } from '../../model/state/state.ts';
import { findHome } from '../groups/homes/homes.ts';
import { forbidsInterGroup, GroupRules, stayRule } from '../groups/homes/leaving.ts';
import { SuperCluster } from '../groups/homes/super-cluster.ts';
import { type Stranded, strandedBy } from '../groups/refusals/refusals.ts';
import type { Relocation } from '../groups/relocate/relocation.ts';
import type { Elsewhere, MovedInstance } from './answer.ts';

function refugeOf(cluster: SuperCluster, rules: GroupRules, i: number): Relocation | undefined {
  if (stayRule(cluster, i) !== undefined) return undefined;
  const own = cluster.groupOf(i);
  const open = rules.openTo(i).filter((group) => group !== own);
  const healthy = open.filter((group) => cluster.isHealthy(group));
  const others = open.filter((group) => !healthy.includes(group));
  return findHome(cluster, i, healthy).relocation ?? findHome(cluster, i, others).relocation;
}

/** Moves each instance to its best home in another group, if any; none where the cluster's tag forbids it. */
export function findRefuges(cluster: SuperCluster, instances: readonly number[]) {
  const relocations: Relocation[] = [];
  const stranded: Stranded[] = [];
  const rules = new GroupRules(cluster);
  for (const i of forbidsInterGroup(cluster) ? [] : instances) {
    const own = cluster.groupOf(i);
    const relocation = refugeOf(cluster, rules, i);
    if (relocation) relocations.push(relocation);
    else stranded.push(strandedBy(cluster, rules, i, (group) => group !== own));
  }
  return { relocations, stranded };
}

/**
 * Finds homes in other groups. The state is as before unless the moves are to stay.
 * @param instances each once
 * @param leaving nodes that take nothing
 */
export function seekElsewhere(
  state: ClusterState,
  instances: readonly number[],
  leaving: ReadonlySet<number>,
  isCarriedOut: boolean,
): Elsewhere {
  const cluster = new SuperCluster(state.snapshot, { state, leaving });
  const mark = state.journal.mark();
  const { relocations, stranded } = findRefuges(cluster, instances);
  if (isCarriedOut) state.journal.commit();
  else state.journal.rollback(mark);
  const movedBy = ({ instance, to, steps }: Relocation): MovedInstance => ({
    instance,
    isMoved: true,
    group: to.group,
    primary: to.primary,
    secondary: to.secondary,
    moves: steps.map(({ kind, target }) => ({ kind, target })),
  });
  return { isCarriedOut, moved: relocations.map(movedBy), stranded };
}
