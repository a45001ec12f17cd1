/** What an allocation has to respect, and who wants to hear of it. */
import type { CapacityCheck } from '../../model/redundancy/capacity-check.ts';
import type { Bookkeeping } from '../../model/redundancy/drbd/global-n-plus-one.ts';
import type { Placement, Refused } from './solution.ts';

export interface AllocOptions {
  /** Leave out the soft rules on primaries (`--ignore-soft-errors`). */
  readonly ignoreSoftErrors: boolean;
  /** Only placements that keep the cluster globally redundant; undefined = `--no-capacity-checks`. */
  readonly globalCheck?: CapacityCheck | undefined;
  /** How stock files the instance in that check. */
  readonly books?: Bookkeeping | undefined;
  /** Told of every refused candidate (pairs with one refused primary come together, `secondary` -1). */
  readonly onRefusal?: ((refused: Refused) => void) | undefined;
  /** Told of every candidate that is fine, with its score. */
  readonly onScore?: ((placement: Placement, score: number) => void) | undefined;
}
