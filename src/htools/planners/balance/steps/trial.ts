/** Exact scores of single candidates: apply, score as the stock programs do, take back. */
import { ALLOWED } from '../../../cluster/refusal.ts';
import { applyMove } from '../../../model/moves/apply.ts';
import type { Move } from '../../../model/moves/kinds.ts';
import type { Scorer } from '../../../model/score/scorer.ts';
import type { ClusterState } from '../../../model/state/state.ts';

/** Nodes whose figures a move of an instance changes. */
export function touchedNodes(state: ClusterState, i: number, target: number): number[] {
  return [...new Set([state.primary[i]!, state.secondary[i]!, target])].filter((n) => n >= 0);
}

/** Score after a move, or NaN where the rules refuse it. The state is as before afterwards. */
export function trialScore(
  scorer: Scorer,
  { instance, kind, target }: Move,
  ignoreSoftErrors: boolean,
): number {
  const { state } = scorer;
  return scorer.scoreAfter(
    touchedNodes(state, instance, target),
    () => applyMove(state, instance, kind, target, ignoreSoftErrors) === ALLOWED,
  );
}
