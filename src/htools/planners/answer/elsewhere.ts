/**
 * What happens to instances of a super cluster that no node of their own group takes: they go to other groups
 * where that is allowed, and otherwise the answer says where they could go.
 */
import type { ClusterState } from '../../model/state/state.ts';
import { SuperCluster } from '../groups/homes/super-cluster.ts';
import type { Relocation } from '../groups/relocate/relocation.ts';
import type { Elsewhere, MovedInstance } from './answer.ts';
import { findRefuges } from './refuge.ts';

/**
 * Finds homes in other groups, one after another; none where the cluster's own tag keeps every instance in
 * its group. The state is as before unless the moves are to stay.
 * @param instances each once
 * @param leaving nodes that take nothing
 */
export function seekElsewhere(
  state: ClusterState,
  instances: readonly number[],
  leaving: ReadonlySet<number>,
  stays: boolean,
): Elsewhere {
  const cluster = new SuperCluster(state.snapshot, { state, leaving });
  const mark = state.journal.mark();
  const refuges = findRefuges(cluster, instances);
  if (stays) state.journal.commit();
  else state.journal.rollback(mark);
  const all = refuges ?? [];
  return {
    isCarriedOut: stays,
    moved: all.flatMap((refuge) => (refuge.kind === 'moved' ? [movedBy(refuge.relocation)] : [])),
    stranded: all.flatMap((refuge) => (refuge.kind === 'stranded' ? [refuge.stranded] : [])),
  };
}

const movedBy = ({ instance, to, steps }: Relocation): MovedInstance => ({
  instance,
  isMoved: true,
  group: to.group,
  primary: to.primary,
  secondary: to.secondary,
  moves: steps.map(({ kind, target }) => ({ kind, target })),
});
