/**
 * All candidates of a step by trial, in the stock programs' visiting order: what every quicker search is held
 * against.
 */
import { ALLOWED, type FailCode } from '../../src/htools/cluster/refusal.ts';
import { applyMove } from '../../src/htools/model/moves/apply.ts';
import { FAILOVER, type Move } from '../../src/htools/model/moves/kinds.ts';
import { Scorer } from '../../src/htools/model/score/scorer.ts';
import type { ClusterState } from '../../src/htools/model/state/state.ts';
import type { BalanceOptions } from '../../src/htools/planners/balance/options.ts';
import {
  isCandidate,
  kindsWithTarget,
  mayFailOver,
} from '../../src/htools/planners/balance/possible-moves.ts';
import { touchedNodes } from '../../src/htools/planners/balance/steps/trial.ts';

export interface TriedMove extends Move {
  readonly refusal: FailCode;
  /** Exact score; meaningless for a refused move. */
  readonly score: number;
}

/** Tries every candidate of one instance, failover first, then target by target. */
export function tryAllOf(
  state: ClusterState,
  scorer: Scorer,
  instance: number,
  options: BalanceOptions,
): TriedMove[] {
  const tried: TriedMove[] = [];
  const attempt = (move: Move): void => {
    const { kind, target } = move;
    const touched = touchedNodes(state, instance, target);
    const mark = state.journal.mark();
    const refusal = applyMove(state, instance, kind, target, options.ignoreSoftErrors);
    scorer.refresh(touched);
    tried.push({ ...move, refusal, score: scorer.score });
    state.journal.rollback(mark);
    scorer.refresh(touched);
  };
  if (mayFailOver(state, instance, options)) attempt({ instance, kind: FAILOVER, target: -1 });
  for (const target of scorer.nodes) {
    if (state.isOffline[target]) continue;
    if (target === state.primary[instance] || target === state.secondary[instance]) continue;
    for (const kind of kindsWithTarget(state, instance, options)) attempt({ instance, kind, target });
  }
  return tried;
}

/** The best step by the book; the first of those that tie. undefined when none lowers the score. */
export function bestByTrials(
  state: ClusterState,
  nodes: readonly number[],
  options: BalanceOptions,
): TriedMove | undefined {
  const scorer = new Scorer(state, nodes);
  let lowest = scorer.score;
  let best: TriedMove | undefined;
  for (let i = 0; i < state.instanceCount; i++) {
    if (!nodes.includes(state.primary[i]!) || !isCandidate(state, i, options)) continue;
    for (const move of tryAllOf(state, scorer, i, options)) {
      if (move.refusal !== ALLOWED || !(move.score < lowest)) continue;
      lowest = move.score;
      best = move;
    }
  }
  return best;
}
