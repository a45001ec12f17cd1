/** The balancer's own greedy steps as a candidate beside the search's, so that its answer is never worse. */
import { placementAfter } from '../../model/moves/kinds.ts';
import { ClusterState } from '../../model/state/state.ts';
import type { PlanAmounts } from '../../plan/plan-amounts.ts';
import { RandomStream } from '../anneal/random.ts';
import { balanceSteps } from '../balance/steps/balance.ts';
import { StepSearch } from '../balance/steps/step-search.ts';
import { Kernel } from './kernel/kernel.ts';
import type { SearchLayout } from './kernel/layout.ts';
import type { GreedyEnd } from './lanes.ts';
import type { OrderedStep } from './order/attempt.ts';
import { orderSteps } from './order/order.ts';
import type { Task } from './plans.ts';
import { Prices } from './walk/prices.ts';

/** Greedy's steps as they come. @param isOver asked between two steps; what was found by then counts */
export function greedySteps(
  { snapshot, nodes, options }: Task,
  isOver: () => boolean = () => false,
): readonly OrderedStep[] {
  const state = new ClusterState(snapshot);
  const search = new StepSearch(state, nodes, options);
  const steps: OrderedStep[] = [];
  for (const { instance, kind, target } of balanceSteps(state, nodes, options, search)) {
    steps.push({ instance, kind, target, isDetour: false });
    if (isOver()) break;
  }
  return steps;
}

/** What of some things steps need, net, and where they end. */
export function netAmounts(layout: SearchLayout, steps: readonly OrderedStep[]): GreedyEnd {
  const primary = layout.primary.slice();
  const secondary = layout.secondary.slice();
  for (const { instance, kind, target } of steps) {
    const [P, S] = placementAfter(kind, primary[instance]!, secondary[instance]!, target);
    primary[instance] = P;
    secondary[instance] = S;
  }
  const prices = new Prices(layout);
  const sum = (what: keyof PlanAmounts): number => prices.used(what, { primary, secondary });
  const kernel = new Kernel(layout);
  kernel.load(primary, secondary);
  return { copiedGib: sum('copiedGib'), memoryGib: sum('memoryGib'), score: kernel.score };
}

/** The same placement with each instance going straight: no copy thrown away, useful steps first. */
export function compacted(
  layout: SearchLayout,
  ends: Iterable<{ readonly instance: number; readonly toPrimary: number; readonly toSecondary: number }>,
): readonly OrderedStep[] {
  const primary = layout.primary.slice();
  const secondary = layout.secondary.slice();
  for (const { instance, toPrimary, toSecondary } of ends) {
    primary[instance] = toPrimary;
    secondary[instance] = toSecondary;
  }
  return orderSteps(layout, { primary, secondary }, new RandomStream(0, 0)).steps;
}
