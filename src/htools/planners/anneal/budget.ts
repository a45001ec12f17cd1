/** How long a search goes on: for so many candidates, and no longer than a clock says. */

/**
 * Share of the time after which the work may lag behind the clock no more: a search with time enough is the
 * same however fast the machine is, and one without cools down sooner.
 */
const LEEWAY = 0.2;

/** Candidates between two looks at the clock, or two words about how far the search is. */
const CANDIDATES_A_LOOK = 64;

interface BudgetLimits {
  /** Candidates in all; without it the clock alone is the limit. */
  readonly candidates?: number | undefined;
  /** The share of the time that is over, 1 and more at its end. No matter where the work keeps up. */
  readonly clock?: () => number;
  /** Told now and then what share is spent. */
  readonly watch?: ((share: number) => void) | undefined;
}

export class Budget {
  private spent = 0;
  private spentShare = 0;
  /** Whether the clock ends it before its work is done. */
  isCut = false;

  constructor(private readonly limits: BudgetLimits) {
    this.look();
  }

  /** Counts candidates. */
  spend(candidates = 1): void {
    const looks = Math.floor(this.spent / CANDIDATES_A_LOOK);
    this.spent += candidates;
    const { candidates: most } = this.limits;
    if (most !== undefined) this.spentShare = Math.max(this.spentShare, this.spent / most);
    if (Math.floor(this.spent / CANDIDATES_A_LOOK) > looks) this.look();
  }

  get isSpent(): boolean {
    return this.spentShare >= 1;
  }

  /** Looks at the clock: after work that is no candidate. */
  look(): void {
    const { candidates, clock, watch } = this.limits;
    const time = clock?.() ?? (candidates === undefined ? 1 : 0);
    const due = candidates === undefined ? time : (time - LEEWAY) / (1 - LEEWAY);
    if (due > this.spentShare) {
      this.spentShare = due;
      this.isCut = true;
    }
    watch?.(this.spentShare);
  }

  /** Candidates looked at. */
  get done(): number {
    return this.spent;
  }

  /** Share of the work that was done: less than 1 only where the clock ended it. */
  get workShare(): number {
    const { candidates } = this.limits;
    return this.isCut && candidates !== undefined ? Math.min(1, this.spent / candidates) : 1;
  }

  /** How much of it is spent; 1 and more: all. */
  get share(): number {
    return this.spentShare;
  }
}

/** How long a deep search goes on, and the seed of its random numbers. */
export interface DeepOptions {
  readonly seed: number;
  readonly budget: Budget;
}
