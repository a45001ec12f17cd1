/**
 * A walk over placements by simulated annealing: single moves, ways home, changes of several instances at
 * once, and some that are drawn where the score is lost.
 *
 * The energy is the score plus `rate` times the price, and so for what else is limited. A candidate that the
 * temperature would refuse is refused before its rules are asked where that is cheaper. Caps are kept at
 * every moment.
 */
import { CAP_NAMES, NO_CAPS, type PlanAmounts } from '../../../plan/plan.ts';
import { allowance } from '../../anneal/anneal.ts';
import type { RandomStream } from '../../anneal/random.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { SearchLayout } from '../kernel/layout.ts';
import { Chains } from './chains.ts';
import { Guided, MANY_NODES } from './guided.ts';
import type { Prices } from './prices.ts';
import { Residents } from './residents.ts';
import { Trial } from './trial.ts';

/** Of this many single moves of an instance without a secondary one goes home. */
const HOME_IN = 4;
/** Ways of moving a mirrored instance, drawn evenly: see `drawMirrored`. */
const WAYS = 8;
/** How much walks lean to keeping large reservations on few nodes, in temperatures for one of the largest. */
const LEANING = 2;
/** The same where caps are used up on many nodes: what has too many there is passed on. */
const LEANING_OF_MANY = 3;
/** On more nodes less: what keeps counts even pulls more weakly there while a walk is hot. */
const LEANING_NODES = 160;
/** How much more even numbers of secondaries are worth there without limits, in temperatures. */
const KEEPING_EVEN = 3;
/** The same where caps are used up, in score at the end, and from which temperature on it rises to that. */
const EVENING_OUT = 0.02;
const EVENING_FROM = 0.0003;
/**
 * With so many nodes one with much memory pulls large secondaries more. What pulls them beside those that it
 * has, and how much of these pulls at most (with no end to it a node gets more of them than is even), in
 * largest reservations.
 */
const PULLING_NODES = 40;
const PULL_OF_SIZE = 3;
const MOST_PULL = 4;
/** Share of what may be copied by which a walk to a target is steered while it is hot. */
const GUIDE = 1 / 4;
/** Share of a target below which a score counts nothing more; as far above, it counts twice. */
const BEND = 0.3;
/** By what a walk that ends above its target lowers its rate again and again. */
const EASING = 1.05;
/** Of this many candidates one is drawn where the score is lost. */
const GUIDED_IN = 4;

/**
 * Hardly any change that is drawn blindly gains more than this share of the score: one that costs more than
 * it may by so much is not asked about, and counts as this part of a candidate.
 */
const MOST_GAIN = 0.001;
const HOPELESS_WORK = 0.1;

/** Something beside the price that a walk may use only so much of. */
interface Meter {
  readonly what: keyof PlanAmounts;
  cap: number;
  /** What a walk is to use while its score says nothing of its end. */
  readonly guide: number;
  /** Score for which as little of it is to be used as does; undefined where the cap is to be used up. */
  readonly target: number | undefined;
  /** What it may be now: the cap is kept only at the end, since what is hot needs room. */
  most: number;
  used: number;
  /** Score that one more of it must gain. */
  rate: number;
}

/** Whether it counts how many secondaries a node has: not where loads are told of. */
function countsSecondaries(layout: SearchLayout): boolean {
  const { movable, isMirrored, targets, columnCount: k, secondaryColumns, asSecondary, scale } = layout;
  const isOne = (c: number) => (i: number) =>
    isMirrored[i] === 0 || asSecondary[i * k + c]! * scale[targets[0]! * k + c]! === 1;
  return Array.from({ length: secondaryColumns }, (_, c) => movable.every(isOne(c))).includes(true);
}

/** How strongly each node pulls: by its memory, 1 being the mean of the targets. */
function strengthsOf({ targets, perMem, nodeCount }: SearchLayout): Float64Array {
  const mean = targets.reduce((sum, n) => sum + 1 / perMem[n]!, 0) / targets.length || 1;
  const strengths = new Float64Array(nodeCount).fill(1);
  for (const n of targets) strengths[n] = 1 / perMem[n]! / mean;
  return strengths;
}

export class Walk {
  readonly layout: SearchLayout;
  readonly residents: Residents;
  readonly trial: Trial;
  readonly primary: Int32Array;
  readonly secondary: Int32Array;
  /** Score that a second of the price must gain. */
  rate = 0;
  /** Most that the price may be, and what it is now. */
  mostPrice = Number.POSITIVE_INFINITY;
  price = 0;
  readonly meters: readonly Meter[];
  /** Whether there are caps, and all of them are to be used up. */
  readonly usesUp: boolean;
  /** Whether what costs far too much is not asked about; on many nodes some would be left uneven. */
  private readonly refusesHopeless: boolean;
  /** Whether numbers of secondaries are kept even also while the walk is hot. */
  keepsEven = false;
  /** A target, once the walk is cool: the lower the score, the less it counts. */
  private bendsAt: number | undefined;
  /** Whether numbers of secondaries are made even by more than the score. */
  private readonly evensOut: boolean;
  /** Largest reservation of an instance. */
  private readonly largest: number;
  /** What a square MiB of leaning, and numbers of secondaries that are more even, count at the moment. */
  private leaning = 0;
  private evening = 0;
  /**
   * A node pays for what it reserves by the share of its memory, so one with much memory pulls more: where
   * caps are used up, since what goes there is copied.
   */
  private readonly strengths: Float64Array | undefined;
  private readonly chains: Chains;
  private readonly guided: Guided;
  /** The single move that was drawn last. */
  private drawnP = -1;
  private drawnS = -1;

  constructor(
    readonly kernel: Kernel,
    readonly prices: Prices,
    readonly random: RandomStream,
    caps: PlanAmounts = NO_CAPS,
    target?: number,
  ) {
    this.meters = CAP_NAMES.filter((what) => caps[what] < Number.POSITIVE_INFINITY).map((what) => {
      const cap = caps[what];
      const aim = what === 'copiedGib' ? target : undefined;
      const guide = aim === undefined ? cap : GUIDE * cap;
      return {
        what,
        cap,
        guide,
        target: aim,
        most: cap === 0 ? 0 : Number.POSITIVE_INFINITY,
        used: 0,
        rate: cap > 0 ? this.kernel.score / guide / 4 : 0,
      };
    });
    this.layout = kernel.layout;
    this.primary = kernel.books.primary;
    this.secondary = kernel.books.secondary;
    this.residents = new Residents(this.layout, this.primary, this.secondary);
    this.trial = new Trial(kernel, prices);
    this.chains = new Chains(this);
    this.guided = new Guided(this, kernel, this.chains);
    this.largest = this.layout.movable.reduce((most, i) => Math.max(most, this.layout.reservation[i]!), 1);
    this.evensOut = this.layout.targets.length > LEANING_NODES && countsSecondaries(this.layout);
    this.usesUp = this.meters.length > 0 && target === undefined;
    this.refusesHopeless = this.meters.length > 0 && this.layout.nodeCount < MANY_NODES;
    if (this.usesUp && this.layout.targets.length >= PULLING_NODES) this.strengths = strengthsOf(this.layout);
    this.takeStock();
  }

  /** Score that a GiB copied must gain for the target, as steering has found it; undefined without one. */
  get rateToTarget(): number | undefined {
    return this.meters.find(({ target }) => target !== undefined)?.rate;
  }

  set rateToTarget(rate: number) {
    for (const meter of this.meters) if (meter.target !== undefined) meter.rate = rate;
  }

  /** Makes the books anew from the placement, against drift. */
  refresh(): void {
    this.kernel.load(this.primary.slice(), this.secondary.slice());
    this.takeStock();
  }

  private takeStock(): void {
    this.price = this.prices.of(this);
    for (const meter of this.meters) meter.used = this.prices.used(meter.what, this);
  }

  /** Tries a number of candidates at one temperature. Needs at least one movable instance. */
  run(candidates: number, temperature: number): void {
    const { layout, random, guided, chains } = this;
    this.warm(temperature);
    let mayGuide = true;
    for (let left = candidates; left > 0; left--) {
      const threshold = allowance(random, temperature);
      const i = layout.movable[random.below(layout.movable.length)]!;
      const way = random.next();
      const isGuided = mayGuide && (way >>> 8) % GUIDED_IN === 0;
      mayGuide = true;
      if (isGuided) {
        if (guided.draw()) this.tryTrial(threshold);
      } else if (way & 1 ? chains.swap(i) : this.draw(i)) {
        if (this.isHopeless(threshold)) {
          left += 1 - HOPELESS_WORK;
          mayGuide = false;
        } else this.goOn(i, way, threshold);
      }
    }
  }

  /** Tries what was drawn blindly: a swap or a single move, in half of the cases with others behind it. */
  private goOn(i: number, way: number, threshold: number): void {
    const isSwap = (way & 1) !== 0;
    const isLonger = (way & 2) !== 0;
    if (isSwap) {
      if (!isLonger || this.chains.close()) this.tryTrial(threshold);
    } else if (isLonger && this.layout.isMirrored[i] === 1) {
      if (this.drawChain(i, way)) this.tryTrial(threshold);
    } else this.consider(i, this.drawnP, this.drawnS, threshold);
  }

  /** Whether the trial costs so much more than it may that nobody need ask what it gains. */
  private isHopeless(threshold: number): boolean {
    if (!this.refusesHopeless) return false;
    const rise = this.mostRise(threshold - this.costOf(this.trial.price));
    return rise < -MOST_GAIN * this.kernel.score;
  }

  /** What leaning and keeping even count at a temperature. */
  private warm(temperature: number): void {
    const { targets, nodeCount } = this.layout;
    const most = this.strengths && nodeCount >= MANY_NODES ? LEANING_OF_MANY : LEANING;
    this.leaning = (most * Math.min(1, LEANING_NODES / targets.length) * temperature) / this.largest ** 2;
    if (!this.evensOut) return;
    if (this.keepsEven) this.evening = KEEPING_EVEN * temperature;
    else if (this.usesUp) this.evening = EVENING_OUT * Math.max(0, 1 - temperature / EVENING_FROM);
  }

  /** Adds another instance to the trial, one that leaves where the move that was drawn leads. */
  private drawChain(i: number, way: number): boolean {
    if (this.drawnP === this.primary[i]) return false;
    // To where it came from, or anywhere else: numbers that are uneven are to become even.
    const to = way & 12 ? this.primary[i]! : this.anyTarget();
    return to !== this.drawnP && this.chains.chain(this.drawnP, to);
  }

  /** Makes a trial of a single move of an instance; false where it is none. */
  private draw(i: number): boolean {
    const { layout, random } = this;
    const p = this.primary[i]!;
    const s = this.secondary[i]!;
    if (layout.isMirrored[i] === 1) this.drawMirrored(i, p, s);
    else {
      this.drawnP = random.below(HOME_IN) === 0 ? layout.primary[i]! : this.anyTarget();
      this.drawnS = s;
    }
    this.trial.begin();
    return (this.drawnP !== p || this.drawnS !== s) && this.trial.add(i, this.drawnP, this.drawnS);
  }

  private drawMirrored(i: number, p: number, s: number): void {
    const { layout, random } = this;
    const way = layout.diskMoves ? random.below(WAYS) : 0;
    const t = this.anyTarget();
    this.drawnP = p;
    this.drawnS = s;
    if (way === 0) {
      this.drawnP = s;
      this.drawnS = p;
    } else if (way === 1) {
      this.drawnP = layout.primary[i]!;
      this.drawnS = layout.secondary[i]!;
    } else if (way === 2) {
      this.drawnP = layout.secondary[i]!;
      this.drawnS = layout.primary[i]!;
    } else if (t === p || t === s) return;
    else if (way <= 4) this.drawnS = t;
    else if (this.hasToLeave(i, p, s)) {
      // Both nodes at once: with one of them alone it may be nowhere.
      this.drawnP = t;
      this.drawnS = this.anyTarget();
    } else if (way === 5) this.drawnP = t;
    else if (way === 6) {
      this.drawnP = t;
      this.drawnS = p;
    } else {
      this.drawnP = s;
      this.drawnS = t;
    }
  }

  /** Whether the instance is still where it is to leave. */
  private hasToLeave(i: number, p: number, s: number): boolean {
    const { evacuees } = this.layout;
    return evacuees !== undefined && p === evacuees.homePrimary[i] && s === evacuees.homeSecondary[i];
  }

  private anyTarget(): number {
    return this.layout.targets[this.random.below(this.layout.targets.length)]!;
  }

  /** Score that a change of the price, and the trial's of the meters, must gain; Infinity above a cap. */
  private costOf(price: number): number {
    if (price > 0 && this.price + price > this.mostPrice) return Number.POSITIVE_INFINITY;
    let cost = this.rate * price;
    for (const meter of this.meters) {
      const more = this.metered(meter);
      if (more > 0 && meter.used + more > meter.most) return Number.POSITIVE_INFINITY;
      cost += meter.rate * more;
    }
    return cost;
  }

  /** What the trial adds to a meter. */
  private metered({ what }: Meter): number {
    const { trial, prices } = this;
    let more = 0;
    for (let t = 0; t < trial.count; t++) {
      const i = trial.instances[t]!;
      more += prices.amount(what, i, trial.toNeeds[t]!);
      more -= prices.amount(what, i, trial.fromNeeds[t]!);
    }
    return more;
  }

  private pay(price: number): void {
    this.price += price;
    for (const meter of this.meters) meter.used += this.metered(meter);
  }

  /**
   * How rates follow what they hold down.
   * @param change by which factor they rise where all is used twice
   * @param isCool whether the score is about that of the end
   */
  steer(mostPrice: number, change: number, isCool: boolean): void {
    const factor = (used: number, most: number): number =>
      most > 0 ? change ** Math.min(1, used / most - 1) : 1;
    if (mostPrice < Number.POSITIVE_INFINITY) this.rate *= factor(this.price, mostPrice);
    for (const meter of this.meters) {
      const { target } = meter;
      if (isCool && target !== undefined) {
        meter.rate *= factor(target, this.kernel.score);
        this.bendsAt = target;
      } else meter.rate *= factor(meter.used, meter.guide);
    }
  }

  private misses({ target }: Meter): boolean {
    return target !== undefined && this.kernel.score > target;
  }

  /** Multiplies the rates of what is above its cap, and lowers those of what misses its target. */
  raise(mostPrice: number, factor: number): void {
    if (this.price > mostPrice) this.rate *= factor;
    for (const meter of this.meters) {
      if (meter.used > meter.cap || factor === 0) meter.rate *= factor;
      else if (this.misses(meter)) meter.rate /= EASING;
    }
  }

  /** From now on no more is used for targets. */
  rest(): void {
    for (const meter of this.meters) if (meter.target !== undefined) meter.cap = meter.used;
  }

  /** Whether a cap is broken or a target missed. */
  isOver(mostPrice: number): boolean {
    return (
      this.price > mostPrice || this.meters.some((meter) => meter.used > meter.cap || this.misses(meter))
    );
  }

  /** From now on nothing may rise above its cap, or further above it. */
  hold(mostPrice: number): void {
    this.mostPrice = Math.max(mostPrice, this.price);
    for (const meter of this.meters) meter.most = Math.max(meter.cap, meter.used);
  }

  /**
   * By how much more the score may rise where secondaries go to their like. A node pays only for its largest
   * reservation, so large ones belong together, and best on nodes with much memory; but as long as a node has
   * two of them, taking one away gains nothing.
   */
  private lean(): number {
    const { instances, fromSecondary, toSecondary, count } = this.trial;
    let lean = this.evening > 0 ? this.evening * this.evened() : 0;
    for (let t = 0; t < count; t++) {
      const s = fromSecondary[t]!;
      const S = toSecondary[t]!;
      if (S === s || S < 0) continue;
      lean += this.leaning * this.kernel.books.aboveMean(instances[t]!) * (this.pull(S) - this.pull(s));
    }
    return lean;
  }

  /** By how much half the squares of the nodes' numbers of secondaries sink with the trial. */
  private evened(): number {
    const { fromSecondary, toSecondary, count } = this.trial;
    const { numbers } = this.residents;
    let gain = 0;
    for (let t = 0; t < count; t++) {
      if (toSecondary[t]! >= 0) gain += numbers[fromSecondary[t]!]!-- - ++numbers[toSecondary[t]!]!;
    }
    for (let t = 0; t < count; t++) {
      if (toSecondary[t]! < 0) continue;
      numbers[fromSecondary[t]!]!++;
      numbers[toSecondary[t]!]!--;
    }
    return gain;
  }

  /** How much a node pulls secondaries that are larger than the mean, MiB. */
  private pull(node: number): number {
    const { largest, strengths } = this;
    const excess = this.kernel.books.excess[node]!;
    if (!strengths) return excess;
    return strengths[node]! * (Math.min(excess, MOST_PULL * largest) + PULL_OF_SIZE * largest);
  }

  /**
   * By how much the score may rise where what it counts may rise by `allowed`. Near a target it counts by a
   * square more or less: the curve of what scores need is no hollow one, so at any one rate a walk would be
   * either far above the target or far below it.
   */
  private mostRise(allowed: number): number {
    const { bendsAt } = this;
    if (bendsAt === undefined) return allowed;
    const width = BEND * bendsAt;
    const above = this.kernel.score - bendsAt + width;
    const most = Math.max(above, 0) ** 2 + 2 * width * allowed;
    return most < 0 ? Number.NEGATIVE_INFINITY : Math.sqrt(most) - above;
  }

  /** Takes the trial when the rules, the caps and the temperature allow it. */
  private tryTrial(threshold: number): void {
    const { trial, residents } = this;
    const { price } = trial;
    const cost = this.costOf(price);
    if (cost === Number.POSITIVE_INFINITY) return;
    if (!trial.run(this.mostRise(threshold + this.lean() - cost))) return;
    this.pay(price);
    for (let t = 0; t < trial.count; t++) {
      residents.moved(
        trial.instances[t]!,
        trial.fromPrimary[t]!,
        trial.fromSecondary[t]!,
        trial.toPrimary[t]!,
        trial.toSecondary[t]!,
      );
    }
  }

  /** Moves the instance when the rules, the caps and the temperature allow it. */
  private consider(i: number, P: number, S: number, threshold: number): void {
    const { kernel, trial } = this;
    const p = this.primary[i]!;
    const s = this.secondary[i]!;
    const { price } = trial;
    const cost = this.costOf(price);
    if (cost === Number.POSITIVE_INFINITY) return;
    const score = kernel.evaluate(i, P, S);
    if (score - kernel.score > this.mostRise(threshold + this.lean() - cost)) return;
    kernel.apply(i, P, S);
    this.residents.moved(i, p, s, P, S);
    this.pay(price);
  }
}
