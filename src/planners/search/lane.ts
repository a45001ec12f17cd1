/**
 * A lane: one annealing walk that ends near a price. A search is a fixed set of lanes, so that its answer does not depend on
 * how many threads share them.
 *
 * The rate that a GiB costs is steered: up while the price is above the lane's cap, down while it is below. That finds
 * the trade the cap asks for without knowing the curve; a cap that only forbids gets stuck with the wrong instances moved.
 */
import { Walk, type WalkGoal } from './anneal.ts';
import { Kernel } from './kernel.ts';
import type { SearchLayout } from './layout.ts';
import { Prices } from './prices.ts';
import { RandomStream } from './random.ts';

/** A placement with what it is worth. */
export interface Found {
  readonly score: number;
  /** GiB copied, net. */
  readonly gib: number;
  readonly steps: number;
  readonly primary: Int32Array;
  readonly secondary: Int32Array;
}

export interface LaneTask {
  /** Number of the lane: its stream of random numbers. */
  readonly lane: number;
  readonly seed: number;
  /** Price to end at, GiB. Infinity: none. */
  readonly capGib: number;
  readonly mostSteps: number;
  /** Candidates to look at; ignored when there is a clock. */
  readonly candidates: number;
}

/** How far a lane with a time limit is, 0 to 1; a lane with a limit on work has none. */
export type LaneClock = () => number;

/** Temperatures of the score; random moves change it by some tenths at first, and the last gains are thousandths. */
const HOTTEST = 0.4;
const COLDEST = 0.0004;
const LEVELS = 240;
/** Levels at the end during which the cap binds and the rate falls. */
const FIRM_SHARE = 0.8;
/** How quickly the rate follows the price. */
const STEERING = 0.12;
/** Candidates between two looks at the clock. */
const LOOK_EVERY = 4096;
/** Levels after which the books are made anew, against drift. */
const REFRESH_EVERY = 12;

export function runLane(layout: SearchLayout, task: LaneTask, clock?: LaneClock): Found {
  const kernel = new Kernel(layout);
  const prices = new Prices(layout);
  const walk = new Walk(kernel, prices, new RandomStream(task.seed, task.lane));
  walk.start();
  const start = kernel.score;
  let wholeGib = 0;
  for (const i of layout.movable) wholeGib += prices.gib(i, -1, layout.secondary[i]!);
  const hasCap = task.capGib < Number.POSITIVE_INFINITY;
  walk.mostSteps = task.mostSteps;
  walk.rate = hasCap && wholeGib > 0 ? start / Math.max(task.capGib, wholeGib / 1000) / 4 : 0;
  if (task.capGib === 0) walk.mostGib = 0;
  const perLevel = task.candidates / LEVELS;
  for (let level = 0; level < LEVELS; level++) {
    const share = level / (LEVELS - 1);
    walk.run(Math.max(1, Math.round(perLevel)), HOTTEST * (COLDEST / HOTTEST) ** share);
    if (level % REFRESH_EVERY === 0) walk.refresh();
    if (!hasCap || task.capGib === 0) continue;
    const over = Math.max(-1, Math.min(1, (walk.gib - task.capGib) / task.capGib));
    walk.rate *= Math.exp(STEERING * over);
    if (share > FIRM_SHARE) walk.mostGib = Math.max(task.capGib, walk.gib);
  }
  return { score: kernel.score, gib: walk.gib, steps: walk.steps, primary: kernel.books.primary.slice(), secondary: kernel.books.secondary.slice() };
}
