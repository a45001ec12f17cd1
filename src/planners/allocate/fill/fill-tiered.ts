/**
 * Large instances first, smaller ones as the cluster gets fuller: the resource that is short shrinks by a step, and when
 * that alone leads nowhere, one resource shrinks as far as it takes.
 *
 * The stock program searches this recursively; here the levels that wait for a smaller size stand on a list. As soon as
 * any level places an instance, those that wait for it are done. Source: stock tieredAlloc and sufficesShrinking.
 */

import type { FailCode } from '../../../cluster/refusal.ts';
import type { Instance } from '../../../cluster/snapshot.ts';
import { refusalsInOrder } from '../choose/refusal-table.ts';
import { iterate } from './fill-standard.ts';
import type { Filler } from './filler.ts';
import { shrinkCount, shrunk } from './shrink.ts';

/** One size on the way down, with what the search for it ended in. */
interface Level {
  readonly instance: Instance;
  readonly refusals: readonly number[];
  /** Instances that may still come; undefined = any number. */
  readonly limit: number | undefined;
  /** The limit is reached: nothing smaller is tried. */
  readonly isStopped: boolean;
}

/** Reasons by how often they occurred, the rarest first, equally frequent ones in stock's order. */
const rarestFirst = (refusals: readonly number[]): FailCode[] =>
  refusalsInOrder(refusals)
    .sort((a, b) => a.count - b.count)
    .map(({ code }) => code);

/**
 * How far one resource must shrink for an instance to fit; undefined where it cannot, or where another reason takes over
 * on the way.
 */
function shrinkUntilFits(
  filler: Filler,
  instance: Instance,
  code: FailCode,
  checksCapacity: boolean,
): Instance | undefined {
  // The last step is never tried, as in stock.
  const last = shrinkCount(instance, code) - 1;
  if (last < 0 || (checksCapacity && filler.isHopeless)) return undefined;
  const at = (steps: number): Instance => shrunk(instance, code, steps);
  const hasRoom = (steps: number): boolean => filler.examine(at(steps), (table) => table.hasRoom());
  if (!hasRoom(last)) return undefined;
  // What has room keeps it when it shrinks further, so nothing fits before the first size that has room.
  let first = 0;
  for (let high = last; first < high; ) {
    const middle = (first + high) >> 1;
    if (hasRoom(middle)) high = middle;
    else first = middle + 1;
  }
  for (let steps = 0; steps <= last; steps++) {
    const smaller = at(steps);
    if (steps >= first && filler.fits(smaller, checksCapacity)) return smaller;
    if (!filler.examine(smaller, (table) => table.refuses(code))) return undefined;
  }
  return undefined;
}

/** Fills with one size and says how that ended. */
function levelOf(
  filler: Filler,
  instance: Instance,
  limit: number | undefined,
  checksCapacity: boolean,
): Level {
  const { didCheckCapacity } = iterate(filler, instance, limit, checksCapacity);
  const { count } = filler;
  return {
    instance,
    refusals: filler.refusals(instance, didCheckCapacity),
    // Stock takes all instances so far off what is left, those of earlier sizes time and again.
    limit: limit === undefined ? undefined : limit - count,
    isStopped: limit !== undefined && limit <= count,
  };
}

/** The next smaller size to go on with from a level whose smaller sizes all came to nothing. */
function shrinkFurther(
  filler: Filler,
  { instance, refusals }: Level,
  checksCapacity: boolean,
): Instance | undefined {
  for (const code of rarestFirst(refusals).reverse()) {
    const smaller = shrinkUntilFits(filler, instance, code, checksCapacity);
    if (smaller) return smaller;
  }
  return undefined;
}

/**
 * Fills with instances that get smaller and smaller.
 * @param instance the first, largest one
 * @param limit how many at most; undefined: as many as fit
 * @returns why the last size stopped, refusals per FailCode
 */
export function fillTiered(
  filler: Filler,
  instance: Instance,
  limit: number | undefined,
  checksCapacity: boolean,
): readonly number[] {
  /** Levels that wait for whether a smaller size places anything, the smallest last. */
  const waiting: Level[] = [];
  let level = levelOf(filler, instance, limit, checksCapacity);
  for (;;) {
    const next = level.isStopped ? undefined : stepDown(level);
    if (next) {
      const { count } = filler;
      waiting.push(level);
      level = levelOf(filler, next, level.limit, checksCapacity);
      if (filler.count > count) waiting.length = 0;
      continue;
    }
    // Nothing is left to try below: the levels above try what one resource alone can do, the lowest first.
    let resumed: Level | undefined;
    for (let lowest: Level | undefined = level; lowest && !resumed; ) {
      const smaller = lowest.isStopped ? undefined : shrinkFurther(filler, lowest, checksCapacity);
      if (smaller) {
        const { count } = filler;
        resumed = levelOf(filler, smaller, lowest.limit, checksCapacity);
        if (filler.count > count) waiting.length = 0;
      } else {
        level = lowest;
        lowest = waiting.pop();
      }
    }
    if (!resumed) return level.refusals;
    level = resumed;
  }
}

/** The size one step smaller in what is refused most often; undefined when that cannot shrink. */
function stepDown({ instance, refusals }: Level): Instance | undefined {
  let code = 1;
  for (let other = 2; other < refusals.length; other++) if (refusals[other]! >= refusals[code]!) code = other;
  return shrinkCount(instance, code) > 0 ? shrunk(instance, code, 1) : undefined;
}
