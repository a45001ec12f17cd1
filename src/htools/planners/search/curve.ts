/**
 * What score each price buys: the best of all plans' beginnings. A plan may be stopped after any step, so
 * every beginning of every plan is a point; those that nothing cheaper or equal beats are the curve.
 */
import type { TakenStep } from './order/realise.ts';

export interface CurvePoint {
  /** GiB that the steps copy. */
  readonly gib: number;
  readonly score: number;
  readonly steps: number;
  /** Share of the best gain found, 0 to 1. */
  readonly gainShare: number;
  /** Whose beginning it is: place in the list of plans. */
  readonly plan: number;
}

/** Score gains below this are rounding. */
const SMALLEST_GAIN = 1e-9;

/** The curve from the start (nothing copied, nothing gained) to the lowest score, cheapest point first. */
export function curveOf(
  initialScore: number,
  plans: readonly (readonly TakenStep[])[],
): readonly CurvePoint[] {
  const points: Omit<CurvePoint, 'gainShare'>[] = [];
  plans.forEach((steps, plan) => {
    steps.forEach(({ totalGib, score }, k) => {
      points.push({ gib: totalGib, score, steps: k + 1, plan });
    });
  });
  points.sort((a, b) => a.gib - b.gib || a.score - b.score || a.steps - b.steps || a.plan - b.plan);
  const curve: Omit<CurvePoint, 'gainShare'>[] = [{ gib: 0, score: initialScore, steps: 0, plan: -1 }];
  for (const point of points) {
    if (point.score < curve.at(-1)!.score - SMALLEST_GAIN) {
      if (point.gib === curve.at(-1)!.gib && curve.length > 1) curve.pop();
      curve.push(point);
    }
  }
  const gain = initialScore - curve.at(-1)!.score;
  return curve.map((point) => ({
    ...point,
    gainShare: gain > 0 ? (initialScore - point.score) / gain : 0,
  }));
}
