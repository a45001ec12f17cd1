/**
 * From a placement to a sequence of steps: each legal when its turn comes, the most useful first.
 *
 * At each turn the legal step with the greatest gain per GiB is taken; steps that lower the score come before any that raise
 * it. Where nothing is legal and something is left, the steps wait for each other in a circle: one instance makes a
 * detour, a free one if that helps. What no detour frees stays where it is.
 */
import { FAILOVER_AND_REPLACE, FAILOVER_TO_ANY, FAILOVER, type MoveKind, REPLACE_PRIMARY, REPLACE_SECONDARY } from '../../../model/moves/kinds.ts';
import { Kernel } from '../kernel/kernel.ts';
import type { SearchLayout } from '../kernel/layout.ts';
import type { Placement } from '../walk/lane.ts';
import { migrates } from '../walk/open-placements.ts';
import { MIB_PER_GIB } from '../walk/prices.ts';
import { firstLegs, type Leg } from './routes.ts';

export interface OrderedStep {
  readonly instance: number;
  readonly kind: MoveKind;
  readonly target: number;
  /** Taken only to let others pass. */
  readonly isDetour: boolean;
}

/** What counts beside the GiB in "gain per GiB", so that free steps are compared as well. */
const FREE_STEP_GIB = 0.5;

interface Choice {
  readonly instance: number;
  readonly leg: Leg;
  readonly worth: number;
}

export class Ordering {
  readonly kernel: Kernel;
  private readonly layout: SearchLayout;
  private readonly goal: Placement;
  private remaining: number[];
  private readonly hasDetoured = new Set<number>();
  private readonly steps: OrderedStep[] = [];

  constructor(layout: SearchLayout, goal: Placement) {
    this.layout = layout;
    this.goal = goal;
    this.kernel = new Kernel(layout);
    this.remaining = [...layout.movable].filter((i) => !this.isThere(i));
  }

  /** The steps; instances that could not get to their places are left out. */
  run(): readonly OrderedStep[] {
    while (this.remaining.length > 0) {
      const next = this.best();
      if (next !== undefined) this.take(next.instance, next.leg, false);
      else if (!this.detour()) break;
    }
    return this.steps;
  }

  private isThere(i: number): boolean {
    const { primary, secondary } = this.kernel.books;
    return primary[i] === this.goal.primary[i] && secondary[i] === this.goal.secondary[i];
  }

  private legsOf(i: number): readonly Leg[] {
    const { primary, secondary } = this.kernel.books;
    return firstLegs(
      this.layout,
      i,
      primary[i]!,
      secondary[i]!,
      this.goal.primary[i]!,
      this.goal.secondary[i]!,
    );
  }

  /** Score after a step, or Infinity where it is not allowed now. */
  private scoreAfter(i: number, { kind, target, primary: P, secondary: S }: Leg): number {
    const { layout, kernel } = this;
    const p = kernel.books.primary[i]!;
    const s = kernel.books.secondary[i]!;
    const { isOffline } = layout;
    if (target >= 0 && isOffline[target] === 1) return Number.POSITIVE_INFINITY;
    if (layout.evacuationOnly && isOffline[p] === 0 && (s < 0 || isOffline[s] === 0))
      return Number.POSITIVE_INFINITY;
    const viaSecondary = kind === FAILOVER || kind === FAILOVER_AND_REPLACE || kind === REPLACE_PRIMARY;
    if (viaSecondary && (isOffline[s] === 1 || !migrates(layout, p, s))) return Number.POSITIVE_INFINITY;
    if (kind === REPLACE_PRIMARY && !(migrates(layout, s, P) && kernel.canCarry(i)))
      return Number.POSITIVE_INFINITY;
    if (P !== p && !viaSecondary && !migrates(layout, p, P)) return Number.POSITIVE_INFINITY;
    return kernel.evaluate(i, P, S);
  }

  private best(): Choice | undefined {
    const { kernel, layout } = this;
    let found: Choice | undefined;
    for (const i of this.remaining) {
      for (const leg of this.legsOf(i)) {
        const score = this.scoreAfter(i, leg);
        if (score === Number.POSITIVE_INFINITY) continue;
        const gain = kernel.score - score;
        const copies = leg.kind === FAILOVER || leg.kind === FAILOVER_TO_ANY ? 0 : 1;
        const gib = FREE_STEP_GIB + (copies * layout.disk[i]!) / MIB_PER_GIB;
        // What raises the score comes last, the least harm first.
        const worth = gain > 0 ? gain / gib : gain * gib;
        if (found === undefined || worth > found.worth) found = { instance: i, leg, worth };
      }
    }
    return found;
  }

  private take(i: number, leg: Leg, isDetour: boolean): void {
    this.kernel.apply(i, leg.primary, leg.secondary);
    this.steps.push({ instance: i, kind: leg.kind, target: leg.target, isDetour });
    this.remaining = this.remaining.filter((one) => !this.isThere(one));
  }

  /** Moves an instance that waits somewhere else, so that another's step becomes legal. Each makes one detour at most. */
  private detour(): boolean {
    for (const isFree of [true, false]) {
      for (const i of this.remaining) {
        if (this.hasDetoured.has(i)) continue;
        for (const leg of this.detoursOf(i, isFree)) if (this.helps(i, leg)) return true;
      }
    }
    return false;
  }

  private *detoursOf(i: number, isFree: boolean): Iterable<Leg> {
    const { layout } = this;
    const p = this.kernel.books.primary[i]!;
    const s = this.kernel.books.secondary[i]!;
    if (layout.isMirrored[i] === 0) {
      if (!isFree) return;
      for (const t of layout.targets) if (t !== p) yield { kind: FAILOVER_TO_ANY, target: t, primary: t, secondary: s };
    } else if (isFree) {
      if (layout.instanceMoves) yield { kind: FAILOVER, target: -1, primary: s, secondary: p };
    } else if (layout.diskMoves) {
      for (const t of layout.targets)
        if (t !== p && t !== s) yield { kind: REPLACE_SECONDARY, target: t, primary: p, secondary: t };
    }
  }

  private helps(i: number, leg: Leg): boolean {
    if (this.scoreAfter(i, leg) === Number.POSITIVE_INFINITY) return false;
    const { kernel } = this;
    const p = kernel.books.primary[i]!;
    const s = kernel.books.secondary[i]!;
    kernel.apply(i, leg.primary, leg.secondary);
    const isFreed = this.remaining.some(
      (j) => j !== i && this.legsOf(j).some((next) => this.scoreAfter(j, next) < Number.POSITIVE_INFINITY),
    );
    kernel.apply(i, p, s);
    if (!isFreed) return false;
    this.hasDetoured.add(i);
    this.take(i, leg, true);
    return true;
  }
}
