/**
 * Swaps: two instances exchange a node each, in any of their roles, so that counts stay even while sizes change.
 *
 * Most swaps are no good, so the deviations of the two nodes are worked out first, which is cheap; only what might pass is
 * played on the books, rules and reservations included, and taken back where it does not.
 */
import type { Kernel } from '../kernel/kernel.ts';
import type { SearchLayout } from '../kernel/layout.ts';
import { mayPlace } from './open-placements.ts';
import type { Prices } from './prices.ts';
import type { RandomStream } from './random.ts';

/** What reservations and N+1 may gain at most in the eyes of the first look, in score. */
const SLACK = 0.05;

/** What a swap needs of the walk that it is part of. */
export interface Swapping {
  readonly kernel: Kernel;
  readonly layout: SearchLayout;
  readonly prices: Prices;
  readonly random: RandomStream;
  readonly rate: number;
  isAffordable(gib: number, steps: number): boolean;
  pay(gib: number, steps: number): void;
}

export class Swaps {
  private readonly walk: Swapping;

  constructor(walk: Swapping) {
    this.walk = walk;
  }

  /** Tries to exchange a node of `i` with one of a random other instance. */
  tryWith(i: number, threshold: number): void {
    const { walk } = this;
    const { layout, random, kernel } = walk;
    const { primary, secondary } = kernel.books;
    const j = layout.movable[random.below(layout.movable.length)]!;
    if (i === j) return;
    const bits = random.next();
    const iFirst = layout.isMirrored[i] === 0 || (bits & 1) === 0;
    const jFirst = layout.isMirrored[j] === 0 || (bits & 2) === 0;
    const A = iFirst ? primary[i]! : secondary[i]!;
    const B = jFirst ? primary[j]! : secondary[j]!;
    if (A === B || (iFirst && jFirst && this.shareTag(i, j))) return;
    const iP = iFirst ? B : primary[i]!;
    const iS = iFirst ? secondary[i]! : B;
    const jP = jFirst ? A : primary[j]!;
    const jS = jFirst ? secondary[j]! : A;
    if (iP === iS || jP === jS) return;
    if (!mayPlace(layout, i, iP, iS) || !mayPlace(layout, j, jP, jS)) return;
    const gib = this.priceOf(i, iP, iS, false) + this.priceOf(j, jP, jS, false);
    const steps = this.priceOf(i, iP, iS, true) + this.priceOf(j, jP, jS, true);
    if (!walk.isAffordable(gib, steps)) return;
    const room = threshold - walk.rate * gib;
    if (this.estimate(i, iFirst, j, jFirst, A, B) - SLACK > room) return;
    if (this.play(i, iP, iS, j, jP, jS, room)) walk.pay(gib, steps);
  }

  /** Whether two instances exclude each other: neither could come to the other's node first. */
  private shareTag(i: number, j: number): boolean {
    const { exclusionStart, exclusions } = this.walk.layout;
    for (let a = exclusionStart[i]!; a < exclusionStart[i + 1]!; a++) {
      for (let b = exclusionStart[j]!; b < exclusionStart[j + 1]!; b++) {
        if (exclusions[a] === exclusions[b]) return true;
      }
    }
    return false;
  }

  /** What a change of placement adds to the price, or to the steps. */
  private priceOf(i: number, P: number, S: number, inSteps: boolean): number {
    const { prices, kernel } = this.walk;
    const p = kernel.books.primary[i]!;
    const s = kernel.books.secondary[i]!;
    return inSteps
      ? prices.steps(i, P, S) - prices.steps(i, p, s)
      : prices.gib(i, P, S) - prices.gib(i, p, s);
  }

  /** Change of the deviations by the two nodes' figures, reservations left out. */
  private estimate(i: number, iFirst: boolean, j: number, jFirst: boolean, A: number, B: number): number {
    const { layout, kernel } = this.walk;
    const { columnCount: k, secondaryColumns, asPrimary, asSecondary, scale, weights, perNode } = layout;
    const { sums, squares, x } = kernel.books;
    const iAmounts = iFirst ? asPrimary : asSecondary;
    const jAmounts = jFirst ? asPrimary : asSecondary;
    const columns = iFirst || jFirst ? k : secondaryColumns;
    const a = A * k;
    const b = B * k;
    let change = 0;
    for (let c = 0; c < columns; c++) {
      const amount = jAmounts[j * k + c]! - iAmounts[i * k + c]!;
      if (amount === 0) continue;
      const dA = amount * scale[a + c]!;
      const dB = -amount * scale[b + c]!;
      const mean = (sums[c]! + dA + dB) * perNode[c]!;
      const moved = dA * (2 * x[a + c]! + dA) + dB * (2 * x[b + c]! + dB);
      const variance = (squares[c]! + moved) * perNode[c]! - mean * mean;
      change += (variance > 0 ? weights[c]! * Math.sqrt(variance) : 0) - kernel.deviations[c]!;
    }
    return change;
  }

  /** Makes both moves when the rules allow them and the score stays within `room`; else nothing is changed. */
  private play(i: number, iP: number, iS: number, j: number, jP: number, jS: number, room: number): boolean {
    const { kernel } = this.walk;
    const { books } = kernel;
    const before = kernel.score;
    const pi = books.primary[i]!;
    const si = books.secondary[i]!;
    const pj = books.primary[j]!;
    const sj = books.secondary[j]!;
    // Where it is tight, one can come only when the other has gone.
    books.leave(j);
    const isAdmitted = kernel.evaluate(i, iP, iS) < Infinity;
    if (!isAdmitted) {
      books.come(j, pj, sj);
      return false;
    }
    books.leave(i);
    books.come(i, iP, iS);
    books.come(j, pj, sj);
    kernel.rescore();
    const after = kernel.evaluate(j, jP, jS);
    if (after - before <= room) {
      kernel.apply(j, jP, jS);
      return true;
    }
    books.leave(i);
    books.come(i, pi, si);
    kernel.rescore();
    return false;
  }
}
