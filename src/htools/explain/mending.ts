/** What mending the broken rules of a group comes to, as facts. */
import { InternalError } from '../../kit/faults.ts';
import { ALLOWED } from '../cluster/refusal.ts';
import { applyMove } from '../model/moves/apply.ts';
import type { Scorer } from '../model/score/scorer.ts';
import type { ClusterState } from '../model/state/state.ts';
import type { PlanStep } from '../plan/plan.ts';
import { nodesOfStep, stepOf } from '../plan/step.ts';
import type { DeepOptions } from '../planners/anneal/budget.ts';
import type { BalanceOptions } from '../planners/balance/options.ts';
import { BrokenRules } from '../planners/mend/broken-rules.ts';
import { mend } from '../planners/mend/mend.ts';
import type { MendingFacts } from '../results/parts/explanation.ts';

/** Takes the moves that mend a group. @param onStep is told of each step @param deep a deep search */
export function mendingFacts(
  state: ClusterState,
  scorer: Scorer,
  options: BalanceOptions,
  onStep: (step: PlanStep) => void,
  deep?: DeepOptions,
): MendingFacts {
  const book = new BrokenRules(state, scorer.nodes, options, []);
  const before = book.list();
  const found = mend(state, scorer.nodes, options, { deep });
  for (const move of found.moves) {
    const step = stepOf(state, move);
    if (applyMove(state, move.instance, move.kind, move.target, options.ignoreSoftErrors) !== ALLOWED)
      throw new InternalError(`step ${JSON.stringify(move)} is refused when it is taken`);
    scorer.refresh(nodesOfStep(step));
    onStep({ ...step, score: scorer.score });
  }
  return {
    before,
    after: book.list(),
    brokenBefore: found.before,
    brokenAfter: found.after,
    isFewest: found.isFewest,
    isCheapest: found.isCheapest,
  };
}
