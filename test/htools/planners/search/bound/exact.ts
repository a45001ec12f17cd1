/**
 * The lowest score that any sequence of legal steps reaches on a small cluster, at each price, by following
 * them all: the judge of the search and of the bound. What no step leads to (instances that could only change
 * places at once) is not counted.
 */
import type { Snapshot } from '../../../../../src/htools/cluster/snapshot.ts';
import { type MoveKind, placementAfter } from '../../../../../src/htools/model/moves/kinds.ts';
import { WORK } from '../../../../../src/htools/plan/cost.ts';
import type { SearchLayout } from '../../../../../src/htools/planners/search/kernel/layout.ts';
import { Attempt } from '../../../../../src/htools/planners/search/order/attempt.ts';
import type { Leg } from '../../../../../src/htools/planners/search/order/routes.ts';

const FREE_KINDS: readonly MoveKind[] = [0];
const MIRRORED_KINDS: readonly MoveKind[] = [0, 2, 3, 4, 5];
const SHARED_KINDS: readonly MoveKind[] = [1];

function* legsFrom(layout: SearchLayout, i: number, p: number, s: number, isFree: boolean): Iterable<Leg> {
  const mirrored = isFree ? FREE_KINDS : MIRRORED_KINDS;
  for (const kind of layout.isMirrored[i] ? mirrored : SHARED_KINDS) {
    for (const target of kind === 0 ? [-1] : layout.targets) {
      if (target === p || (target === s && target >= 0)) continue;
      const [primary, secondary] = placementAfter(kind, p, s, target);
      yield { kind, target, primary, secondary };
    }
  }
}

/**
 * Places of movable instances by what these are, whatever their name and nodes: of those alike any may stand
 * for any other.
 */
function alikeOf(snapshot: Snapshot, { movable }: SearchLayout): number[][] {
  const alike = new Map<string, number[]>();
  for (const [k, i] of movable.entries()) {
    const { index, name, alias, primary, secondary, ...rest } = snapshot.instances[i]!;
    const key = JSON.stringify(rest);
    alike.set(key, [...(alike.get(key) ?? []), k]);
  }
  return [...alike.values()];
}

/** A placement to go on from: both nodes of each movable instance, and the price of getting there. */
interface Open {
  readonly state: readonly number[];
  readonly price: number;
}

function insert(open: Open[], one: Open): void {
  let low = 0;
  for (let high = open.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (open[middle]!.price > one.price) low = middle + 1;
    else high = middle;
  }
  open.splice(low, 0, one);
}

/** What a price buys at best. */
export interface ExactPoint {
  readonly price: number;
  readonly score: number;
}

/**
 * The lowest score of all legal ways at each price, cheapest first: placements in the order of their cheapest
 * ways.
 * @param isFree follow only steps that copy nothing
 * @param mostStates gives up beyond that many placements: undefined
 */
export function exactCurve(
  snapshot: Snapshot,
  layout: SearchLayout,
  isFree: boolean,
  mostStates: number,
): readonly ExactPoint[] | undefined {
  const { movable } = layout;
  const attempt = new Attempt(layout, { primary: layout.primary, secondary: layout.secondary });
  const { kernel } = attempt;
  const { primary, secondary } = kernel.books;
  const alike = alikeOf(snapshot, layout);
  const partOf = (state: readonly number[], ones: readonly number[]): string =>
    ones
      .map((k) => (state[2 * k]! + 1) * (layout.nodeCount + 1) + state[2 * k + 1]! + 1)
      .sort()
      .join();
  const begin = [...movable].flatMap((i) => [primary[i]!, secondary[i]!]);
  const cheapest = new Map([[alike.map((ones) => partOf(begin, ones)).join(';'), 0]]);
  /** The cheapest last. */
  const open: Open[] = [{ state: begin, price: 0 }];
  const curve: ExactPoint[] = [];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { state, price } = at;
    const parts = alike.map((ones) => partOf(state, ones));
    if (cheapest.get(parts.join(';'))! < price) continue;
    movable.forEach((i, k) => {
      if (primary[i] !== state[2 * k] || secondary[i] !== state[2 * k + 1])
        kernel.apply(i, state[2 * k]!, state[2 * k + 1]!);
    });
    if (kernel.score < (curve.at(-1)?.score ?? Infinity) - 1e-9) curve.push({ price, score: kernel.score });
    for (const [k, i] of movable.entries()) {
      const kin = alike.findIndex((ones) => ones.includes(k));
      for (const leg of legsFrom(layout, i, state[2 * k]!, state[2 * k + 1]!, isFree)) {
        const next = state.with(2 * k, leg.primary).with(2 * k + 1, leg.secondary);
        const code = parts.with(kin, partOf(next, alike[kin]!)).join(';');
        const { diskCopies, primaryChanges } = WORK[leg.kind];
        const sum =
          price +
          diskCopies * layout.copySeconds[i]! +
          primaryChanges * layout.changeSeconds[i]! +
          layout.jobSeconds[i]!;
        // Most are known already: what is legal is asked last.
        if (sum >= (cheapest.get(code) ?? Infinity)) continue;
        if (attempt.scoreAfter(i, leg) === Number.POSITIVE_INFINITY) continue;
        cheapest.set(code, sum);
        if (cheapest.size > mostStates) return undefined;
        insert(open, { state: next, price: sum });
      }
    }
  }
  return curve;
}
