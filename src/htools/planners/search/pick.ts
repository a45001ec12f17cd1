/** Choosing a point of the curve: by share of gain, lowest score, or what a second must still gain. */
import type { CurvePoint } from './curve.ts';

export interface PickRule {
  /** The cheapest point with this share of the best gain, 0 to 1; 1 is the lowest score. */
  readonly gainShare: number;
  /** Score that the last second of the price must gain at least; 0 for no such limit. */
  readonly minGainPerSecond: number;
  /** Score that a second must gain of half of what is gained, at the least: else nothing is done. */
  readonly worthPerSecond?: number;
}

/** The point with the lowest score. */
export const LOWEST: PickRule = { gainShare: 1, minGainPerSecond: 0 };

/**
 * Score that moving as much again as all there is must gain: beyond that a plan is at its knee. A figure of
 * its own and no share of the gain, so that a cluster that is at the knee already is left alone.
 */
const KNEE_GAIN = 10;
/**
 * Half of what a plan to the knee gains has to come at so many times that rate. Where one has ended another
 * search finds some more now and then, at the rate of the knee: nobody wants to begin again for it.
 */
const WORTH_BEGINNING = 4;

/** The knee of the curve. @param whole price of moving everything once */
export function kneeOf(whole: number): PickRule {
  const minGainPerSecond = whole > 0 ? KNEE_GAIN / whole : 0;
  return { gainShare: 1, minGainPerSecond, worthPerSecond: WORTH_BEGINNING * minGainPerSecond };
}

/** Slope from one point to another: score gained for each second. */
const slope = ({ total: from, score }: CurvePoint, { total: to, score: lower }: CurvePoint): number =>
  to.price > from.price ? (score - lower) / (to.price - from.price) : Number.POSITIVE_INFINITY;

/** The curve's lower hull, so that a small step of little gain before a large one does not end it. */
function hull(curve: readonly CurvePoint[]): readonly CurvePoint[] {
  const corners: CurvePoint[] = [];
  for (const point of curve) {
    while (corners.length > 1 && slope(corners.at(-2)!, corners.at(-1)!) <= slope(corners.at(-1)!, point))
      corners.pop();
    corners.push(point);
  }
  return corners;
}

/**
 * The point that the rule asks for, of those that may be picked; the lowest of these where none has the
 * share.
 * @param curve never empty; its first point is the start, which may be picked where nothing else may
 */
export function pick(
  curve: readonly CurvePoint[],
  rule: PickRule,
  mayPick: (point: CurvePoint) => boolean = () => true,
): CurvePoint {
  let open = curve;
  if (rule.minGainPerSecond > 0) {
    const corners = hull(curve);
    let last = 0;
    while (last + 1 < corners.length && slope(corners[last]!, corners[last + 1]!) >= rule.minGainPerSecond)
      last++;
    const start = corners[0]!;
    const knee = corners[last]!;
    const half = (start.score + knee.score) / 2;
    const isWorthIt = corners
      .slice(0, last + 1)
      .some((corner) => corner.score <= half && slope(start, corner) >= (rule.worthPerSecond ?? 0));
    open = isWorthIt ? curve.slice(0, curve.indexOf(knee) + 1) : [start];
  }
  return (
    open.find((point) => point.gainShare >= rule.gainShare && mayPick(point)) ??
    open.findLast(mayPick) ??
    open[0]!
  );
}
