/**
 * Several instances placed anew at once: what that costs, what the score is about to be, and the change
 * itself if it passes.
 *
 * Most such changes are no good, so the deviations are worked out first, which is cheap; only what might pass
 * is played on the books, rules and reservations included, and taken back where it does not.
 */
import type { Kernel } from '../kernel/kernel.ts';
import type { SearchLayout } from '../kernel/layout.ts';
import { Estimate } from './estimate.ts';
import { mayPlace } from './open-placements.ts';
import type { Prices } from './prices.ts';

/** Most instances in one trial. */
const MOST = 8;

export class Trial {
  count = 0;
  /** What the trial adds to the price. */
  price = 0;
  readonly instances = new Int32Array(MOST);
  readonly toPrimary = new Int32Array(MOST);
  readonly toSecondary = new Int32Array(MOST);
  readonly fromPrimary = new Int32Array(MOST);
  readonly fromSecondary = new Int32Array(MOST);
  /** What they need in both places: see `Prices`. */
  readonly toNeeds = new Int32Array(MOST);
  readonly fromNeeds = new Int32Array(MOST);
  private readonly layout: SearchLayout;
  private readonly estimate: Estimate;

  constructor(
    private readonly kernel: Kernel,
    private readonly prices: Prices,
  ) {
    this.layout = kernel.layout;
    this.estimate = new Estimate(kernel, this);
  }

  begin(): void {
    this.count = 0;
    this.price = 0;
  }

  has(i: number): boolean {
    for (let k = 0; k < this.count; k++) if (this.instances[k] === i) return true;
    return false;
  }

  /** Adds an instance that is not in it yet; false where the search may not place it there. */
  add(i: number, P: number, S: number): boolean {
    const { layout, prices, count } = this;
    if (count === MOST || P === S || !mayPlace(layout, i, P, S)) return false;
    const p = this.kernel.books.primary[i]!;
    const s = this.kernel.books.secondary[i]!;
    this.instances[count] = i;
    this.toPrimary[count] = P;
    this.toSecondary[count] = S;
    this.fromPrimary[count] = p;
    this.fromSecondary[count] = s;
    const to = prices.needs(i, P, S);
    const from = prices.needs(i, p, s);
    this.toNeeds[count] = to;
    this.fromNeeds[count] = from;
    this.price += prices.price(i, to) - prices.price(i, from);
    this.count++;
    return true;
  }

  /** Makes all changes if the rules allow them and the score rises by at most `room`; else none. */
  run(room: number): boolean {
    return this.estimate.mayPass(room) && this.play(room);
  }

  private play(room: number): boolean {
    const { kernel, instances, fromPrimary, fromSecondary } = this;
    const { books } = kernel;
    const before = kernel.score;
    const last = this.count - 1;
    // Where it is tight, one can come only when the others have gone.
    for (let t = 1; t <= last; t++) books.leave(instances[t]!);
    let placed = 0;
    for (; placed <= last; placed++) {
      const i = instances[placed]!;
      if (placed > 0) books.come(i, fromPrimary[placed]!, fromSecondary[placed]!);
      kernel.rescore();
      const after = kernel.evaluate(i, this.toPrimary[placed]!, this.toSecondary[placed]!);
      if (after === Infinity || (placed === last && after - before > room)) break;
      books.leave(i);
      books.come(i, this.toPrimary[placed]!, this.toSecondary[placed]!);
    }
    if (placed > last) {
      kernel.rescore();
      return true;
    }
    for (let t = 0; t < placed; t++) {
      books.leave(instances[t]!);
      books.come(instances[t]!, fromPrimary[t]!, fromSecondary[t]!);
    }
    for (let t = placed + 1; t <= last; t++) books.come(instances[t]!, fromPrimary[t]!, fromSecondary[t]!);
    kernel.rescore();
    return false;
  }
}
