/** How much is looked at: moves that are tried; what costs as much as several counts as several. */

export interface Work {
  spend(tries: number): void;
  readonly isSpent: boolean;
}

/** So many moves. */
export class Tries implements Work {
  constructor(private left: number) {}

  spend(tries: number): void {
    this.left -= tries;
  }

  get isSpent(): boolean {
    return this.left <= 0;
  }
}
