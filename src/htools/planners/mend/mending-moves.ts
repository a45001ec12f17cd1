/** What mending may move, sticky instances too, and what that costs. */
import { NO_NODE } from '../../cluster/snapshot.ts';
import { type Move, placementAfter } from '../../model/moves/kinds.ts';
import {
  type ClusterState,
  IS_AUTO_BALANCED,
  IS_FORTHCOMING,
  IS_MOVABLE,
  MIRROR_INTERNAL,
  MIRROR_NONE,
} from '../../model/state/state.ts';
import { type PriceRates, priceOfKind, unitPrices } from '../../plan/price.ts';

/** Sticky instances moved, then the price of plans in whole milliseconds, so that sums are exact. */
export type MendingPrice = readonly [sticky: number, milliseconds: number];

export const NOTHING: MendingPrice = [0, 0];
export const plus = (a: MendingPrice, b: MendingPrice): MendingPrice => [a[0] + b[0], a[1] + b[1]];
export const comparePrices = (a: MendingPrice, b: MendingPrice): number => a[0] - b[0] || a[1] - b[1];

/** Whether mending may move the instance. */
export function mayMend(state: ClusterState, i: number): boolean {
  const wanted = IS_MOVABLE | IS_AUTO_BALANCED;
  if ((state.flags[i]! & wanted) !== wanted || (state.flags[i]! & IS_FORTHCOMING) !== 0) return false;
  if (state.mirroring[i] === MIRROR_NONE) return false;
  return state.mirroring[i] !== MIRROR_INTERNAL || state.secondary[i] !== NO_NODE;
}

/** Price of a move, taken by what it changes: a primary that stays is not migrated. */
export function priceOfMove(
  state: ClusterState,
  { instance: i, kind, target }: Move,
  rates: PriceRates,
): MendingPrice {
  const units = unitPrices(state.instanceRecord(i), rates);
  const [toPrimary] = placementAfter(kind, state.primary[i]!, state.secondary[i]!, target);
  const seconds = priceOfKind(kind, toPrimary === state.primary[i] ? { ...units, change: 0 } : units);
  return [state.placement.isSticky(i) ? 1 : 0, Math.round(1000 * seconds)];
}
