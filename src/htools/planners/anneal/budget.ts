/** How long a search goes on: for so many candidates, and no longer than a clock says. */

/**
 * Share of the time after which the work may lag behind the clock no more: a search with time enough is the
 * same however fast the machine is, and one without cools down sooner.
 */
const LEEWAY = 0.2;

/** Candidates between two looks at the clock, or two words about how far the search is. */
const CANDIDATES_A_LOOK = 64;

interface BudgetLimits {
  /** Candidates in all. */
  readonly candidates: number;
  /** The share of the time that is over, 1 and more at its end. No matter where the work keeps up. */
  readonly clock?: (() => number) | undefined;
  /** Told now and then what share is spent. */
  readonly watch?: (share: number) => void;
}

export class Budget {
  /** Candidates looked at. */
  done = 0;
  /** How much of it is spent; 1 and more: all. */
  share = 0;
  /** Whether the clock ends it before its work is done. */
  isCut = false;

  constructor(private readonly limits: BudgetLimits) {
    this.look();
  }

  /** Counts candidates. */
  spend(candidates = 1): void {
    const looks = Math.floor(this.done / CANDIDATES_A_LOOK);
    this.done += candidates;
    this.share = Math.max(this.share, this.done / this.limits.candidates);
    if (Math.floor(this.done / CANDIDATES_A_LOOK) > looks) this.look();
  }

  get isSpent(): boolean {
    return this.share >= 1;
  }

  /** Looks at the clock: after work that is no candidate. */
  look(): void {
    const { clock, watch } = this.limits;
    const due = ((clock?.() ?? 0) - LEEWAY) / (1 - LEEWAY);
    if (due > this.share) {
      this.share = due;
      this.isCut = true;
    }
    watch?.(this.share);
  }

  /** Share of the work that was done: less than 1 only where the clock ended it. */
  get workShare(): number {
    return this.isCut ? Math.min(1, this.done / this.limits.candidates) : 1;
  }
}

/** How long a deep search goes on, and the seed of its random numbers. */
export interface DeepOptions {
  readonly seed: number;
  readonly budget: Budget;
}
