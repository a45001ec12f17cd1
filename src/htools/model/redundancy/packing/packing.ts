/**
 * The question behind N+1 with shared storage: do these items fit in these bins? Items are instances that
 * have to start again, bins the nodes that could take them. Plain numbers only; what they mean is
 * restart-demand.ts's matter.
 */
import { groupedBy } from '../../../../kit/grouped.ts';

/**
 * Items have one bin each; in no bin may the sum of the items' needs exceed its room, in any of the three
 * resources. Lists of items may be longer than itemCount (they are used again for the next question).
 */
export interface Packing {
  readonly binCount: number;
  itemCount: number;
  /** Room of each bin, never negative. `spindleRoom` is Infinity where spindles are no limit. */
  readonly memRoom: Float64Array;
  readonly diskRoom: Float64Array;
  readonly spindleRoom: Float64Array;
  /** Needs of each item. `spindles` is Infinity where unknown: it fits only where they are no limit. */
  readonly mem: number[];
  readonly disk: number[];
  readonly spindles: number[];
  /** Row of `reach` of each item. */
  readonly row: number[];
  /** 1 where the items of a row may go to a bin: `reach[row * binCount + bin]`. */
  readonly reach: Uint8Array;
  /** The bin that takes nothing (the failed node); -1 for none. */
  closed: number;
}

/** No bin. */
export const NOWHERE = -1;

/** Whether an item fits in a bin as it is now. */
export const fits = (p: Packing, item: number, bin: number): boolean =>
  p.reach[p.row[item]! * p.binCount + bin] === 1 &&
  p.mem[item]! <= p.memRoom[bin]! &&
  p.disk[item]! <= p.diskRoom[bin]! &&
  p.spindles[item]! <= p.spindleRoom[bin]! &&
  bin !== p.closed;

/** Takes an item's needs from a bin (+1), or gives them back (-1). */
export function occupy(p: Packing, item: number, bin: number, change: 1 | -1): void {
  p.memRoom[bin]! -= change * p.mem[item]!;
  p.diskRoom[bin]! -= change * p.disk[item]!;
  if (p.spindleRoom[bin] !== Number.POSITIVE_INFINITY) p.spindleRoom[bin]! -= change * p.spindles[item]!;
}

/** Items that cannot be told apart, so that the searches treat them as one. */
export type ItemType = readonly number[];

/** Items by type, each type in the order of its first item. */
export function typesOf(p: Packing): ItemType[] {
  const items = Array.from({ length: p.itemCount }, (_, i) => i);
  return [...groupedBy(items, (i) => `${p.row[i]} ${p.mem[i]} ${p.disk[i]} ${p.spindles[i]}`).values()];
}

/** How many of an item's kind a bin holds at most, with nothing else in it; `limit` where needs are zero. */
export function slotsFor(p: Packing, item: number, bin: number, limit: number): number {
  if (!fits(p, item, bin)) return 0;
  let slots = limit;
  if (p.mem[item]! > 0) slots = Math.min(slots, Math.floor(p.memRoom[bin]! / p.mem[item]!));
  if (p.disk[item]! > 0) slots = Math.min(slots, Math.floor(p.diskRoom[bin]! / p.disk[item]!));
  const spindleRoom = p.spindleRoom[bin]!;
  if (p.spindles[item]! > 0 && spindleRoom !== Number.POSITIVE_INFINITY) {
    slots = Math.min(slots, Math.floor(spindleRoom / p.spindles[item]!));
  }
  return slots;
}
