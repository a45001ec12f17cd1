/** The cluster as it would be once its groups are balanced: where `--after-balancing` counts from. */
import { Progress } from '../../../kit/report/progress.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { applyMove } from '../../model/moves/apply.ts';
import { GroupParts } from '../../model/state/group-parts.ts';
import { movedSnapshot } from '../../model/state/moved-snapshot.ts';
import { groupScope } from '../../model/state/scope.ts';
import { ClusterState } from '../../model/state/state.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { planCost } from '../../plan/cost.ts';
import { NO_CAPS } from '../../plan/plan.ts';
import { onCluster } from '../../plan/step.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../planners/balance/options.ts';
import { kneeOf, LOWEST, pick } from '../../planners/search/pick.ts';
import { stepsTo } from '../../planners/search/plans.ts';
import { Prices } from '../../planners/search/walk/prices.ts';
import type { ProgramDocument } from '../../results/all.ts';
import { planLimitsOf } from '../shared/balance/balance-options.ts';
import { offerGreedy, searchDeep } from '../shared/balance/deep-search.ts';
import { effortOf, seedOf } from '../shared/balance/search-limits.ts';
import { assertPlan } from '../shared/steps/assert-plan.ts';

export type Rebalancing = NonNullable<ProgramDocument<'hspace'>['afterBalancing']>;

/** Balances each group, as a plain hbal. @throws InternalError when the checker refuses a plan */
export async function rebalanced(snapshot: Snapshot, options: ProgramOptions<'hspace'>) {
  const state = new ClusterState(snapshot);
  const parts = new GroupParts(snapshot);
  const progress = new Progress();
  const groups: Rebalancing[number][] = [];
  for (const [at, { name }] of snapshot.groups.entries()) {
    const { nodes } = groupScope(snapshot, at);
    if (nodes.length === 0) continue;
    const part = parts.of(at);
    const isDeep = options.search === 'deep';
    const result = isDeep
      ? await searchDeep(part.state.snapshot, part.nodes, DEFAULT_BALANCE_OPTIONS, {
          seed: seedOf(options),
          candidates: effortOf(options),
          timeLimitS: options.searchTime,
          threads: options.jobs,
          caps: NO_CAPS,
          onProgress: (done, all) => progress.at(() => `balancing ${name}: ${done} of ${all} parts done`),
        })
      : offerGreedy(part.state.snapshot, part.nodes, DEFAULT_BALANCE_OPTIONS, false);
    const rule = isDeep ? kneeOf(new Prices(result.problem.layout).whole) : LOWEST;
    const found = stepsTo(result.task, result.offer, pick(result.offer.curve, rule));
    const steps = found.map((step) => onCluster(step, part.inCluster));
    const { initialScore } = result.problem;
    const finalScore = steps.at(-1)?.score ?? initialScore;
    assertPlan({
      start: snapshot,
      nodes,
      limits: planLimitsOf(DEFAULT_BALANCE_OPTIONS),
      initialScore,
      finalScore,
      steps,
    });
    for (const { instance, kind, target } of steps) applyMove(state, instance, kind, target, false);
    state.journal.commit();
    const { copiedMib: diskMib } = planCost({ start: snapshot, steps });
    groups.push({ group: name, initialScore, finalScore, steps: steps.length, copiedMib: diskMib });
  }
  progress.done();
  return { snapshot: movedSnapshot(state), groups };
}
