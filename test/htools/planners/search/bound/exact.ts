/**
 * The lowest score that any sequence of legal steps reaches on a small cluster, at each price, by following
 * them all: the judge of the search and of the bound. What no step leads to (instances that could only change
 * places at once) is not counted.
 */
import type { Snapshot } from '../../../../../src/htools/cluster/snapshot.ts';
import type { MoveKind } from '../../../../../src/htools/model/moves/kinds.ts';
import { placementAfter } from '../../../../../src/htools/model/moves/kinds.ts';
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
 * Movable instances by what they are, whatever their name and nodes: of those alike any may stand for any
 * other.
 */
function alikeOf(snapshot: Snapshot, { movable }: SearchLayout): number[][] {
  const alike = new Map<string, number[]>();
  for (const i of movable) {
    const { index, name, alias, primary, secondary, ...rest } = snapshot.instances[i]!;
    const key = JSON.stringify(rest);
    alike.set(key, [...(alike.get(key) ?? []), i]);
  }
  return [...alike.values()];
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
  const placeOf = (i: number): number => (primary[i]! + 1) * (layout.nodeCount + 1) + secondary[i]! + 1;
  const codeNow = (): string =>
    alike.map((ones) => (ones.length === 1 ? placeOf(ones[0]!) : ones.map(placeOf).sort())).join(';');
  const cheapest = new Map([[codeNow(), 0]]);
  const open = [{ state: [...movable].flatMap((i) => [primary[i]!, secondary[i]!]), price: 0 }];
  const curve: ExactPoint[] = [];
  while (open.length > 0) {
    const at = open.reduce((best, one, k) => (one.price < open[best]!.price ? k : best), 0);
    const [{ state, price }] = open.splice(at, 1) as [(typeof open)[number]];
    movable.forEach((i, k) => {
      if (primary[i] !== state[2 * k] || secondary[i] !== state[2 * k + 1])
        kernel.apply(i, state[2 * k]!, state[2 * k + 1]!);
    });
    if (cheapest.get(codeNow())! < price) continue;
    if (kernel.score < (curve.at(-1)?.score ?? Infinity) - 1e-9) curve.push({ price, score: kernel.score });
    for (const [k, i] of movable.entries()) {
      const p = state[2 * k]!;
      const s = state[2 * k + 1]!;
      for (const leg of legsFrom(layout, i, p, s, isFree)) {
        if (attempt.scoreAfter(i, leg) === Number.POSITIVE_INFINITY) continue;
        kernel.apply(i, leg.primary, leg.secondary);
        const code = codeNow();
        const { diskCopies, primaryChanges } = WORK[leg.kind];
        const step =
          diskCopies * layout.copySeconds[i]! +
          primaryChanges * layout.changeSeconds[i]! +
          layout.jobSeconds[i]!;
        if (price + step < (cheapest.get(code) ?? Infinity)) {
          cheapest.set(code, price + step);
          if (cheapest.size > mostStates) return undefined;
          open.push({
            state: state.with(2 * k, leg.primary).with(2 * k + 1, leg.secondary),
            price: price + step,
          });
        }
        kernel.apply(i, p, s);
      }
    }
  }
  return curve;
}
