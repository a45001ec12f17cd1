/**
 * The candidates of a step that may be the best one: all within the scan's tolerance of the lowest score so
 * far, and more of the best where moves are refused, so that the next ones need no scan each.
 *
 * Among equal nodes these are tens of thousands a step, so each is two numbers: a key and a score.
 */
import type { Move, MoveKind } from '../../../model/moves/kinds.ts';

/** A move, and the score that it leads to. */
export interface Candidate extends Move {
  readonly score: number;
}

/**
 * Candidates of one choice at most, the first in visiting order. Those left out are within rounding of the
 * best as well.
 */
export const MOST_CLOSEST = 4096;

/** Room for targets, -1 among them, and for kinds of move; instances have the rest of a whole number. */
const TARGETS = 2 ** 20;
const KINDS = 8;

/** A move as a number. They ascend as moves are visited: by instance, failover first, target, kind. */
const keyOf = (instance: number, kind: number, target: number): number =>
  (instance * TARGETS + target + 1) * KINDS + kind;

const candidateOf = (key: number, score: number): Candidate => ({
  instance: Math.floor(key / (TARGETS * KINDS)),
  kind: (key % KINDS) as MoveKind,
  target: (Math.floor(key / KINDS) % TARGETS) - 1,
  score,
});

export class Candidates {
  /** In no order. */
  private keys: number[] = [];
  private scores: number[] = [];
  /** Lowest score seen, but for what is refused. */
  best = Number.POSITIVE_INFINITY;
  /** Candidates above this are not kept. */
  limit = Number.POSITIVE_INFINITY;
  private ceiling = Number.POSITIVE_INFINITY;
  private tolerance = 0;
  /** How many are kept for sure, and how many there may be before all others are dropped. */
  private most = 0;
  private room = 0;
  /** Keys of moves that are not to be taken in this step, whatever their score. */
  private readonly refused = new Set<number>();

  /**
   * Starts a step, or a look at what else there is.
   * @param ceiling candidates must be below this score to count at all
   * @param most how many of the best to keep, be they close to the very best or not
   */
  reset(ceiling: number, tolerance: number, most = 0): void {
    this.clear();
    this.ceiling = ceiling;
    this.tolerance = tolerance;
    this.best = ceiling;
    this.limit = ceiling + tolerance;
    this.most = most;
    this.room = 2 * most;
  }

  /** Drops all, which a scan is to find again; what score they reach stays known. */
  clear(): void {
    this.keys = [];
    this.scores = [];
  }

  add(instance: number, kind: MoveKind, target: number, score: number): void {
    this.addKey(keyOf(instance, kind, target), score);
  }

  private addKey(key: number, score: number): void {
    if (this.refused.size > 0 && this.refused.has(key)) return;
    this.keys.push(key);
    this.scores.push(score);
    if (score < this.best) this.best = score;
    if (this.most === 0) this.limit = this.highest;
    else if (this.keys.length > this.room) this.keepMost();
  }

  /** Drops all but the best, and what is as good as the last of them. */
  private keepMost(): void {
    const scores = Float64Array.from(this.scores).sort();
    this.limit = Math.max(scores[this.most - 1]!, this.highest);
    this.keep((k) => this.scores[k]! <= this.limit);
    this.room = 2 * this.keys.length;
  }

  /** Passes over a candidate until the refusals are forgotten. */
  refuse({ instance, kind, target }: Move): void {
    const key = keyOf(instance, kind, target);
    this.refused.add(key);
    this.keep((k) => this.keys[k] !== key);
    this.best = this.ceiling;
    for (const score of this.scores) if (score < this.best) this.best = score;
  }

  private keep(isKept: (place: number) => boolean): void {
    const places = [...this.keys.keys()].filter(isKept);
    this.keys = places.map((k) => this.keys[k]!);
    this.scores = places.map((k) => this.scores[k]!);
  }

  /** Whether all that may be the best now are here: after refusals what was not kept may be. */
  get isComplete(): boolean {
    return this.highest <= this.limit;
  }

  /** After a step all moves are open again. */
  forgetRefusals(): void {
    this.refused.clear();
  }

  /** The first in visiting order of those that rounding cannot tell from the best. */
  closest(): Candidate[] {
    const { keys, scores } = this;
    const places = this.closestPlaces(MOST_CLOSEST).sort((a, b) => keys[a]! - keys[b]!);
    return places.map((k) => candidateOf(keys[k]!, scores[k]!));
  }

  private closestPlaces(most: number): number[] {
    const { keys, scores, highest } = this;
    const places: number[] = [];
    for (let k = 0; k < keys.length; k++) if (scores[k]! <= highest) places.push(k);
    if (places.length <= most) return places;
    const last = Float64Array.from(places, (k) => keys[k]!).sort()[most - 1]!;
    return places.filter((k) => keys[k]! <= last);
  }

  /** Up to here rounding cannot tell a score from the best. */
  private get highest(): number {
    return this.best + this.tolerance;
  }

  /** Writes the closest for another thread, as many as have room: their number, key and score of each. */
  handOver(to: Float64Array): void {
    const places = this.closestPlaces((to.length - 1) / 2);
    to[0] = places.length;
    for (const [at, k] of places.entries()) {
      to[1 + 2 * at] = this.keys[k]!;
      to[2 + 2 * at] = this.scores[k]!;
    }
  }

  /** Takes over what another thread has handed over. */
  takeOver(from: Float64Array): void {
    for (let at = 1; at <= 2 * from[0]!; at += 2)
      if (from[at + 1]! <= this.limit) this.addKey(from[at]!, from[at + 1]!);
  }

  /** Whether some that may be among the closest had no room when they were handed over. */
  lacksSomeOf(from: Float64Array): boolean {
    if (from.length > 1 + 2 * from[0]!) return false;
    let close = 0;
    for (let at = 2; at < from.length; at += 2) if (from[at]! <= this.highest) close++;
    return close < MOST_CLOSEST;
  }

  /** Scores up to this are lower for sure than those of all that are not among the closest. */
  get sure(): number {
    return this.best + this.tolerance / 2;
  }
}
