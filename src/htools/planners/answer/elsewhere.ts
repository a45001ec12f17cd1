/**
 * What happens to instances of a super cluster that no node of their own group takes: they go to other groups
 * where that is allowed, and otherwise the answer says where they could go.
 */

import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../model/moves/kinds.ts';
import type { ClusterState } from '../../model/state/state.ts';
import type { PlanStep } from '../../plan/plan.ts';
import type { EvacuationMove } from '../evacuate/outcome.ts';
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
  moves: steps.flatMap(singleMoves),
});

/** A step as the moves that Ganeti has an opcode for. */
function singleMoves({ kind, target }: PlanStep): EvacuationMove[] {
  const change: EvacuationMove = { kind: FAILOVER, target: -1 };
  const replace: EvacuationMove = { kind: REPLACE_SECONDARY, target };
  switch (kind) {
    case FAILOVER_AND_REPLACE:
      return [change, replace];
    case REPLACE_AND_FAILOVER:
      return [replace, change];
    case REPLACE_PRIMARY:
      return [change, replace, change];
    default:
      return [{ kind, target }];
  }
}
