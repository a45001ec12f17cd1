/** Relocations as a plan for the checker, and the snapshot that they lead to. */
import { InternalError } from '../../../../kit/faults.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { movedSnapshot } from '../../../model/state/moved-snapshot.ts';
import { ClusterState } from '../../../model/state/state.ts';
import { type Plan, unscoredPlan } from '../../../plan/plan.ts';
import { jobSchedule } from './job-schedule.ts';
import { type Relocation, relocate } from './relocation.ts';

/** What a plan between groups may do beyond balancing, and what it promises. */
export interface RelocationLimits {
  /** Whether disks may be copied. */
  readonly diskMoves: boolean;
  /** Nodes that are emptied: what stands on them may move even if it is not to be balanced. */
  readonly emptiedNodes: readonly number[];
  /** Groups that must be healthy at the end. */
  readonly healthyGroups: readonly number[];
  /** Groups that must be without any instance at the end. */
  readonly emptyGroups?: readonly number[];
}

/** The plan in the order of the job sets; the score of no group is followed. */
export const planOf = (start: Snapshot, relocations: readonly Relocation[], limits: RelocationLimits): Plan =>
  unscoredPlan(
    start,
    jobSchedule(start, relocations).flatMap((set) => set.flatMap(({ steps }) => steps)),
    { ignoreSoftErrors: false, ...limits },
  );

/** The cluster after all relocations. @throws InternalError when one is refused: the search's fault */
export function snapshotAfter(start: Snapshot, relocations: readonly Relocation[]): Snapshot {
  const state = new ClusterState(start);
  for (const relocation of jobSchedule(start, relocations).flat()) {
    if (!relocate(state, relocation.instance, relocation.to))
      throw new InternalError(
        `the move of ${start.instances[relocation.instance]!.name} was found and then refused`,
      );
  }
  return movedSnapshot(state);
}
