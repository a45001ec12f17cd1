/** Exact scores of single candidates: apply, score as the stock programs do, take back. */
import { ALLOWED } from '../../../cluster/refusal.ts';
import { applyMove } from '../../../model/moves/apply.ts';
import type { Move } from '../../../model/moves/kinds.ts';
import type { Scorer } from '../../../model/score/scorer.ts';
import { Variants } from '../../../model/score/variants.ts';
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

/** From so many on it is quicker to score moves together. */
const MANY = 12;

/** The same for each of some moves. */
export function trialScores(scorer: Scorer, moves: readonly Move[], ignoreSoftErrors: boolean): number[] {
  if (moves.length < MANY) return moves.map((move) => trialScore(scorer, move, ignoreSoftErrors));
  const { state } = scorer;
  const variants = new Variants(scorer);
  const isAllowed = moves.map(({ instance, kind, target }) => {
    const touched = touchedNodes(state, instance, target);
    const mark = state.journal.mark();
    if (applyMove(state, instance, kind, target, ignoreSoftErrors) !== ALLOWED) return false;
    variants.add(touched);
    state.journal.rollback(mark);
    return true;
  });
  const scores = variants.scores().values();
  return isAllowed.map((is) => (is ? scores.next().value! : Number.NaN));
}
