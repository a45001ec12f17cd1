/**
 * Instances of one size, one after the other, until no more fit.
 *
 * With capacity checks the cluster must stay globally redundant. As the stock programs do, a number of
 * instances is placed without asking, and taken back when the cluster is not redundant behind them; then
 * smaller numbers are tried, and at last one by one. The order of these trials is a contract, since it
 * decides which homes are found. Source: stock iterateAlloc.
 */
import { ExecutionError } from '../../../../kit/faults.ts';
import type { Instance } from '../../../cluster/snapshot.ts';
import { availableMem } from '../../../model/rules/memory.ts';
import type { Placement } from '../solution.ts';
import type { Filler } from './filler.ts';

/** Instances placed at once when the guess is smaller than that, and when the guess was too large. */
const LEAST_GUESS = 20;
const SMALL_GROUP = 10;

/** About as many instances as fit: by available memory, less one a node. */
function guessCount({ state }: Filler, { memMib }: Instance): number {
  let available = 0;
  for (let n = 0; n < state.nodeCount; n++) available += availableMem(state, n);
  const guess = memMib > 0 ? Math.floor(available / memMib) - state.nodeCount : LEAST_GUESS;
  return Math.max(LEAST_GUESS, guess);
}

interface Placed {
  /** The last one may not have been taken. */
  readonly homes: readonly Placement[];
  /** With how many a node was lost; undefined where none was. */
  readonly lostWith: number | undefined;
}

/**
 * Places instances until no more fit.
 * @param limit how many at most; undefined, or less than 0: as many as fit
 * @param redundancy kept at each one, or watched: it ends where a node is lost for good; else not asked for
 * @param known homes of the next ones, which lose no node
 */
function placeAll(
  filler: Filler,
  instance: Instance,
  limit: number | undefined,
  redundancy?: 'kept' | 'watched',
  known?: Iterator<Placement>,
): Placed {
  const homes: Placement[] = [];
  while (homes.length !== limit) {
    const next: Placement | undefined = known?.next().value;
    const home =
      next ?? (redundancy === 'kept' ? filler.findRedundantHome(instance) : filler.findHome(instance));
    if (home === undefined) break;
    homes.push(home);
    const isWatched = redundancy === 'watched' && !next;
    if (isWatched && filler.isTooFull(instance, home)) return { homes, lostWith: homes.length };
    filler.place(instance, home);
    if (isWatched && filler.isLost(home.primary)) return { homes, lostWith: homes.length };
  }
  return { homes, lostWith: undefined };
}

/**
 * Whether every instance that is placed must leave the cluster redundant. Stock never asks for that when it
 * places single DRBD instances: N+1 of the nodes covers them. So groups of them that it takes back come again
 * one by one, to the very same homes.
 */
export const asksRedundancy = ({ diskTemplate }: Instance, checksCapacity: boolean): boolean =>
  checksCapacity && diskTemplate !== 'drbd';

/**
 * @param howToLimit their number, as the caller is told
 * @throws ExecutionError when filling up would never end
 */
export function assertEnds(
  filler: Filler,
  instance: Instance,
  limit: number | undefined,
  checksCapacity: boolean,
  howToLimit: string,
): void {
  if ((limit ?? -1) >= 0 || !filler.takesAnyNumber(instance)) return;
  if (filler.fits(instance, asksRedundancy(instance, checksCapacity)))
    throw new ExecutionError(
      'instances of this size use nothing up: any number of them fits',
      `give the instances some memory, or ${howToLimit}`,
    );
}

/**
 * Fills up.
 * @param limit undefined: as many as fit
 * @param checksCapacity keeps the cluster redundant
 * @returns whether the last search, which found nothing, asked for global redundancy
 */
export function iterate(
  filler: Filler,
  instance: Instance,
  limit: number | undefined,
  checksCapacity: boolean,
): boolean {
  if (!asksRedundancy(instance, checksCapacity)) {
    placeAll(filler, instance, limit);
    return false;
  }
  if (!filler.fits(instance, false)) return false;
  if (filler.isHopeless) return true;
  let left = limit ?? Number.POSITIVE_INFINITY;
  // With how many more a node is lost, once that is known: a smaller group comes to the same homes.
  let lostWith: number | undefined;
  // What is left of the homes of the guessed group, once that was taken back.
  let known: Iterator<Placement> | undefined;
  for (const groupSize of [() => guessCount(filler, instance), () => SMALL_GROUP])
    for (;;) {
      const group = groupSize();
      const mark = filler.mark();
      const size = Math.min(group, left);
      const isKnownLost = lostWith !== undefined && (size < 0 || size >= lostWith);
      const placed = isKnownLost
        ? { homes: [], lostWith }
        : placeAll(filler, instance, size, 'watched', known);
      lostWith = placed.lostWith ?? lostWith;
      if (placed.lostWith !== undefined || !filler.isRedundant()) {
        filler.rollback(mark);
        known = placed.homes.values();
        break;
      }
      if (lostWith !== undefined) lostWith -= filler.count - mark.count;
      left = Math.max(0, left - group);
      if (left === 0 || filler.count === mark.count) return false;
    }
  filler.settle();
  placeAll(filler, instance, left, 'kept');
  return true;
}
