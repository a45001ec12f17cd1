/**
 * The candidates of a step that may be the best one: all within the scan's tolerance of the lowest score so
 * far, and more of the best where moves are refused, so that the next ones need no scan each.
 */
import type { Move, MoveKind } from '../../../model/moves/kinds.ts';

/** A move, and the score that it leads to. */
export interface Candidate extends Move {
  readonly score: number;
}

/** A move as a key of the refused ones. */
const keyOf = (instance: number, kind: number, target: number): string => `${instance} ${kind} ${target}`;

export class Candidates {
  /** In no order. */
  list: Candidate[] = [];
  /** Lowest score seen, but for what is refused. */
  best = Number.POSITIVE_INFINITY;
  /** Candidates above this are not kept. */
  limit = Number.POSITIVE_INFINITY;
  private ceiling = Number.POSITIVE_INFINITY;
  private tolerance = 0;
  /** How many are kept for sure, and how many there may be before all others are dropped. */
  private most = 0;
  private room = 0;
  /** Moves that are not to be taken in this step, whatever their score. */
  private readonly refused = new Set<string>();

  /**
   * Starts a step, or a look at what else there is.
   * @param ceiling candidates must be below this score to count at all
   * @param most how many of the best to keep, be they close to the very best or not
   */
  reset(ceiling: number, tolerance: number, most = 0): void {
    this.list = [];
    this.ceiling = ceiling;
    this.tolerance = tolerance;
    this.best = ceiling;
    this.limit = ceiling + tolerance;
    this.most = most;
    this.room = 2 * most;
  }

  add(instance: number, kind: MoveKind, target: number, score: number): void {
    if (this.refused.size > 0 && this.refused.has(keyOf(instance, kind, target))) return;
    this.list.push({ instance, kind, target, score });
    if (score < this.best) this.best = score;
    if (this.most === 0) this.limit = this.best + this.tolerance;
    else if (this.list.length > this.room) this.keepMost();
  }

  /** Drops all but the best, and what is as good as the last of them. */
  private keepMost(): void {
    const scores = Float64Array.from(this.list, ({ score }) => score).sort();
    this.limit = Math.max(scores[this.most - 1]!, this.best + this.tolerance);
    this.list = this.list.filter(({ score }) => score <= this.limit);
    this.room = 2 * this.list.length;
  }

  /** Passes over a candidate until the refusals are forgotten. */
  refuse(candidate: Candidate): void {
    this.refused.add(keyOf(candidate.instance, candidate.kind, candidate.target));
    this.list = this.list.filter((other) => other !== candidate);
    this.best = this.ceiling;
    for (const { score } of this.list) if (score < this.best) this.best = score;
  }

  /** Whether all that may be the best now are here: after refusals what was not kept may be. */
  get isComplete(): boolean {
    return this.best + this.tolerance <= this.limit;
  }

  /** After a step all moves are open again. */
  forgetRefusals(): void {
    this.refused.clear();
  }

  /** Those that rounding cannot tell from the best: by instance, failover first, target, kind. */
  closest(): Candidate[] {
    const highest = this.best + this.tolerance;
    return this.list
      .filter(({ score }) => score <= highest)
      .sort((a, b) => a.instance - b.instance || a.target - b.target || a.kind - b.kind);
  }

  /** Scores up to this are lower for sure than those of all that are not among the closest. */
  get sure(): number {
    return this.best + this.tolerance / 2;
  }
}
