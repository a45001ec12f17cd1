/** How long a search goes on: for so many candidates, or for as long as a clock says. */

/** Candidates between two looks at the clock, or two words about how far the search is. */
const CANDIDATES_A_LOOK = 64;

export interface BudgetLimits {
  /** Candidates in all; without it the clock is the limit. */
  readonly candidates?: number | undefined;
  /** The share of the time that is over, 1 and more at its end. */
  readonly clock?: () => number;
  /** Told now and then what share is spent. */
  readonly watch?: ((share: number) => void) | undefined;
}

export class Budget {
  private spent = 0;
  private spentShare = 0;

  constructor(private readonly limits: BudgetLimits) {
    this.look();
  }

  /** Counts candidates. */
  spend(candidates = 1): void {
    const looks = Math.floor(this.spent / CANDIDATES_A_LOOK);
    this.spent += candidates;
    const { candidates: most } = this.limits;
    if (most !== undefined) this.spentShare = this.spent / most;
    if (Math.floor(this.spent / CANDIDATES_A_LOOK) > looks) this.look();
  }

  get isSpent(): boolean {
    return this.spentShare >= 1;
  }

  /** Looks at the clock where time is the limit: after work that is no candidate. */
  look(): void {
    const { candidates, clock, watch } = this.limits;
    if (candidates === undefined) this.spentShare = clock?.() ?? 1;
    watch?.(this.spentShare);
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
