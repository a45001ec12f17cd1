/**
 * Several instances placed anew at once: what that costs, what the score is about to be, and the change itself if it passes.
 *
 * Most such changes are no good, so the deviations are worked out first, which is cheap; only what might pass is played on the
 * books, rules and reservations included, and taken back where it does not.
 */
import type { Kernel } from '../kernel/kernel.ts';
import type { SearchLayout } from '../kernel/layout.ts';
import { mayPlace } from './open-placements.ts';
import type { Prices } from './prices.ts';

/** Most instances in one trial. */
const MOST = 8;
/** What reservations and N+1 may gain at most in the eyes of the first look, in score. */
const SLACK = 0.05;

export class Trial {
  count = 0;
  /** What the trial adds to the price and to the steps. */
  gib = 0;
  steps = 0;
  readonly instances = new Int32Array(MOST);
  readonly toPrimary = new Int32Array(MOST);
  readonly toSecondary = new Int32Array(MOST);
  readonly fromPrimary = new Int32Array(MOST);
  readonly fromSecondary = new Int32Array(MOST);
  private readonly kernel: Kernel;
  private readonly layout: SearchLayout;
  private readonly prices: Prices;
  /** Nodes that the trial touches, each node's place among them, and what it adds to their columns. */
  private readonly touched = new Int32Array(4 * MOST);
  private touchedCount = 0;
  private readonly placeOf: Int32Array;
  private readonly added: Float64Array;

  constructor(kernel: Kernel, prices: Prices) {
    this.kernel = kernel;
    this.layout = kernel.layout;
    this.prices = prices;
    this.placeOf = new Int32Array(this.layout.nodeCount).fill(-1);
    this.added = new Float64Array(4 * MOST * this.layout.columnCount);
  }

  begin(): void {
    this.count = 0;
    this.gib = 0;
    this.steps = 0;
  }

  has(i: number): boolean {
    for (let k = 0; k < this.count; k++) if (this.instances[k] === i) return true;
    return false;
  }

  /** Adds an instance that is not in it yet; false where the search may not place it there. */
  add(i: number, P: number, S: number): boolean {
    const { layout, prices, count } = this;
    if (count === MOST || P === S || !mayPlace(layout, i, P, S)) return false;
    const p = this.kernel.books.primary[i]!;
    const s = this.kernel.books.secondary[i]!;
    this.instances[count] = i;
    this.toPrimary[count] = P;
    this.toSecondary[count] = S;
    this.fromPrimary[count] = p;
    this.fromSecondary[count] = s;
    this.gib += prices.gib(i, P, S) - prices.gib(i, p, s);
    this.steps += prices.steps(i, P, S) - prices.steps(i, p, s);
    this.count++;
    return true;
  }

  /** Makes all changes when the rules allow them and the score rises by no more than `room`; else nothing is changed. */
  run(room: number): boolean {
    return this.estimate() - SLACK <= room && this.play(room);
  }

  private addTo(node: number, i: number, amounts: Float64Array, columns: number, sign: number): void {
    const { layout, added, placeOf } = this;
    const k = layout.columnCount;
    let place = placeOf[node]!;
    if (place < 0) {
      place = this.touchedCount++;
      placeOf[node] = place;
      this.touched[place] = node;
      added.fill(0, place * k, place * k + k);
    }
    const at = place * k;
    for (let c = 0; c < columns; c++) {
      added[at + c]! += sign * amounts[i * k + c]! * layout.scale[node * k + c]!;
    }
  }

  /** Change of the deviations by the nodes' figures, reservations left out. */
  private estimate(): number {
    const { layout, kernel, added, touched } = this;
    const { columnCount: k, secondaryColumns: both, asPrimary, asSecondary, weights, perNode } = layout;
    const { sums, squares, x } = kernel.books;
    this.touchedCount = 0;
    for (let t = 0; t < this.count; t++) {
      const i = this.instances[t]!;
      const p = this.fromPrimary[t]!;
      const s = this.fromSecondary[t]!;
      const P = this.toPrimary[t]!;
      const S = this.toSecondary[t]!;
      if (P !== p) {
        this.addTo(p, i, asPrimary, k, -1);
        this.addTo(P, i, asPrimary, k, 1);
      }
      if (S !== s) {
        this.addTo(s, i, asSecondary, both, -1);
        this.addTo(S, i, asSecondary, both, 1);
      }
    }
    let change = 0;
    for (let c = 0; c < k; c++) {
      let sum = sums[c]!;
      let square = squares[c]!;
      for (let t = 0; t < this.touchedCount; t++) {
        const dx = added[t * k + c]!;
        sum += dx;
        square += dx * (2 * x[touched[t]! * k + c]! + dx);
      }
      const mean = sum * perNode[c]!;
      const variance = square * perNode[c]! - mean * mean;
      change += (variance > 0 ? weights[c]! * Math.sqrt(variance) : 0) - kernel.deviations[c]!;
    }
    for (let t = 0; t < this.touchedCount; t++) this.placeOf[touched[t]!] = -1;
    return change;
  }

  private play(room: number): boolean {
    const { kernel, instances, fromPrimary, fromSecondary } = this;
    const { books } = kernel;
    const before = kernel.score;
    const last = this.count - 1;
    // Where it is tight, one can come only when the others have gone.
    for (let t = 1; t <= last; t++) books.leave(instances[t]!);
    let placed = 0;
    for (; placed <= last; placed++) {
      const i = instances[placed]!;
      if (placed > 0) books.come(i, fromPrimary[placed]!, fromSecondary[placed]!);
      kernel.rescore();
      const after = kernel.evaluate(i, this.toPrimary[placed]!, this.toSecondary[placed]!);
      if (after === Infinity || (placed === last && after - before > room)) break;
      books.leave(i);
      books.come(i, this.toPrimary[placed]!, this.toSecondary[placed]!);
    }
    if (placed > last) {
      kernel.rescore();
      return true;
    }
    for (let t = 0; t < placed; t++) {
      books.leave(instances[t]!);
      books.come(instances[t]!, fromPrimary[t]!, fromSecondary[t]!);
    }
    for (let t = placed + 1; t <= last; t++) books.come(instances[t]!, fromPrimary[t]!, fromSecondary[t]!);
    kernel.rescore();
    return false;
  }
}
