/** Exact scores of single candidates: apply, score as the stock programs do, take back. */
import { ALLOWED } from '../../../cluster/refusal.ts';
import { applyMove } from '../../../model/moves/apply.ts';
import type { Move } from '../../../model/moves/kinds.ts';
import type { Scorer } from '../../../model/score/scorer.ts';
import { type Change, scoresAfter } from '../../../model/score/variants.ts';
import type { ClusterState } from '../../../model/state/state.ts';

/** Nodes whose figures a move of an instance changes. */
export function touchedNodes(state: ClusterState, i: number, target: number): number[] {
  return [...new Set([state.primary[i]!, state.secondary[i]!, target])].filter((n) => n >= 0);
}

const changeBy = (
  state: ClusterState,
  { instance, kind, target }: Move,
  ignoreSoftErrors: boolean,
): Change => ({
  touched: touchedNodes(state, instance, target),
  make: () => applyMove(state, instance, kind, target, ignoreSoftErrors) === ALLOWED,
});

/** Score after a move, or NaN where the rules refuse it. The state is as before afterwards. */
export function trialScore(scorer: Scorer, move: Move, ignoreSoftErrors: boolean): number {
  const { touched, make } = changeBy(scorer.state, move, ignoreSoftErrors);
  return scorer.scoreAfter(touched, make);
}

/** The same for each of some moves. */
export const trialScores = (scorer: Scorer, moves: readonly Move[], ignoreSoftErrors: boolean): number[] =>
  scoresAfter(scorer, moves, (move) => changeBy(scorer.state, move, ignoreSoftErrors));
