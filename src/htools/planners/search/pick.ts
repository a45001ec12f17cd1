/** Choosing a point of the curve: by a share of the gain, the lowest score, or what a GiB must still gain. */
import type { CurvePoint } from './curve.ts';

export interface PickRule {
  /** The cheapest point with this share of the best gain, 0 to 1; 1 is the lowest score. */
  readonly gainShare: number;
  /** Score that the last GiB must gain at least; 0 for no such limit. */
  readonly minGainPerGib: number;
}

/** Whether a point may be chosen. */
export type MayPick = (point: CurvePoint) => boolean;

/** Slope from one point to another: score gained for each GiB. */
const slope = (from: CurvePoint, to: CurvePoint): number =>
  to.gib > from.gib ? (from.score - to.score) / (to.gib - from.gib) : Number.POSITIVE_INFINITY;

/**
 * The curve's lower hull, so that a small step of little gain before a large one of much does not end the
 * choice.
 */
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
 * The point that the rule asks for, of those that may be picked. The share is that of the best gain among
 * them.
 * @param curve never empty; its first point is the start, which may be picked where nothing else may
 */
export function pick(curve: readonly CurvePoint[], rule: PickRule, mayPick: MayPick): CurvePoint {
  let open = curve;
  if (rule.minGainPerGib > 0) {
    const corners = hull(curve);
    let last = 0;
    while (last + 1 < corners.length && slope(corners[last]!, corners[last + 1]!) >= rule.minGainPerGib)
      last++;
    open = curve.slice(0, curve.indexOf(corners[last]!) + 1);
  }
  let end = open.length - 1;
  while (end > 0 && !mayPick(open[end]!)) end--;
  const start = open[0]!;
  const wanted = rule.gainShare * (start.score - open[end]!.score);
  for (let k = 0; k < end; k++) {
    if (start.score - open[k]!.score >= wanted && mayPick(open[k]!)) return open[k]!;
  }
  return open[end]!;
}
