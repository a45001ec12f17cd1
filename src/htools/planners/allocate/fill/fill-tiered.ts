/**
 * Large instances first, smaller ones as the cluster gets fuller: the resource that is short shrinks by a
 * step, and when that alone leads nowhere, one resource shrinks as far as it takes.
 *
 * The stock program searches this recursively; here the levels that wait for a smaller size stand on a list.
 * As soon as any level places an instance, those that wait for it are done. Source: stock tieredAlloc and
 * sufficesShrinking.
 */
import type { FailCode } from '../../../cluster/refusal.ts';
import type { Instance } from '../../../cluster/snapshot.ts';
import { refusalsInOrder } from '../choose/refusal-table.ts';
import { iterate } from './fill-standard.ts';
import type { Filler } from './filler.ts';
import { shrinkCount, shrunk, stepsDownTo, stepsWithinBounds } from './shrink.ts';
import { sizeKey } from './stale-nodes.ts';

/** One size on the way down, with what the search for it ended in. */
interface Level {
  readonly instance: Instance;
  readonly refusals: readonly number[];
  /** Instances that may still come; undefined = any number. */
  readonly limit: number | undefined;
  /** The limit is reached: nothing smaller is tried. */
  readonly isStopped: boolean;
  /** The rules of the nodes alone refused the size. */
  readonly isRefusedByRules: boolean;
}

/** Reasons by how often they occurred, the rarest first, equally frequent ones in stock's order. */
const rarestFirst = (refusals: readonly number[]): FailCode[] =>
  refusalsInOrder(refusals)
    .sort((a, b) => a.count - b.count)
    .map(({ code }) => code);

/** How far one resource must shrink to fit; undefined where it cannot, or another reason takes over. */
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
  const isRefused = (smaller: Instance): boolean => filler.examine(smaller, (table) => table.gives(code));
  // Where what shrinks weighs nothing, as disks that are on no node, all sizes between two bounds are alike.
  const areAlike = sizeKey(instance) === sizeKey(at(last));
  // Levels that wait differ by a step, so most of their ways down are the same.
  const way = `${code},${at(last).diskMib},${sizeKey(at(last))}`;
  const spent = filler.spent.get(way);
  const leadsNowhere = (to: number): undefined => {
    filler.spent.set(way, { from: last, to });
  };
  const stretches = betweenBounds(last, (steps) => stepsWithinBounds(at(steps), code, filler.policies));
  for (const [start, end] of stretches) {
    // What is refused for good at one size is so at the larger ones before it: these need no trying, and the
    // last of them speaks for all.
    const isPassedOver = (size: number): boolean => filler.isTooLarge(at(size), checksCapacity);
    const next = firstWhereNot(isPassedOver, start, end);
    if (next > start && !isRefused(at(next - 1))) return leadsNowhere(last - next + 1);
    for (let size = next; size <= (areAlike ? Math.min(next, end) : end); size++) {
      const ahead = last - size;
      if (spent && ahead <= spent.from && ahead >= spent.to) return leadsNowhere(spent.to);
      const smaller = at(size);
      if (filler.fits(smaller, checksCapacity)) return smaller;
      const isEnd = !isRefused(smaller);
      if (isEnd || size === end) filler.noteInVain(smaller);
      if (isEnd) return leadsNowhere(ahead);
    }
  }
  return leadsNowhere(0);
}

/** Steps parted by the bounds of the policies, between which candidates only cease to be refused. */
function* betweenBounds(to: number, stepsToBound: (steps: number) => number) {
  for (let start = 0; start <= to; ) {
    const end = Math.min(to, start + stepsToBound(start));
    yield [start, end] as const;
    start = end + 1;
  }
}

/** The first number for which something no longer holds; `last + 1` where it holds for all. */
function firstWhereNot(holds: (value: number) => boolean, first: number, last: number): number {
  if (holds(last)) return last + 1;
  let low = first;
  for (let high = last; low < high; ) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Fills with one size and says how that ended. */
function levelOf(
  filler: Filler,
  instance: Instance,
  limit: number | undefined,
  checksCapacity: boolean,
): Level {
  const countBefore = filler.count;
  const didCheckCapacity = iterate(filler, instance, limit, checksCapacity);
  const { count } = filler;
  return {
    instance,
    refusals: filler.refusals(instance, didCheckCapacity),
    isRefusedByRules: count === countBefore && !didCheckCapacity,
    // Stock takes all instances so far off what is left, those of earlier sizes time and again.
    limit: limit === undefined ? undefined : limit - count,
    isStopped: limit !== undefined && limit <= count,
  };
}

/** A smaller size, and how many may come of it. */
type NextSize = Pick<Level, 'instance' | 'limit'>;

/** The next one to go on with from a level whose smaller sizes all came to nothing. */
function shrinkFurther(
  filler: Filler,
  { instance, refusals, limit, isStopped }: Level,
  checksCapacity: boolean,
): NextSize | undefined {
  for (const code of isStopped ? [] : rarestFirst(refusals).reverse()) {
    const smaller = shrinkUntilFits(filler, instance, code, checksCapacity);
    if (smaller) return { instance: smaller, limit };
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
    let next = stepDown(filler, level);
    if (next) waiting.push(level);
    else next = shrinkFurther(filler, level, checksCapacity);
    // Nothing is left to try below: the levels above try what one resource alone can do, the lowest first.
    for (; !next; next = shrinkFurther(filler, level, checksCapacity)) {
      const above = waiting.pop();
      if (!above) return level.refusals;
      level = above;
    }
    const { count } = filler;
    level = levelOf(filler, next.instance, next.limit, checksCapacity);
    if (filler.count > count) waiting.length = 0;
  }
}

/**
 * The size one step smaller in what is refused most often; undefined when that cannot shrink. It is as many
 * steps smaller as change nothing: no size in between would place anything.
 */
function stepDown(
  filler: Filler,
  { instance, refusals, limit, isStopped, isRefusedByRules }: Level,
): NextSize | undefined {
  if (isStopped) return undefined;
  let code = 1;
  for (let other = 2; other < refusals.length; other++) if (refusals[other]! >= refusals[code]!) code = other;
  if (shrinkCount(instance, code) === 0) return undefined;
  const { count } = filler;
  // Each size takes the instances so far off the limit; the first with nothing left is not passed over.
  const isCounted = limit !== undefined && count > 0;
  const mostSteps = isCounted ? Math.ceil(limit / count) - 1 : Number.POSITIVE_INFINITY;
  const steps = isRefusedByRules ? Math.max(1, Math.min(mostSteps, likeSteps(filler, instance, code))) : 1;
  return {
    instance: shrunk(instance, code, steps),
    limit: limit === undefined ? undefined : limit - (steps - 1) * count,
  };
}

/**
 * How many steps lead to a size that is refused as this one is.
 *
 * Between two bounds of the policies a candidate that is refused for the resource can only cease to be, and
 * one that is refused for another reason stays so.
 */
function likeSteps(filler: Filler, instance: Instance, code: FailCode): number {
  const most = stepsWithinBounds(instance, code, filler.policies);
  const lacksPool = (steps: number): boolean =>
    filler.examine(shrunk(instance, code, steps), (table) => !table.hasPoolSpace);
  if (lacksPool(0)) return firstWhereNot(lacksPool, 1, most) - 1;
  return Math.min(
    most,
    filler.examine(instance, (table) => stepsDownTo(instance, code, table.floor(code))),
  );
}
