/**
 * Small clusters without any walk: the cheapest ways first (Dijkstra), over whatever placements steps lead
 * through, as far as so many placements go. Up to the price that this comes to no walk finds anything better.
 */
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  type MoveKind,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../model/moves/kinds.ts';
import type { SearchLayout } from '../kernel/layout.ts';
import { Prices } from '../walk/prices.ts';
import { Attempt, type OrderedStep } from './attempt.ts';
import { type Leg, legOf } from './routes.ts';

/** With more movable instances one step alone leads to too many placements. */
const MOST_INSTANCES = 16;
const MOST_PLACEMENTS = 3000;
/** Less is rounding. */
const SMALLEST_GAIN = 1e-9;

/** A placement on the way: what was done to get there. */
interface Stop {
  /** Primary and secondary of each movable instance, a character each. */
  readonly places: string;
  readonly from: Stop | undefined;
  readonly step: OrderedStep | undefined;
  readonly score: number;
  /** Of the way here. */
  readonly price: number;
}

export interface CheapestWays {
  /** To the lowest score that each price buys, the cheapest first. */
  readonly ways: readonly (readonly OrderedStep[])[];
  /** Up to this price, Infinity where all placements were seen. */
  readonly upTo: number;
}

/** No node is -1. */
const placesOf = (primary: number, secondary: number): string =>
  String.fromCharCode(primary + 1, secondary + 1);
const nodeAt = (places: string, at: number): number => places.charCodeAt(at) - 1;

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
      yield legOf(kind, target, p, s);
    }
  }
}

/** Puts all instances where a stop has them. */
function goTo({ kernel, layout }: Attempt, { places }: Stop): void {
  const { primary, secondary } = kernel.books;
  layout.movable.forEach((i, k) => {
    const P = nodeAt(places, 2 * k);
    const S = nodeAt(places, 2 * k + 1);
    if (primary[i] !== P || secondary[i] !== S) kernel.apply(i, P, S);
  });
}

/** The steps of a way, the first one first. */
function wayTo(end: Stop): readonly OrderedStep[] {
  const way: OrderedStep[] = [];
  for (let stop: Stop | undefined = end; stop?.step !== undefined; stop = stop.from) way.push(stop.step);
  return way.reverse();
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

/** Where single steps lead from a stop, but for what is known to be as cheap already. */
function* stopsAfter(
  attempt: Attempt,
  from: Stop,
  prices: Prices,
  known: ReadonlyMap<string, Stop>,
): Iterable<Stop> {
  const { layout } = attempt;
  for (const [k, i] of layout.movable.entries()) {
    const at = 2 * k;
    const before = from.places.slice(0, at);
    const after = from.places.slice(at + 2);
    for (const leg of legsFrom(layout, i, nodeAt(from.places, at), nodeAt(from.places, at + 1))) {
      const places = before + placesOf(leg.primary, leg.secondary) + after;
      const price = from.price + prices.ofStep(i, leg.kind);
      if ((known.get(places)?.price ?? Number.POSITIVE_INFINITY) <= price) continue;
      const score = attempt.scoreAfter(i, leg);
      if (score === Number.POSITIVE_INFINITY) continue;
      const step = { instance: i, kind: leg.kind, target: leg.target, isDetour: false };
      yield { places, from, step, score, price };
    }
  }
}

export function cheapestWays(layout: SearchLayout): CheapestWays {
  const { movable, primary, secondary } = layout;
  const ways: (readonly OrderedStep[])[] = [];
  if (movable.length > MOST_INSTANCES) return { ways, upTo: 0 };
  const attempt = new Attempt(layout, layout);
  const prices = new Prices(layout);
  const begin: Stop = {
    places: [...movable].map((i) => placesOf(primary[i]!, secondary[i]!)).join(''),
    from: undefined,
    step: undefined,
    score: attempt.kernel.score,
    price: 0,
  };
  const cheapest = new Map([[begin.places, begin]]);
  /** The cheapest last. */
  const open = [begin];
  let lowest = begin.score - SMALLEST_GAIN;
  let stop = open.pop();
  for (; stop !== undefined && cheapest.size < MOST_PLACEMENTS; stop = open.pop()) {
    if (cheapest.get(stop.places) !== stop) continue;
    if (stop.score < lowest) {
      ways.push(wayTo(stop));
      lowest = stop.score - SMALLEST_GAIN;
    }
    goTo(attempt, stop);
    for (const next of stopsAfter(attempt, stop, prices, cheapest)) {
      cheapest.set(next.places, next);
      insert(open, next);
    }
  }
  return { ways, upTo: stop?.price ?? Number.POSITIVE_INFINITY };
}
