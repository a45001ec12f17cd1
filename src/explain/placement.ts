/** Looking at a placement without asking any rule. */
import type { Snapshot } from '../cluster/snapshot.ts';
import { putInstance } from '../model/moves/apply.ts';
import { type Move, placementAfter } from '../model/moves/kinds.ts';
import { removePrimary, removeSecondary } from '../model/moves/transitions.ts';
import type { Scorer } from '../model/score/scorer.ts';
import type { ClusterState } from '../model/state/state.ts';
import type { PlanStep } from '../plan/plan.ts';
import type { Place } from './record.ts';

export const placeOf = ({ nodes }: Snapshot, primary: number, secondary: number): Place => ({
  primary: nodes[primary]!.name,
  secondary: nodes[secondary]?.name ?? null,
});

/** A move with the nodes it leads from and to, as a step of a plan; `score` is not known yet. */
export function stepOf(state: ClusterState, { instance, kind, target }: Move, score = Number.NaN): PlanStep {
  const fromPrimary = state.primary[instance]!;
  const fromSecondary = state.secondary[instance]!;
  const [toPrimary, toSecondary] = placementAfter(kind, fromPrimary, fromSecondary, target);
  return { instance, kind, target, fromPrimary, fromSecondary, toPrimary, toSecondary, score };
}

/** What `look` finds with the instance on other nodes, whatever the rules say; the state and the scorer are as before afterwards. */
export function withPlacement<T>(
  state: ClusterState,
  scorer: Scorer,
  { instance: i, fromPrimary, fromSecondary, toPrimary, toSecondary }: PlanStep,
  look: () => T,
): T {
  const touched = [...new Set([fromPrimary, fromSecondary, toPrimary, toSecondary])].filter((n) => n >= 0);
  const mark = state.journal.mark();
  removePrimary(state, i, fromPrimary, state.locationScore[i]!);
  if (fromSecondary >= 0) removeSecondary(state, i, fromSecondary, fromPrimary);
  putInstance(state, i, toPrimary, toSecondary);
  scorer.refresh(touched);
  const found = look();
  state.journal.rollback(mark);
  scorer.refresh(touched);
  return found;
}
