/**
 * What score each price buys: the best of all plans' beginnings. A plan may be stopped after any step, so
 * every beginning of every plan is a point; those that nothing cheaper or equal beats are the curve.
 */
import { NOTHING, type PlanTotal, type TakenStep } from './order/realise.ts';

export interface CurvePoint {
  /** What the steps cost. */
  readonly total: PlanTotal;
  readonly score: number;
  readonly steps: number;
  /** Share of the best gain that the search found, 0 to 1. */
  readonly gainShare: number;
  /** Whose beginning it is: place in the list of plans. */
  readonly plan: number;
}

type Point = Omit<CurvePoint, 'gainShare'>;

/** Score gains below this are rounding. */
const SMALLEST_GAIN = 1e-9;

/**
 * The curve from the start (nothing paid, nothing gained) to the lowest score, cheapest point first.
 * @param lowest the score that shares of the gain are measured by: the lowest of these plans unless they are
 *   only what limits leave of others
 */
export function curveOf(
  initialScore: number,
  plans: readonly (readonly TakenStep[])[],
  lowest?: number,
): readonly CurvePoint[] {
  const points: Point[] = plans.flatMap((steps, plan) =>
    steps.map(({ total, score }, k) => ({ total, score, steps: k + 1, plan })),
  );
  points.sort(
    (a, b) => a.total.price - b.total.price || a.score - b.score || a.steps - b.steps || a.plan - b.plan,
  );
  const curve: Point[] = [{ total: NOTHING, score: initialScore, steps: 0, plan: -1 }];
  for (const point of points) {
    if (point.score < curve.at(-1)!.score - SMALLEST_GAIN) {
      if (point.total.price === curve.at(-1)!.total.price && curve.length > 1) curve.pop();
      curve.push(point);
    }
  }
  const gain = initialScore - (lowest ?? curve.at(-1)!.score);
  return curve.map((point) => ({ ...point, gainShare: gain > 0 ? (initialScore - point.score) / gain : 0 }));
}
