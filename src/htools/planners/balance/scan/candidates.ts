/**
 * The candidates of a step that may be the best one: all within the scan's tolerance of the lowest score so
 * far. Plain arrays of numbers: nothing is made per candidate in the scan, unless moves were refused.
 */

/** A move as a key of the refused ones. */
const keyOf = (instance: number, kind: number, target: number): string => `${instance} ${kind} ${target}`;

export class Candidates {
  readonly instances: number[] = [];
  readonly kinds: number[] = [];
  readonly targets: number[] = [];
  readonly scores: number[] = [];
  /** Lowest score seen. */
  best = Number.POSITIVE_INFINITY;
  /** Candidates above this are not kept. */
  limit = Number.POSITIVE_INFINITY;
  private tolerance = 0;
  /** Moves that are not to be taken in this step, whatever their score. */
  private readonly refused = new Set<string>();

  /** Starts a step. @param ceiling candidates must be below this score to count at all */
  reset(ceiling: number, tolerance: number): void {
    this.instances.length = 0;
    this.kinds.length = 0;
    this.targets.length = 0;
    this.scores.length = 0;
    this.tolerance = tolerance;
    this.best = ceiling;
    this.limit = ceiling + tolerance;
  }

  add(instance: number, kind: number, target: number, score: number): void {
    if (this.refused.size > 0 && this.refused.has(keyOf(instance, kind, target))) return;
    this.instances.push(instance);
    this.kinds.push(kind);
    this.targets.push(target);
    this.scores.push(score);
    if (score < this.best) {
      this.best = score;
      this.limit = score + this.tolerance;
    }
  }

  /** Passes a move over until the refusals are forgotten. */
  refuse(instance: number, kind: number, target: number): void {
    this.refused.add(keyOf(instance, kind, target));
  }

  /** After a step all moves are open again. */
  forgetRefusals(): void {
    this.refused.clear();
  }

  /** Places of candidates within the limit, in order: by instance, failover first, target, kind. */
  closest(): number[] {
    const { instances, kinds, targets, scores, limit } = this;
    const places: number[] = [];
    for (let k = 0; k < scores.length; k++) if (scores[k]! <= limit) places.push(k);
    return places.sort(
      (a, b) => instances[a]! - instances[b]! || targets[a]! - targets[b]! || kinds[a]! - kinds[b]!,
    );
  }
}
