/**
 * The best move of one instance, without looking at every target: of each kind those with the most room are
 * tried until enough mend as much as any before; what a move mends hardly depends on where it leads.
 */
import { groupedBy } from '../../../kit/grouped.ts';
import type { Move } from '../../model/moves/kinds.ts';
import * as F from '../../model/state/node-fields.ts';
import { comparePrices, type Tried, type Workbench } from './workbench.ts';

/** Targets of one kind that do equally well and whose scores are compared. */
const ENOUGH = 12;
/** Roomy targets that all refuse a kind: the others will, too, unless tags say where the instance may be. */
const MOST_REFUSALS = 40;

type Order = (a: Tried, b: Tried) => number;

/** What mends most, then what is cheapest. */
export const byChange: Order = (a, b) => a.change - b.change || comparePrices(a.price, b.price);

/** What leaves nodes that fail N+1 the least to lack, then what is cheapest. */
export const byLack: Order = (a, b) =>
  a.change - b.change || a.lack - b.lack || comparePrices(a.price, b.price);

interface Choice {
  readonly order?: Order;
  /** Moves that are looked at: by the nodes that they lead to. */
  readonly isWanted?: (primary: number, secondary: number) => boolean;
  readonly isGood?: (tried: Tried) => boolean;
  /** Of equal moves the one with the best score; else the first. */
  readonly isScored?: boolean;
}

/** Online nodes, those with the most memory beyond what they keep for N+1 first. */
export function roomiest({ state, targets }: Workbench): number[] {
  const room = (n: number): number => state.field(n, F.FREE_MEM) - state.field(n, F.RESERVED_MEM);
  const rooms = new Map(targets.map((n) => [n, room(n)]));
  return [...targets].sort((a, b) => rooms.get(b)! - rooms.get(a)! || a - b);
}

/** Moves of one kind that are good, until so many were refused that all others will be. */
function* goodOnes(
  bench: Workbench,
  moves: readonly Move[],
  isFree: boolean,
  { isWanted = () => true, isGood = () => true }: Choice,
): Generator<Tried> {
  let refusals = 0;
  let hasFound = false;
  for (const move of moves) {
    if (bench.work.isSpent) return;
    if (!isWanted(...bench.placeAfter(move))) continue;
    const tried = bench.try(move);
    if (tried && isGood(tried)) {
      hasFound = true;
      yield tried;
    } else if (isFree && !hasFound && ++refusals >= MOST_REFUSALS) return;
  }
}

/** Adds one to the best, which are all equal, or puts it in their place; false where it is worse. */
function add(best: Tried[], tried: Tried, order: Order): boolean {
  const toBest = best.length > 0 ? order(tried, best[0]!) : -1;
  if (toBest < 0) best.length = 0;
  if (toBest <= 0) best.push(tried);
  return toBest <= 0;
}

/** The best allowed move by the order, of equals by score. @param nodes targets in the order of looking */
export function bestMove(
  bench: Workbench,
  i: number,
  nodes: readonly number[],
  choice: Choice = {},
): Tried | undefined {
  const { order = byChange, isScored = true } = choice;
  const { placement, tags } = bench.state;
  const isFree =
    !placement.hasMates(i) &&
    tags.exclusionsOf[i]!.length === 0 &&
    !nodes.some((n) => placement.isBarred(i, n));
  const found: Tried[] = [];
  for (const moves of groupedBy(bench.movesOf(i, nodes), ({ kind }) => kind).values()) {
    const ofKind: Tried[] = [];
    for (const tried of goodOnes(bench, moves, isFree, choice)) {
      const isBest = add(ofKind, tried, order) && !bench.isGuarded(tried.move) && add(found, tried, order);
      if (isBest && isFree && ofKind.length >= ENOUGH) break;
    }
  }
  if (found.length < 2 || !isScored) return found[0];
  const scored = found.map((tried) => ({ tried, score: bench.scoreAfter(tried.move) }));
  return scored.reduce((best, one) => (one.score < best.score ? one : best)).tried;
}

/** Instances that may be why a node breaks rules. */
function suspectsOn(bench: Workbench, n: number): number[] {
  const { state } = bench;
  const primaries = state.primaries[n]!;
  if (bench.lackOf(n) === 0) return primaries.filter((i) => state.tags.exclusionsOf[i]!.length > 0);
  // Only the peers that too much is reserved for: a smaller one may keep its instances.
  const free = state.field(n, F.FREE_MEM);
  return [
    ...primaries,
    ...state.secondaries[n]!.filter((i) => state.peers.get(n, state.primary[i]!) >= free),
  ];
}

/** Those that have not moved, in a fixed order. */
export function suspects(bench: Workbench): number[] {
  const { state, book } = bench;
  const found = new Set([
    ...bench.must,
    ...book.nodes.filter((n) => book.ofNode(n) > 0).flatMap((n) => suspectsOn(bench, n)),
    ...state.placement
      .allSets()
      .filter((set) => book.ofSet(set) > 0)
      .flatMap((set) => book.membersOf(set)),
  ]);
  return [...found].filter((i) => bench.mayMove(i)).sort((a, b) => a - b);
}
