/**
 * Small clusters, looked at whole: the shortest way from where an attempt is stuck to where all are to be,
 * over whatever placements the steps lead through, and the lowest score that any way leads to. Breadth first,
 * so that nothing moves more often than it must; it gives up beyond a number of placements.
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
import { Attempt, type OrderedStep } from './attempt.ts';
import type { Leg } from './routes.ts';

/** Clusters with more movable instances have too many placements. */
const MOST_INSTANCES = 16;
const MOST_PLACEMENTS = 3000;

/** A placement on the way: what was done to get there. */
interface Stop {
  /** Primary and secondary of each movable instance. */
  readonly places: readonly number[];
  readonly from: Stop | undefined;
  readonly instance: number;
  readonly leg: Leg | undefined;
}

/** Kinds of move that the run allows for an instance. */
function kindsOf(layout: SearchLayout, i: number, isFree: boolean): readonly MoveKind[] {
  if (layout.isMirrored[i] === 0) return layout.instanceMoves ? [FAILOVER_TO_ANY] : [];
  const free: readonly MoveKind[] = layout.instanceMoves ? [FAILOVER] : [];
  if (isFree || !layout.diskMoves) return free;
  if (!layout.instanceMoves) return [REPLACE_SECONDARY];
  if (layout.restrictedMigration) return [FAILOVER, REPLACE_SECONDARY];
  return [FAILOVER, REPLACE_SECONDARY, REPLACE_AND_FAILOVER, REPLACE_PRIMARY, FAILOVER_AND_REPLACE];
}

function* legsFrom(layout: SearchLayout, i: number, p: number, s: number, isFree: boolean): Iterable<Leg> {
  for (const kind of kindsOf(layout, i, isFree)) {
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

/** What a search over placements looks for. */
interface Quest {
  /** Whether a placement ends it. */
  readonly isEnd: (code: string) => boolean;
  /** Told of every placement found, with its score. */
  readonly onFound: (stop: Stop, score: number) => void;
}

/**
 * Follows all steps, breadth first; whether all placements were seen before the end or the limit. The attempt
 * is left where it was.
 */
function explore(attempt: Attempt, isFree: boolean, quest: Quest): boolean {
  const { layout, kernel } = attempt;
  const { movable } = layout;
  const { primary, secondary } = kernel.books;
  const begin: Stop = {
    places: [...movable].flatMap((i) => [primary[i]!, secondary[i]!]),
    from: undefined,
    instance: -1,
    leg: undefined,
  };
  const seen = new Set([begin.places.join()]);
  const stops = [begin];
  let isOver = false;
  for (let at = 0; at < stops.length && !isOver; at++) {
    const stop = stops[at]!;
    goTo(attempt, stop);
    for (const [k, i] of movable.entries()) {
      for (const leg of legsFrom(layout, i, stop.places[2 * k]!, stop.places[2 * k + 1]!, isFree)) {
        const score = attempt.scoreAfter(i, leg);
        if (score === Number.POSITIVE_INFINITY) continue;
        const places = stop.places.with(2 * k, leg.primary).with(2 * k + 1, leg.secondary);
        const code = places.join();
        if (seen.has(code)) continue;
        isOver ||= seen.size >= MOST_PLACEMENTS || quest.isEnd(code);
        seen.add(code);
        const next = { places, from: stop, instance: i, leg };
        quest.onFound(next, score);
        stops.push(next);
      }
    }
  }
  goTo(attempt, begin);
  return !isOver;
}

/** Goes the shortest way to the goal, if one is found. @param isFree by steps that copy nothing */
export function goRound(attempt: Attempt, isFree: boolean): void {
  const { layout, goal } = attempt;
  if (layout.movable.length > MOST_INSTANCES) return;
  const wanted = [...layout.movable].flatMap((i) => [goal.primary[i]!, goal.secondary[i]!]).join();
  let end: Stop | undefined;
  explore(attempt, isFree, {
    isEnd: (code) => code === wanted,
    onFound: (stop) => {
      if (stop.places.join() === wanted) end ??= stop;
    },
  });
  if (end === undefined) return;
  for (const { instance, leg } of wayTo(end)) {
    const isDetour = leg!.primary !== goal.primary[instance] || leg!.secondary !== goal.secondary[instance];
    attempt.take(instance, leg!, isDetour);
  }
}

/**
 * The way to the lowest score of all placements, where there are few enough to look at each; else undefined.
 */
export function lowestWay(layout: SearchLayout, isFree: boolean): readonly OrderedStep[] | undefined {
  if (layout.movable.length > MOST_INSTANCES) return undefined;
  const attempt = new Attempt(layout, { primary: layout.primary, secondary: layout.secondary });
  let lowest = attempt.kernel.score;
  let end: Stop | undefined;
  const isWhole = explore(attempt, isFree, {
    isEnd: () => false,
    onFound: (stop, score) => {
      if (score >= lowest) return;
      lowest = score;
      end = stop;
    },
  });
  if (!isWhole || end === undefined) return undefined;
  return wayTo(end).map(({ instance, leg }) => ({
    instance,
    kind: leg!.kind,
    target: leg!.target,
    isDetour: false,
  }));
}
