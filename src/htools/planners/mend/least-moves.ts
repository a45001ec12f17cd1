/**
 * How many moves it takes at least to mend everything, when each instance moves once at most.
 *
 * Instances in a wrong place must each move. Beyond them: of primaries on a node that share a tag all but one
 * must leave; of a set those that are misplaced must move; and a move touches three nodes, so that it mends
 * N+1 on three at most. A move may serve several of the last three, so the largest of them counts.
 */
import { tallied } from '../../../kit/grouped.ts';
import * as F from '../../model/state/node-fields.ts';
import { instancesOn } from '../../model/state/scope.ts';
import type { ClusterState } from '../../model/state/state.ts';
import type { BrokenRules } from './broken-rules.ts';
import { comparePrices, type MendingPrice, NOTHING, plus } from './mending-moves.ts';
import type { Workbench } from './workbench.ts';

const MOST_TOUCHED = 3;

/** @param must instances that are in a wrong place and have not moved yet */
export function leastMoves(book: BrokenRules, must: ReadonlySet<number>): number {
  const { state, nodes } = book;
  let clashes = 0;
  let failing = 0;
  for (const n of nodes) {
    if (state.isOffline[n] === 1) continue;
    if (state.field(n, F.TAG_CONFLICTS) > 0) clashes += leastLeaving(state, n, must);
    if (state.field(n, F.FAILS_N1) === 1 && !instancesOn(state, [n]).some((i) => must.has(i))) failing++;
  }
  let parted = 0;
  // Sets may share members, so that one move serves several: only the worst counts.
  for (const set of state.placement.allSets()) parted = Math.max(parted, book.ofSet(set, must));
  return must.size + Math.max(clashes, parted, Math.ceil(failing / MOST_TOUCHED));
}

/** Of a node's primaries that must not move anyway, how many must leave for the sake of one tag. */
function leastLeaving({ primaries, tags }: ClusterState, n: number, must: ReadonlySet<number>): number {
  const free = primaries[n]!.filter((i) => !must.has(i));
  const counts = tallied(free.flatMap((i) => [...new Set(tags.exclusionsOf[i]!)]));
  return Math.max(1, ...counts.values()) - 1;
}

/** What moving all that is in a wrong place costs at least, if there is room everywhere. */
export function leastPrice(bench: Workbench): MendingPrice {
  const leastOf = (i: number): MendingPrice | undefined =>
    bench
      .movesOf(i)
      .filter((move) => bench.book.ofPlace(i, ...bench.placeAfter(move)) === 0)
      .map((move) => bench.priceOf(move))
      .sort(comparePrices)[0];
  return [...bench.must].reduce((sum, i) => plus(sum, leastOf(i) ?? NOTHING), NOTHING);
}
