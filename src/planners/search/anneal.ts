/**
 * One walk of simulated annealing over placements: single moves, swaps of two instances' places, and ways home.
 *
 * The energy is the score plus `rate` times the price. The rate is fixed, or steered so that the price ends at a cap.
 */
import type { Kernel } from './kernel.ts';
import type { SearchLayout } from './layout.ts';
import type { Prices } from './prices.ts';
import type { RandomStream } from './random.ts';
import { Swaps } from './swaps.ts';

/** What a walk minimises and keeps to. */
export interface WalkGoal {
  /** Score that a GiB of copying must gain. */
  readonly rate: number;
  /** Most GiB copied; Infinity for no cap. */
  readonly mostGib: number;
  /** Most steps. */
  readonly mostSteps: number;
}

export class Walk {
  readonly kernel: Kernel;
  readonly prices: Prices;
  readonly layout: SearchLayout;
  readonly random: RandomStream;
  readonly swaps: Swaps;
  /** Price and steps of the placement now. */
  gib = 0;
  steps = 0;
  rate = 0;
  mostGib = Infinity;
  mostSteps = Infinity;
  /** Candidates looked at. */
  tried = 0;
  accepted = 0;

  constructor(kernel: Kernel, prices: Prices, random: RandomStream) {
    this.kernel = kernel;
    this.prices = prices;
    this.layout = kernel.layout;
    this.random = random;
    this.swaps = new Swaps(this);
  }

  /** Starts from a placement; from where everything is when none is given. */
  start(primary?: Int32Array, secondary?: Int32Array): void {
    this.kernel.load(primary, secondary);
    this.gib = 0;
    this.steps = 0;
    const { books } = this.kernel;
    for (const i of this.layout.movable) {
      this.gib += this.prices.gib(i, books.primary[i]!, books.secondary[i]!);
      this.steps += this.prices.steps(i, books.primary[i]!, books.secondary[i]!);
    }
  }

  /** Makes the books anew from the placement, against drift. */
  refresh(): void {
    const { books } = this.kernel;
    this.start(books.primary.slice(), books.secondary.slice());
  }

  /** Tries a number of candidates at one temperature. */
  run(candidates: number, temperature: number): void {
    const end = this.tried + candidates;
    while (this.tried < end) {
      this.tried++;
      const threshold = -Math.log(1 - this.random.unit()) * temperature;
      const i = this.layout.movable[this.random.below(this.layout.movable.length)]!;
      if (this.random.next() & 1) this.swaps.tryWith(i, threshold);
      else this.trySingle(i, threshold);
    }
  }

  private trySingle(i: number, threshold: number): void {
    const { layout, random, kernel } = this;
    const p = kernel.books.primary[i]!;
    const s = kernel.books.secondary[i]!;
    if (layout.isMirrored[i] === 0) {
      const P = random.below(4) === 0 ? layout.primary[i]! : this.anyTarget();
      if (P !== p) this.consider(i, P, s, threshold);
      return;
    }
    const choice = layout.diskMoves ? random.below(8) : 0;
    if (choice === 0) return this.consider(i, s, p, threshold);
    if (choice === 1) return this.consider(i, layout.primary[i]!, layout.secondary[i]!, threshold);
    if (choice === 2) return this.consider(i, layout.secondary[i]!, layout.primary[i]!, threshold);
    const t = this.anyTarget();
    if (t === p || t === s) return;
    if (choice <= 4) this.consider(i, p, t, threshold);
    else if (choice <= 5) this.consider(i, t, s, threshold);
    else if (choice === 6) this.consider(i, t, p, threshold);
    else this.consider(i, s, t, threshold);
  }

  private anyTarget(): number {
    return this.layout.targets[this.random.below(this.layout.targets.length)]!;
  }

  /** Whether the search may place an instance there at all, whatever is on the nodes now. */
  isOpen(i: number, P: number, S: number): boolean {
    const { layout } = this;
    const p = layout.primary[i]!;
    const s = layout.secondary[i]!;
    if (P === p && S === s) return true;
    if (layout.isOffline[P] === 1 && P !== p) return false;
    if (S >= 0 && layout.isOffline[S] === 1 && S !== s && S !== p) return false;
    if (!layout.instanceMoves && P !== p) return false;
    if (layout.migrationClassCount > 1 && P !== p) {
      if (P === s ? !this.mayMigrate(p, s) : S === s ? !(this.mayMigrate(p, s) && this.mayMigrate(s, P)) : !this.mayMigrate(p, P)) return false;
    }
    return true;
  }

  private mayMigrate(from: number, to: number): boolean {
    const { migrationAllowed, migrationClassOf, migrationClassCount } = this.layout;
    return migrationAllowed[migrationClassOf[from]! * migrationClassCount + migrationClassOf[to]!] === 1;
  }

  /** Moves the instance when the rules, the caps and the temperature allow it. */
  private consider(i: number, P: number, S: number, threshold: number): void {
    const { books } = this.kernel;
    const p = books.primary[i]!;
    const s = books.secondary[i]!;
    if (P === p && S === s) return;
    if (!this.isOpen(i, P, S)) return;
    const gib = this.prices.gib(i, P, S) - this.prices.gib(i, p, s);
    const steps = this.prices.steps(i, P, S) - this.prices.steps(i, p, s);
    if (gib > 0 && this.gib + gib > this.mostGib) return;
    if (steps > 0 && this.steps + steps > this.mostSteps) return;
    const room = threshold - this.rate * gib;
    const score = this.kernel.evaluate(i, P, S);
    if (score - this.kernel.score > room) return;
    this.kernel.apply(i, P, S);
    this.gib += gib;
    this.steps += steps;
    this.accepted++;
  }
}
