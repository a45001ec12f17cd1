/**
 * A walk over placements by simulated annealing: single moves, swaps of two instances' places, and ways home.
 *
 * The energy is the score plus `rate` times the price. A candidate that the temperature would refuse is refused before its
 * rules are asked where that is cheaper. Caps are kept at every moment.
 */
import type { Kernel } from '../kernel/kernel.ts';
import type { SearchLayout } from '../kernel/layout.ts';
import { mayPlace } from './open-placements.ts';
import type { Prices } from './prices.ts';
import type { RandomStream } from './random.ts';
import { Swaps } from './swaps.ts';

/** Of this many single moves of an instance without a secondary one goes home. */
const HOME_IN = 4;
/** Ways of moving a mirrored instance, drawn evenly: see `tryMirrored`. */
const WAYS = 8;

export class Walk {
  readonly kernel: Kernel;
  readonly prices: Prices;
  readonly layout: SearchLayout;
  readonly random: RandomStream;
  /** Score that a GiB of copying must gain. */
  rate = 0;
  /** Most GiB copied and most steps. */
  mostGib = Number.POSITIVE_INFINITY;
  mostSteps = Number.POSITIVE_INFINITY;
  /** Price and steps of the placement now. */
  gib = 0;
  steps = 0;
  private readonly swaps: Swaps;

  constructor(kernel: Kernel, prices: Prices, random: RandomStream) {
    this.kernel = kernel;
    this.prices = prices;
    this.layout = kernel.layout;
    this.random = random;
    this.swaps = new Swaps(this);
    this.takeStock();
  }

  /** Makes the books anew from the placement, against drift. */
  refresh(): void {
    const { books } = this.kernel;
    this.kernel.load(books.primary.slice(), books.secondary.slice());
    this.takeStock();
  }

  private takeStock(): void {
    this.gib = 0;
    this.steps = 0;
    const { primary, secondary } = this.kernel.books;
    for (const i of this.layout.movable) {
      this.gib += this.prices.gib(i, primary[i]!, secondary[i]!);
      this.steps += this.prices.steps(i, primary[i]!, secondary[i]!);
    }
  }

  /** Tries a number of candidates at one temperature. Needs at least one movable instance. */
  run(candidates: number, temperature: number): void {
    const { layout, random } = this;
    for (let k = 0; k < candidates; k++) {
      const threshold = -Math.log(1 - random.unit()) * temperature;
      const i = layout.movable[random.below(layout.movable.length)]!;
      if (random.next() & 1) this.swaps.tryWith(i, threshold);
      else if (layout.isMirrored[i] === 1) this.tryMirrored(i, threshold);
      else this.tryShared(i, threshold);
    }
  }

  private tryShared(i: number, threshold: number): void {
    const { layout, random } = this;
    const P = random.below(HOME_IN) === 0 ? layout.primary[i]! : this.anyTarget();
    this.consider(i, P, this.kernel.books.secondary[i]!, threshold);
  }

  private tryMirrored(i: number, threshold: number): void {
    const { layout, random } = this;
    const { primary, secondary } = this.kernel.books;
    const p = primary[i]!;
    const s = secondary[i]!;
    const way = layout.diskMoves ? random.below(WAYS) : 0;
    const t = this.anyTarget();
    if (way === 0) this.consider(i, s, p, threshold);
    else if (way === 1) this.consider(i, layout.primary[i]!, layout.secondary[i]!, threshold);
    else if (way === 2) this.consider(i, layout.secondary[i]!, layout.primary[i]!, threshold);
    else if (t === p || t === s) return;
    else if (way <= 4) this.consider(i, p, t, threshold);
    else if (way === 5) this.consider(i, t, s, threshold);
    else if (way === 6) this.consider(i, t, p, threshold);
    else this.consider(i, s, t, threshold);
  }

  private anyTarget(): number {
    return this.layout.targets[this.random.below(this.layout.targets.length)]!;
  }

  /** Whether a change of price and steps keeps the caps. */
  isAffordable(gib: number, steps: number): boolean {
    return (
      (gib <= 0 || this.gib + gib <= this.mostGib) && (steps <= 0 || this.steps + steps <= this.mostSteps)
    );
  }

  /** Takes over a change that was made. */
  pay(gib: number, steps: number): void {
    this.gib += gib;
    this.steps += steps;
  }

  /** Moves the instance when the rules, the caps and the temperature allow it. */
  private consider(i: number, P: number, S: number, threshold: number): void {
    const { kernel, prices } = this;
    const p = kernel.books.primary[i]!;
    const s = kernel.books.secondary[i]!;
    if ((P === p && S === s) || !mayPlace(this.layout, i, P, S)) return;
    const gib = prices.gib(i, P, S) - prices.gib(i, p, s);
    const steps = prices.steps(i, P, S) - prices.steps(i, p, s);
    if (!this.isAffordable(gib, steps)) return;
    const score = kernel.evaluate(i, P, S);
    if (score - kernel.score > threshold - this.rate * gib) return;
    kernel.apply(i, P, S);
    this.pay(gib, steps);
  }
}
