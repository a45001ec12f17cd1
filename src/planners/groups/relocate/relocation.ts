/**
 * Moving an instance to another group, step by step, so that Ganeti accepts each command in the state that the steps
 * before have made.
 *
 * DRBD: the new primary becomes secondary, takes over, and gets the new secondary. Where the primary is offline, the
 * instance fails over first, since a secondary can be replaced only from an online primary; where the secondary is
 * offline, replacing it comes first anyway. Source: docs/design/groups.md; gnt-instance(8).
 */

import { ALLOWED, type FailCode } from '../../../cluster/refusal.ts';
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { applyMove, putInstance } from '../../../model/moves/apply.ts';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  type MoveKind,
  placementAfter,
  REPLACE_SECONDARY,
} from '../../../model/moves/kinds.ts';
import { removePrimary, removeSecondary } from '../../../model/moves/transitions.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import { HAS_SECONDARY } from '../../../model/state/state.ts';
import type { PlanStep } from '../../../plan/plan.ts';

/** Nodes of a group that take an instance; `secondary` is -1 where it needs none. */
export interface Home {
  readonly group: number;
  readonly primary: number;
  readonly secondary: number;
}

/** One instance that went from one group to another, with the steps that it takes. */
export interface Relocation {
  readonly instance: number;
  readonly from: Home;
  readonly to: Home;
  readonly steps: readonly PlanStep[];
}

/** Where an instance is now. */
const homeOf = (state: ClusterState, i: number): Home => ({
  group: state.groupOf[state.primary[i]!]!,
  primary: state.primary[i]!,
  secondary: state.secondary[i]!,
});

/** All nodes of the two homes. */
export const nodesOf = ({ from, to }: Pick<Relocation, 'from' | 'to'>): number[] => [
  ...new Set([from.primary, from.secondary, to.primary, to.secondary].filter((n) => n !== NO_NODE)),
];

/** The node that runs the instance when it sets out for its new home: the secondary if the primary is offline. */
export function departureNode(state: ClusterState, i: number): number {
  const primary = state.primary[i]!;
  const hasSecondary = (state.flags[i]! & HAS_SECONDARY) !== 0;
  return hasSecondary && state.isOffline[primary] ? state.secondary[i]! : primary;
}

/** Kinds of move and their targets, in order. */
function itinerary(state: ClusterState, i: number, to: Home): [MoveKind, number][] {
  if (!(state.flags[i]! & HAS_SECONDARY)) return [[FAILOVER_TO_ANY, to.primary]];
  const move: [MoveKind, number][] = [
    [REPLACE_SECONDARY, to.primary],
    [FAILOVER_AND_REPLACE, to.secondary],
  ];
  return state.isOffline[state.primary[i]!] ? [[FAILOVER, NO_NODE], ...move] : move;
}

/** Moves an instance to its new home; when a step is refused, the state is as before and the reason is returned. */
export function relocate(state: ClusterState, i: number, to: Home): Relocation | FailCode {
  const mark = state.journal.mark();
  const from = homeOf(state, i);
  const steps: PlanStep[] = [];
  for (const [kind, target] of itinerary(state, i, to)) {
    const fromPrimary = state.primary[i]!;
    const fromSecondary = state.secondary[i]!;
    const refusal = applyMove(state, i, kind, target, false);
    if (refusal !== ALLOWED) {
      state.journal.rollback(mark);
      return refusal;
    }
    const [toPrimary, toSecondary] = placementAfter(kind, fromPrimary, fromSecondary, target);
    steps.push({
      instance: i,
      kind,
      target,
      fromPrimary,
      fromSecondary,
      toPrimary,
      toSecondary,
      // Plans between groups are not judged by the score of one.
      score: 0,
    });
  }
  return { instance: i, from, to, steps };
}

/** Takes a relocation back, whatever was done in between. No rule is asked: the instance was there before. */
export function sendBack(state: ClusterState, { instance: i, from, to }: Relocation): void {
  removePrimary(state, i, to.primary, state.locationScore[i]!);
  if (to.secondary !== NO_NODE) removeSecondary(state, i, to.secondary, to.primary);
  putInstance(state, i, from.primary, from.secondary);
}

/** Whether the result of relocate is a refusal. */
export const isRefused = (result: Relocation | FailCode): result is FailCode => typeof result === 'number';
