/**
 * What a unit of a space is worth on a disk. Earlier spaces on earlier disks are worth more, by steps that
 * shrink, so that an earlier space takes an earlier disk whole and is not mixed. Source: the allocator of
 * Bareon, "Ordering" and "Best with disks".
 */
import type { Space } from '../model/spaces.ts';

/** What is left unallocated is worth this on any disk. */
const UNALLOCATED_VALUE = 1;
/** A space on a disk that suits it is worth this more: more than nothing, which the order alone is not. */
const SUITABLE_VALUE = 2;

/** The n-th of 1, 2, 4, 6, 9, 12, ... from 1. Sums of its reciprocals taken crosswise always differ. */
export const crossSum = (n: number): number => Math.floor((n + 1) / 2) * Math.floor((n + 2) / 2);

/** Worth of each variable: by disk, its spaces in their order and the unallocated rest behind them. */
export function coefficients(diskCount: number, spaces: readonly Space[]): readonly number[] {
  const claimed = new Set(spaces.flatMap(({ bestDisks }) => bestDisks ?? []));
  const values: number[] = [];
  for (let disk = 0; disk < diskCount; disk++) {
    for (const { bestDisks = [] } of spaces) {
      const isSuitable = bestDisks.length > 0 ? bestDisks.includes(disk) : !claimed.has(disk);
      // The first variable takes the second of the series: 1 is for what is unallocated.
      values.push(1 / crossSum(values.length + 2) + (isSuitable ? SUITABLE_VALUE : 0));
    }
    values.push(UNALLOCATED_VALUE);
  }
  return values;
}
