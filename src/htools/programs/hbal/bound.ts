/** How far from the best a plan ends: what is proven, and lines of text. */
import { duration, wrapped } from '../../../kit/report/sentences.ts';
import { GroupParts } from '../../model/state/group-parts.ts';
import type { Plan } from '../../plan/plan.ts';
import type { BalanceOptions } from '../../planners/balance/options.ts';
import { lowerBound } from '../../planners/search/bound/lower-bound.ts';
import { type Bought, pricedBound } from '../../planners/search/bound/priced-bound.ts';
import { makeLayout } from '../../planners/search/kernel/layout.ts';
import type { PlanPrice } from '../shared/steps/plan-price.ts';

export interface Bound {
  /** No placement has a lower score. */
  readonly score: number;
  /** No placement within the plan's price has a lower score, none with its score a lower price. */
  readonly atPrice: Bought;
}

/** @param nodes positions of the group's nodes @returns undefined where none is proven */
export function boundOf(
  { start, initialScore, finalScore }: Plan,
  nodes: readonly number[],
  options: BalanceOptions,
  { priceSeconds }: PlanPrice,
): Bound | undefined {
  const [first] = nodes;
  if (first === undefined || Number.isNaN(initialScore)) return undefined;
  const part = new GroupParts(start).of(start.nodes[first]!.group);
  const layout = makeLayout(part.state, part.nodes, options);
  // The best placement is no worse than the best that is known.
  const score = lowerBound(layout, Math.min(initialScore, finalScore));
  if (score === undefined) return undefined;
  const atPrice = pricedBound(layout, { price: priceSeconds, score: finalScore }, initialScore - finalScore);
  return { score, atPrice: { ...atPrice, score: Math.max(score, atPrice.score) } };
}

/** A sentence, and one where there is a price. */
export function boundText(bound: Bound | undefined, reached: number, { priceSeconds }: PlanPrice): string {
  if (bound === undefined)
    return wrapped(
      '',
      'Lower bound: none (forthcoming instances, repeated tags or spindles of some nodes are not covered)',
    );
  const { score, atPrice } = bound;
  const sentences = [
    `Lower bound: no placement has a score below ${score.toFixed(8)}; the plan ends ${(reached - score).toFixed(8)} above it`,
    ...(priceSeconds === 0
      ? []
      : [
          `For at most its price (weighed as ${duration(priceSeconds)}) no score is below ${atPrice.score.toFixed(8)}${atPrice.price > 0 ? `, and for less than ${duration(atPrice.price)} none is as low as the plan's` : ''}`,
        ]),
  ];
  return sentences.map((sentence) => wrapped('', sentence)).join('');
}
