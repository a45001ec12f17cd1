/** How much is looked at: moves that are tried; what costs as much as several counts as several. */

export interface Work {
  spend(tries: number): void;
  readonly isSpent: boolean;
}

/** So many moves. */
export class Tries implements Work {
  private left: number;

  constructor(most: number) {
    this.left = most;
  }

  spend(tries: number): void {
    this.left -= tries;
  }

  get isSpent(): boolean {
    return this.left <= 0;
  }
}
