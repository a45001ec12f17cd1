/**
 * Balancing: greedy single moves until nothing helps or a stop rule holds.
 * Source: hbal(1) "ALGORITHM"; stock iterateDepth, doNextBalance and tryBalance.
 */

import { type MoveKind, placementAfter } from '../../../model/moves/kinds.ts';
import { optimalScore } from '../../../model/score/scorer.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import type { BalanceOptions } from '../options.ts';
import { StepSearch } from './step-search.ts';

/** One step as it was taken. Structurally a PlanStep. */
export interface BalanceStep {
  readonly instance: number;
  readonly kind: MoveKind;
  readonly target: number;
  readonly fromPrimary: number;
  readonly fromSecondary: number;
  readonly toPrimary: number;
  readonly toSecondary: number;
  readonly score: number;
}

/** Whether another step is to be looked for. */
function mayGoOn(steps: number, score: number, stopScore: number, options: BalanceOptions): boolean {
  return (options.maxSteps < 0 || steps < options.maxSteps) && score > stopScore;
}

/** Whether a step's gain is worth it. */
function isWorthIt(before: number, after: number, options: BalanceOptions): boolean {
  return after < before && (before > options.minGainLimit || before - after >= options.minGain);
}

/**
 * Takes balancing steps on the state, handing out each as soon as it is taken.
 *
 * @param nodes positions of the nodes to balance: one group
 * @param search where the caller has one already
 */
export function* balanceSteps(
  state: ClusterState,
  nodes: readonly number[],
  options: BalanceOptions,
  search: StepSearch = new StepSearch(state, nodes, options),
): Generator<BalanceStep, void, void> {
  const stopScore = optimalScore(state, nodes) + options.minScore;
  let { score } = search.scorer;
  for (let steps = 0; mayGoOn(steps, score, stopScore, options); steps++) {
    const found = search.next();
    if (!found || !isWorthIt(score, found.score, options)) return;
    const { instance, kind, target } = found;
    const fromPrimary = state.primary[instance]!;
    const fromSecondary = state.secondary[instance]!;
    const [toPrimary, toSecondary] = placementAfter(kind, fromPrimary, fromSecondary, target);
    search.apply(found);
    score = found.score;
    yield { instance, kind, target, fromPrimary, fromSecondary, toPrimary, toSecondary, score };
  }
}
