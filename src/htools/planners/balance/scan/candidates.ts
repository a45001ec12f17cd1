/**
 * The candidates of a step that may be the best one: all within the scan's tolerance of the lowest score so
 * far, and more of the best where moves are refused, so that the next ones need no scan each. Plain arrays of
 * numbers: nothing is made per candidate in the scan, unless moves were refused.
 */

/** A move as a key of the refused ones. */
const keyOf = (instance: number, kind: number, target: number): string => `${instance} ${kind} ${target}`;

export class Candidates {
  readonly instances: number[] = [];
  readonly kinds: number[] = [];
  readonly targets: number[] = [];
  readonly scores: number[] = [];
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
    this.instances.length = 0;
    this.kinds.length = 0;
    this.targets.length = 0;
    this.scores.length = 0;
    this.ceiling = ceiling;
    this.tolerance = tolerance;
    this.best = ceiling;
    this.limit = ceiling + tolerance;
    this.most = most;
    this.room = 2 * most;
  }

  add(instance: number, kind: number, target: number, score: number): void {
    if (this.refused.size > 0 && this.refused.has(keyOf(instance, kind, target))) return;
    this.instances.push(instance);
    this.kinds.push(kind);
    this.targets.push(target);
    this.scores.push(score);
    if (score < this.best) this.best = score;
    if (this.most === 0) this.limit = this.best + this.tolerance;
    else if (this.scores.length > this.room) this.keepMost();
  }

  /** Drops all but the best, and what is as good as the last of them. */
  private keepMost(): void {
    const { instances, kinds, targets, scores } = this;
    this.limit = Math.max(Float64Array.from(scores).sort()[this.most - 1]!, this.best + this.tolerance);
    let kept = 0;
    for (let k = 0; k < scores.length; k++) {
      if (scores[k]! > this.limit) continue;
      instances[kept] = instances[k]!;
      kinds[kept] = kinds[k]!;
      targets[kept] = targets[k]!;
      scores[kept++] = scores[k]!;
    }
    for (const figures of [instances, kinds, targets, scores]) figures.length = kept;
    this.room = 2 * kept;
  }

  /** Passes over the candidate at a place until the refusals are forgotten. */
  refuse(k: number): void {
    this.refused.add(keyOf(this.instances[k]!, this.kinds[k]!, this.targets[k]!));
    this.scores[k] = Number.POSITIVE_INFINITY;
    this.best = this.ceiling;
    for (const score of this.scores) if (score < this.best) this.best = score;
  }

  /** Whether all that may be the best now are here: after refusals what was not kept may be. */
  get isComplete(): boolean {
    return this.best + this.tolerance <= this.limit;
  }

  /** After a step all moves are open again. */
  forgetRefusals(): void {
    this.refused.clear();
  }

  /** Places of those that rounding cannot tell from the best: by instance, failover first, target, kind. */
  closest(): number[] {
    const { instances, kinds, targets, scores } = this;
    const highest = this.best + this.tolerance;
    const places: number[] = [];
    for (let k = 0; k < scores.length; k++) if (scores[k]! <= highest) places.push(k);
    return places.sort(
      (a, b) => instances[a]! - instances[b]! || targets[a]! - targets[b]! || kinds[a]! - kinds[b]!,
    );
  }

  /** Scores up to this are lower for sure than those of all that are not among the closest. */
  get sure(): number {
    return this.best + this.tolerance / 2;
  }
}
