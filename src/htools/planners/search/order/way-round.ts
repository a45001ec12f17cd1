/**
 * Small clusters, looked at whole: the cheapest way from where an attempt is stuck to where all are to be,
 * over whatever placements the steps lead through, and the lowest score that each price buys. The cheapest
 * ways first (Dijkstra); it gives up beyond a number of placements.
 */
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  type MoveKind,
  placementAfter,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../model/moves/kinds.ts';
import type { SearchLayout } from '../kernel/layout.ts';
import { Prices } from '../walk/prices.ts';
import { Attempt, type OrderedStep } from './attempt.ts';
import type { Leg } from './routes.ts';

/** Clusters with more movable instances have too many placements. */
const MOST_INSTANCES = 16;
const MOST_PLACEMENTS = 3000;
/** Less is rounding. */
const SMALLEST_GAIN = 1e-9;

/** A placement on the way: what was done to get there. */
interface Stop {
  /** Primary and secondary of each movable instance. */
  readonly places: readonly number[];
  readonly from: Stop | undefined;
  readonly instance: number;
  readonly leg: Leg | undefined;
  readonly score: number;
  /** Of the way here. */
  readonly price: number;
}

/** Kinds of move that the run allows for an instance. */
function kindsOf(layout: SearchLayout, i: number): readonly MoveKind[] {
  if (layout.isMirrored[i] === 0) return layout.instanceMoves ? [FAILOVER_TO_ANY] : [];
  if (!layout.diskMoves) return layout.instanceMoves ? [FAILOVER] : [];
  if (!layout.instanceMoves) return [REPLACE_SECONDARY];
  if (layout.restrictedMigration) return [FAILOVER, REPLACE_SECONDARY];
  return [FAILOVER, REPLACE_SECONDARY, REPLACE_AND_FAILOVER, REPLACE_PRIMARY, FAILOVER_AND_REPLACE];
}

function* legsFrom(layout: SearchLayout, i: number, p: number, s: number): Iterable<Leg> {
  for (const kind of kindsOf(layout, i)) {
    for (const target of kind === FAILOVER ? [-1] : layout.targets) {
      if (target >= 0 && (target === p || target === s)) continue;
      const [primary, secondary] = placementAfter(kind, p, s, target);
      yield { kind, target, primary, secondary };
    }
  }
}

/** Puts all instances where a stop has them. */
function goTo(attempt: Attempt, { places }: Stop): void {
  const { kernel, layout } = attempt;
  const { primary, secondary } = kernel.books;
  layout.movable.forEach((i, k) => {
    const P = places[2 * k]!;
    const S = places[2 * k + 1]!;
    if (primary[i] !== P || secondary[i] !== S) kernel.apply(i, P, S);
  });
}

/** The stops of a way, first step first. */
function wayTo(end: Stop): readonly Stop[] {
  const way: Stop[] = [];
  for (let stop: Stop | undefined = end; stop?.leg !== undefined; stop = stop.from) way.unshift(stop);
  return way;
}

function insert(open: Stop[], stop: Stop): void {
  let low = 0;
  for (let high = open.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (open[middle]!.price > stop.price) low = middle + 1;
    else high = middle;
  }
  open.splice(low, 0, stop);
}

/**
 * Follows all steps, the cheapest way first, and tells of each placement once its cheapest way is known,
 * until `isEnd` says so or there are too many; whether all were seen. The attempt is left where it was.
 */
function explore(attempt: Attempt, isEnd: (stop: Stop) => boolean): boolean {
  const { layout, kernel } = attempt;
  const { movable } = layout;
  const { primary, secondary } = kernel.books;
  const prices = new Prices(layout);
  const begin: Stop = {
    places: [...movable].flatMap((i) => [primary[i]!, secondary[i]!]),
    from: undefined,
    instance: -1,
    leg: undefined,
    score: kernel.score,
    price: 0,
  };
  const cheapest = new Map([[begin.places.join(), begin]]);
  /** The cheapest last. */
  const open = [begin];
  let isOver = false;
  for (let stop = open.pop(); stop !== undefined && !isOver; stop = open.pop()) {
    if (cheapest.get(stop.places.join()) !== stop) continue;
    if (isEnd(stop)) {
      isOver = true;
      break;
    }
    goTo(attempt, stop);
    for (const [k, i] of movable.entries()) {
      for (const leg of legsFrom(layout, i, stop.places[2 * k]!, stop.places[2 * k + 1]!)) {
        const places = stop.places.with(2 * k, leg.primary).with(2 * k + 1, leg.secondary);
        const code = places.join();
        const price = stop.price + prices.ofStep(i, leg.kind);
        if ((cheapest.get(code)?.price ?? Number.POSITIVE_INFINITY) <= price) continue;
        const score = attempt.scoreAfter(i, leg);
        if (score === Number.POSITIVE_INFINITY) continue;
        const next = { places, from: stop, instance: i, leg, score, price };
        cheapest.set(code, next);
        insert(open, next);
      }
    }
    isOver = cheapest.size >= MOST_PLACEMENTS;
  }
  goTo(attempt, begin);
  return !isOver;
}

/** Goes the cheapest way to the goal, if one is found. */
export function goRound(attempt: Attempt): void {
  const { layout, goal } = attempt;
  if (layout.movable.length > MOST_INSTANCES) return;
  const wanted = [...layout.movable].flatMap((i) => [goal.primary[i]!, goal.secondary[i]!]).join();
  let end: Stop | undefined;
  explore(attempt, (stop) => {
    if (stop.places.join() === wanted) end = stop;
    return end !== undefined;
  });
  if (end === undefined) return;
  for (const { instance, leg } of wayTo(end)) {
    const isDetour = leg!.primary !== goal.primary[instance] || leg!.secondary !== goal.secondary[instance];
    attempt.take(instance, leg!, isDetour);
  }
}

/** By price the way to the lowest score that it buys, where placements are few enough; else undefined. */
export function bestWays(layout: SearchLayout): readonly (readonly OrderedStep[])[] | undefined {
  if (layout.movable.length > MOST_INSTANCES) return undefined;
  const attempt = new Attempt(layout, { primary: layout.primary, secondary: layout.secondary });
  const best: Stop[] = [];
  let lowest = attempt.kernel.score - SMALLEST_GAIN;
  const isWhole = explore(attempt, (stop) => {
    if (stop.score < lowest) {
      best.push(stop);
      lowest = stop.score - SMALLEST_GAIN;
    }
    return false;
  });
  if (!isWhole || best.length === 0) return undefined;
  return best.map((end) =>
    wayTo(end).map(({ instance, leg }) => ({
      instance,
      kind: leg!.kind,
      target: leg!.target,
      isDetour: false,
    })),
  );
}
