/** The balancer's own greedy steps as a candidate beside the search's, so that its answer is never worse. */
import { ClusterState } from '../../model/state/state.ts';
import { RandomStream } from '../anneal/random.ts';
import { balanceSteps } from '../balance/steps/balance.ts';
import type { SearchLayout } from './kernel/layout.ts';
import type { GreedyEnd } from './lanes.ts';
import type { OrderedStep } from './order/attempt.ts';
import { orderSteps, ROUNDING } from './order/order.ts';
import { NOTHING, type PlanTotal } from './order/realise.ts';
import type { Offer, Task } from './plans.ts';

/** Greedy's steps as they come. @param isOver asked between two steps; what was found by then counts */
export function greedySteps(
  { snapshot, nodes, options }: Task,
  isOver: () => boolean = () => false,
): readonly OrderedStep[] {
  const state = new ClusterState(snapshot);
  const steps: OrderedStep[] = [];
  for (const { instance, kind, target } of balanceSteps(state, nodes, options)) {
    steps.push({ instance, kind, target, isDetour: false });
    if (isOver()) break;
  }
  return steps;
}

/** What greedy's plan takes: the compact one's figures, where that ends as low. */
export function greedyEnd([asFound, compact]: Offer['plans']): GreedyEnd & PlanTotal {
  const found = asFound!.at(-1);
  const straight = compact?.at(-1);
  if (!found) return { ...NOTHING, score: Number.POSITIVE_INFINITY };
  const isAsLow = straight !== undefined && straight.score <= found.score + ROUNDING;
  return { ...(isAsLow ? straight : found).total, score: found.score };
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
