/**
 * Balancing: greedy single moves until nothing helps or a stop rule holds.
 * Source: hbal(1) "ALGORITHM"; stock iterateDepth, doNextBalance and tryBalance.
 */
import { optimalScore } from '../../../model/score/scorer.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import type { Plan, PlanStep } from '../../../plan/plan.ts';
import { stepOf } from '../../../plan/step.ts';
import type { BalanceOptions } from '../options.ts';
import { StopRule } from '../stop-rule.ts';
import { StepSearch } from './step-search.ts';

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
): Generator<PlanStep, void, void> {
  const rule = new StopRule(optimalScore(state, nodes), options);
  let { score } = search.scorer;
  for (let steps = 0; rule.mayGoOn(steps, score); steps++) {
    const found = search.best();
    if (!found || !rule.isWorthIt(score, found.score)) return;
    const step = stepOf(state, found, found.score);
    search.apply(found);
    ({ score } = found);
    yield step;
  }
}

/** Nodes that were balanced, and how. */
export type Balanced = Pick<Plan, 'nodes' | 'initialScore' | 'finalScore' | 'steps'>;

export function balanceAll(state: ClusterState, nodes: readonly number[], options: BalanceOptions): Balanced {
  const search = new StepSearch(state, nodes, options);
  const initialScore = search.scorer.score;
  const steps = [...balanceSteps(state, nodes, options, search)];
  return { nodes, initialScore, finalScore: steps.at(-1)?.score ?? initialScore, steps };
}
