/**
 * Moving an instance to a home that it is not in yet, step by step, so that Ganeti accepts each command in
 * the state that the steps before have made. Source: docs/why/groups.md; gnt-instance(8).
 */
import { ALLOWED, type FailCode } from '../../../cluster/refusal.ts';
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { applyMove, putInstance, takeOff } from '../../../model/moves/apply.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import type { PlanStep } from '../../../plan/plan.ts';
import { stepOf } from '../../../plan/step.ts';
import { type Home, homeOf } from './home.ts';
import { type Itinerary, itineraries } from './itineraries.ts';

/** One instance that went to another home, in its group or in another one, with the steps that it takes. */
export interface Relocation {
  readonly instance: number;
  readonly from: Home;
  readonly to: Home;
  readonly steps: readonly PlanStep[];
}

/** All nodes of the two homes. */
export const nodesOf = ({ from, to }: Pick<Relocation, 'from' | 'to'>): number[] => [
  ...new Set([from.primary, from.secondary, to.primary, to.secondary].filter((n) => n !== NO_NODE)),
];

/** Whether an instance stays in its group. */
export const isWithin = ({ from, to }: Relocation): boolean => from.group === to.group;

/** Takes an itinerary's steps; when one is refused, the reason, and the state is as before. */
function follow(state: ClusterState, i: number, to: Home, itinerary: Itinerary): Relocation | FailCode {
  const mark = state.journal.mark();
  const from = homeOf(state, i);
  const steps: PlanStep[] = [];
  for (const [kind, target] of itinerary) {
    // Plans between groups are not judged by the score of one.
    const step = stepOf(state, { instance: i, kind, target }, 0);
    const refusal = applyMove(state, i, kind, target, false);
    if (refusal !== ALLOWED) {
      state.journal.rollback(mark);
      return refusal;
    }
    steps.push(step);
  }
  return { instance: i, from, to, steps };
}

/**
 * Moves an instance to its new home on the first way that is open, the cheapest first; when none is, the
 * state is as before and the reason of the last one is returned.
 */
export function relocate(state: ClusterState, i: number, to: Home): Relocation | FailCode {
  let refusal: FailCode = ALLOWED;
  for (const itinerary of itineraries(state, i, to)) {
    const moved = follow(state, i, to, itinerary);
    if (!isRefused(moved)) return moved;
    refusal = moved;
  }
  return refusal;
}

/** Takes a relocation back, whatever was done in between. No rule is asked: the instance was there before. */
export function sendBack(state: ClusterState, { instance: i, from }: Relocation): void {
  takeOff(state, i);
  putInstance(state, i, from.primary, from.secondary);
}

/** Whether the result of relocate is a refusal. */
export const isRefused = (result: Relocation | FailCode): result is FailCode => typeof result === 'number';
