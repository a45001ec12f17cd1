/**
 * How much a search may do: a host with 64 devices has 68 billion candidates for a query for six of them.
 * What would go on for too long is refused.
 */

/** The search has been cut off; there may be more candidates than were found. */
export class SearchTooWide extends Error {}

/** Candidates of a query without a limit, and trials of a provider for a slot of any (about a second). */
export const MOST_CANDIDATES = 250_000;
export const MOST_TRIALS = 20_000_000;

/** What is left of the work; several searches for one answer share it. */
export interface Work {
  trialsLeft: number;
}

export class Budget {
  constructor(
    private readonly mostCandidates: number,
    private readonly work: Work,
  ) {}

  spend(trials: number, found: number, anchor: { readonly name: string }): void {
    this.work.trialsLeft -= trials;
    if (this.work.trialsLeft < 0 || found > this.mostCandidates)
      throw new SearchTooWide(
        `the search was cut off in the tree of ${anchor.name} after ${found} candidates`,
      );
  }
}
