/**
 * A lane: one annealing walk that ends near a price. A search is a fixed set of lanes, so that its answer
 * does not depend on how many threads share them.
 *
 * What a GiB must gain is steered: more while the price is above the lane's cap, less while it is below. That
 * finds the trade the cap asks for without knowing the curve; a cap that only forbids leaves the wrong
 * instances moved.
 */

import { MIB_PER_GIB } from '../../../../kit/units.ts';
import { anneal } from '../../anneal/anneal.ts';
import { Budget } from '../../anneal/budget.ts';
import type { RandomStream } from '../../anneal/random.ts';
import { Kernel } from '../kernel/kernel.ts';
import type { SearchLayout } from '../kernel/layout.ts';
import { Prices } from './prices.ts';
import { Walk } from './walk.ts';

/** Where the instances are; -1 for no secondary. */
export interface Placement {
  readonly primary: Int32Array;
  readonly secondary: Int32Array;
}

/** A walk: where it is to end, and for how long it goes. */
export interface WalkTask {
  /** Price to end at, GiB; Infinity for none. */
  readonly capGib: number;
  /** Score that a unit of price must gain where the price may never rise (a cap of 0); 0 without it. */
  readonly rate?: number;
  /** Most steps of the placement's way. */
  readonly mostSteps: number;
  /** Candidates to look at, where no clock says how long. */
  readonly candidates: number;
}

/** One of a search's lanes: walks from price to price. */
export interface LaneTask {
  /**
   * Prices to end at, GiB, one after another, the highest first; Infinity for none. Each begins where the one
   * before ended.
   */
  readonly capsGib: readonly number[];
  /** The same as shares of what greedy copies, where they follow that. */
  readonly sharesOfGreedy: readonly number[] | undefined;
  /** How much of the search's work it gets, beside the others. */
  readonly weight: number;
  readonly mostSteps: number;
  /** Candidates to look at in all, where no clock says how long. */
  readonly candidates: number;
  /** Number of the lane: its stream of random numbers. */
  readonly lane: number;
  readonly seed: number;
  /** No lane of the search may copy anything. */
  readonly isFree: boolean;
}

/** How far a lane with a time limit is: 0 at its start, 1 at its end. */
export type LaneClock = () => number;

/**
 * Temperatures in score: at first moves change it by some hundredths, the last gains are less than
 * thousandths. Measured: docs/design/search.md.
 */
const HOTTEST = 0.03;
const COLDEST = 0.00005;
/**
 * On few instances one breach of a rule is a wall between placements: every other walk starts hot enough to
 * climb it.
 */
const FEW_INSTANCES = 40;
const HOTTEST_OF_FEW = 6;
/** Parts of a walk between which the temperature falls. */
const LEVELS = 240;
/** Share of the walk after which the price may no longer rise above the cap. */
const FIRM_FROM = 0.8;
/** How quickly the rate follows the price, a level. */
const STEERING = 0.12;
/**
 * Rate without a cap, as a share of the starting score for one copy of all disks: it costs a thousandth of
 * the gain, but where time is short it keeps walks from copying everything for nothing.
 */
const UNCAPPED_RATE = 0.02;
/** Candidates between two looks at the clock: below a hundredth of a second. */
const LOOK_EVERY = 8192;
/** Candidates after which the books are made anew, against drift. */
const REFRESH_EVERY = 500_000;

/** GiB of one copy of all movable disks. */
export function wholeGib(layout: SearchLayout): number {
  let mib = 0;
  for (const i of layout.movable) if (layout.isMirrored[i] === 1) mib += layout.disk[i]!;
  return mib / MIB_PER_GIB;
}

/** Temperature at which a lane's first walk starts. */
export const hottestOf = (layout: SearchLayout, lane: number): number =>
  layout.movable.length <= FEW_INSTANCES && lane % 2 === 1 ? HOTTEST_OF_FEW : HOTTEST;

/**
 * Walks to the end; the placement is where it ends.
 * @param from where it begins; the start of the search without it
 */
export function runLane(
  layout: SearchLayout,
  task: WalkTask,
  random: RandomStream,
  hottest: number,
  clock?: LaneClock,
  from?: Placement,
): Placement {
  const kernel = new Kernel(layout);
  if (from) kernel.load(from.primary, from.secondary);
  const walk = new Walk(kernel, new Prices(layout), random);
  const { capGib } = task;
  walk.mostSteps = task.mostSteps;
  if (layout.movable.length > 0) {
    const isSteered = capGib > 0 && capGib < Number.POSITIVE_INFINITY;
    if (capGib === 0) {
      walk.mostGib = 0;
      walk.rate = task.rate ?? 0;
    }
    if (isSteered) walk.rate = kernel.score / capGib / 4;
    else if (capGib > 0 && layout.movable.length > FEW_INSTANCES)
      walk.rate = (UNCAPPED_RATE * kernel.score) / Math.max(1, wholeGib(layout));
    const chunk = clock ? LOOK_EVERY : Math.max(1, Math.ceil(task.candidates / LEVELS));
    const budget = new Budget(clock ? { clock } : { candidates: task.candidates });
    let before = 0;
    let unrefreshed = 0;
    anneal({ budget, until: 1, hottest, coldest: COLDEST, atOnce: chunk }, (temperature) => {
      walk.run(chunk, temperature);
      const share = Math.min(1, budget.share);
      unrefreshed += chunk;
      if (unrefreshed >= REFRESH_EVERY) {
        walk.refresh();
        unrefreshed = 0;
      }
      if (isSteered) {
        const over = Math.max(-1, Math.min(1, (walk.gib - capGib) / capGib));
        walk.rate *= Math.exp(STEERING * LEVELS * (share - before) * over);
        if (share > FIRM_FROM) walk.mostGib = Math.max(capGib, walk.gib);
      }
      before = share;
    });
    if (isSteered) settle(walk, capGib);
  }
  return { primary: kernel.books.primary.slice(), secondary: kernel.books.secondary.slice() };
}

/** Comes down to the cap, and takes what gains without it being raised. */
function settle(walk: Walk, capGib: number): void {
  const rounds = 40;
  const candidates = 20 * walk.layout.movable.length;
  for (let k = 0; k < rounds && walk.gib > capGib; k++) {
    walk.rate *= 1.5;
    walk.mostGib = walk.gib;
    walk.run(candidates, COLDEST);
  }
  walk.rate = 0;
  walk.mostGib = Math.max(capGib, walk.gib);
  walk.run(candidates, COLDEST);
}
