/**
 * One attempt at an order: at each turn the legal step that is worth most, until none is left or none is
 * legal.
 *
 * Worth is the score gained per second of the price; what raises the score comes last. Above worth stands
 * urgency, by which one attempt learns from the last. A step changes four nodes at most, so of what was not
 * legal only steps that touch these can be now; that what was legal still is, and is still worth most, is
 * asked when its turn comes.
 */
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  type Move,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../model/moves/kinds.ts';
import { Kernel } from '../kernel/kernel.ts';
import type { SearchLayout } from '../kernel/layout.ts';
import { migrates } from '../walk/open-placements.ts';
import { type Placement, Prices } from '../walk/prices.ts';
import { firstLegs, type Leg } from './routes.ts';

export interface OrderedStep extends Move {
  /** Taken only to let others pass. */
  readonly isDetour: boolean;
}

/** What counts beside the price in "gain per second", so that free steps are compared as well. */
const FREE_STEP_SECONDS = 1;
/** Urgency goes before any worth. */
const URGENCY_WEIGHT = 1e6;

/**
 * Steps after which all worths are brought up to date; between them only what was not legal is looked at
 * again. On large clusters as many as make so many such looks: each of them is work for all that is left.
 */
const LOOK_AT_ALL_EVERY = 10;
const LOOKS_AT_ALL = 64;

const NEVER = Number.POSITIVE_INFINITY;

export class Attempt {
  readonly kernel: Kernel;
  /** Instances that are not where they are to be. */
  remaining: number[] = [];
  steps: OrderedStep[] = [];
  private readonly prices: Prices;
  private readonly worths: Float64Array;
  private readonly legs: (Leg | undefined)[];
  /** Instances whose next step a change of a node may make legal: those that come from it or go to it. */
  private readonly concerned: number[][];
  private lookAtAllEvery = LOOK_AT_ALL_EVERY;

  constructor(
    readonly layout: SearchLayout,
    readonly goal: Placement,
    readonly urgency: Float64Array = new Float64Array(layout.instanceCount),
  ) {
    this.kernel = new Kernel(layout);
    this.prices = new Prices(layout);
    this.worths = new Float64Array(layout.instanceCount);
    this.legs = Array.from({ length: layout.instanceCount });
    this.concerned = Array.from({ length: layout.nodeCount }, () => []);
  }

  /** Begins at the start. */
  restart(): void {
    this.kernel.load();
    this.steps = [];
    this.remaining = [...this.layout.movable].filter((i) => !this.isThere(i));
    this.lookAtAllEvery = Math.max(LOOK_AT_ALL_EVERY, Math.ceil(this.remaining.length / LOOKS_AT_ALL));
    for (const one of this.concerned) one.length = 0;
    for (const i of this.remaining) {
      this.enlist(i);
      this.look(i);
    }
  }

  private enlist(i: number): void {
    const { primary, secondary } = this.kernel.books;
    for (const node of [primary[i]!, secondary[i]!, this.goal.primary[i]!, this.goal.secondary[i]!]) {
      const members = node >= 0 ? this.concerned[node]! : undefined;
      if (members && !members.includes(i)) members.push(i);
    }
  }

  /** Takes steps as long as one is legal. */
  run(): void {
    for (let next = this.best(); next >= 0; next = this.best()) this.take(next, this.legs[next]!, false);
  }

  isThere(i: number): boolean {
    const { primary, secondary } = this.kernel.books;
    return primary[i] === this.goal.primary[i] && secondary[i] === this.goal.secondary[i];
  }

  legsOf(i: number): readonly Leg[] {
    const { primary, secondary } = this.kernel.books;
    const { goal } = this;
    return firstLegs(this.layout, i, primary[i]!, secondary[i]!, goal.primary[i]!, goal.secondary[i]!);
  }

  /** Score after a step, or Infinity where it is not allowed now. */
  scoreAfter(i: number, { kind, target, primary: P, secondary: S }: Leg): number {
    const { layout, kernel } = this;
    const p = kernel.books.primary[i]!;
    const s = kernel.books.secondary[i]!;
    const { isOffline } = layout;
    if (target >= 0 && isOffline[target] === 1) return NEVER;
    const copiesFromPrimary = kind === REPLACE_SECONDARY || kind === REPLACE_AND_FAILOVER;
    if (copiesFromPrimary && layout.isStranded[i] === 1 && p === layout.primary[i]) return NEVER;
    const isOnOffline = isOffline[p] === 1 || (s >= 0 && isOffline[s] === 1);
    if (layout.evacuationOnly && !isOnOffline) return NEVER;
    const viaSecondary = kind === FAILOVER || kind === FAILOVER_AND_REPLACE || kind === REPLACE_PRIMARY;
    if (viaSecondary && (isOffline[s] === 1 || !migrates(layout, p, s))) return NEVER;
    if (kind === REPLACE_PRIMARY && !(migrates(layout, s, P) && kernel.canCarry(i))) return NEVER;
    if (P !== p && !viaSecondary && !migrates(layout, p, P)) return NEVER;
    return kernel.evaluate(i, P, S);
  }

  /** Takes a step that is legal. */
  take(i: number, leg: Leg, isDetour: boolean): void {
    const { primary, secondary } = this.kernel.books;
    const touched = [primary[i]!, secondary[i]!, leg.primary, leg.secondary];
    this.kernel.apply(i, leg.primary, leg.secondary);
    this.steps.push({ instance: i, kind: leg.kind, target: leg.target, isDetour });
    const place = this.remaining.indexOf(i);
    if (this.isThere(i)) {
      if (place >= 0) this.remaining.splice(place, 1);
    } else {
      if (place < 0) this.remaining.push(i);
      this.enlist(i);
      this.look(i);
    }
    if (this.steps.length % this.lookAtAllEvery === 0) {
      for (const one of this.remaining) this.look(one);
      return;
    }
    for (const node of touched) {
      for (const one of node >= 0 ? this.concerned[node]! : []) {
        if (this.legs[one] === undefined && !this.isThere(one)) this.look(one);
      }
    }
  }

  /** Looks for the best first step of an instance now. */
  private look(i: number): void {
    const { kernel, prices } = this;
    let best = Number.NEGATIVE_INFINITY;
    let found: Leg | undefined;
    for (const leg of this.legsOf(i)) {
      const score = this.scoreAfter(i, leg);
      if (score === NEVER) continue;
      const gain = kernel.score - score;
      const price = FREE_STEP_SECONDS + prices.ofStep(i, leg.kind);
      const worth = gain > 0 ? gain / price : gain * price;
      if (found === undefined || worth > best) {
        found = leg;
        best = worth;
      }
    }
    this.legs[i] = found;
    this.worths[i] = best + URGENCY_WEIGHT * this.urgency[i]!;
  }

  /** The instance whose step is worth most, else -1; worths may be out of date: the best is reviewed. */
  private best(): number {
    const { worths, legs } = this;
    for (let looked = -1; ; ) {
      let best = -1;
      for (const i of this.remaining) {
        if (legs[i] !== undefined && (best < 0 || worths[i]! > worths[best]!)) best = i;
      }
      if (best < 0 || best === looked) return best;
      this.look(best);
      looked = best;
    }
  }
}
