/**
 * What a change of several instances is about to cost, before it is played on the books.
 *
 * Most changes are no good, and playing them is most of the work of a walk. So deviations are worked out
 * first, and what that leaves is asked for reservations, N+1 and exclusion tags: of those that pass nearly
 * all pass on the books too.
 */
import type { Kernel } from '../kernel/kernel.ts';
import type { SearchLayout } from '../kernel/layout.ts';

/** What reservations, N+1, tags and locations may gain at most in a look without them, in score. */
const SLACK = 0.05;
const ROUNDING = 1e-9;

/** The instances of a change, the first `count` of each list: where they are and where they are to be. */
interface Changes {
  readonly count: number;
  readonly instances: Int32Array;
  readonly toPrimary: Int32Array;
  readonly toSecondary: Int32Array;
  readonly fromPrimary: Int32Array;
  readonly fromSecondary: Int32Array;
}

export class Estimate {
  private readonly layout: SearchLayout;
  /** What a look that leaves out locations and offline nodes allows for: nothing where there are none. */
  private readonly slack: number;
  /** Nodes of the trial, their places, and what it adds: columns, memory in use, instances. */
  private readonly touched: Int32Array;
  private touchedCount = 0;
  private readonly placeOf: Int32Array;
  private readonly added: Float64Array;
  private readonly addedMem: Float64Array;
  private readonly addedCount: Int32Array;
  /** Largest reservation of each touched node after the trial. */
  private readonly reservedAfter: Float64Array;
  /** Pairs of nodes whose reservations change: the secondary's place, the primary, by how much. */
  private readonly pairPlace: Int32Array;
  private readonly pairPeer: Int32Array;
  private readonly pairChange: Float64Array;
  private pairCount = 0;

  /** @param trial what is asked about; it may have as many instances as its lists are long */
  constructor(
    private readonly kernel: Kernel,
    private readonly trial: Changes,
  ) {
    this.layout = kernel.layout;
    const most = trial.instances.length;
    this.touched = new Int32Array(4 * most);
    this.addedMem = new Float64Array(4 * most);
    this.addedCount = new Int32Array(4 * most);
    this.reservedAfter = new Float64Array(4 * most);
    this.pairPlace = new Int32Array(2 * most);
    this.pairPeer = new Int32Array(2 * most);
    this.pairChange = new Float64Array(2 * most);
    this.placeOf = new Int32Array(this.layout.nodeCount).fill(-1);
    this.added = new Float64Array(4 * most * this.layout.columnCount);
    const { locationClassCount, isOffline } = this.layout;
    this.slack = locationClassCount > 0 || isOffline.includes(1) ? SLACK : ROUNDING;
  }

  /** Whether the score may rise by no more than `room`. */
  mayPass(room: number): boolean {
    this.collect();
    const change = this.columnsChange();
    // Mostly the columns alone say no.
    const isOpen =
      (change - SLACK <= room || this.touchesFailing()) &&
      change + this.reservedChange() + this.tagsChange() - this.slack <= room;
    for (let t = 0; t < this.touchedCount; t++) this.placeOf[this.touched[t]!] = -1;
    return isOpen;
  }

  /** Whether a node that fails N+1 changes: putting that right gains more than anything else. */
  private touchesFailing(): boolean {
    const { n1 } = this.kernel.books;
    for (let t = 0; t < this.touchedCount; t++) if (n1[this.touched[t]!]! > 0) return true;
    return false;
  }

  /** Place of a node among those touched. */
  private touch(node: number): number {
    let place = this.placeOf[node]!;
    if (place >= 0) return place;
    const { columnCount: k } = this.layout;
    place = this.touchedCount++;
    this.placeOf[node] = place;
    this.touched[place] = node;
    for (let c = place * k, end = c + k; c < end; c++) this.added[c] = 0;
    this.addedMem[place] = 0;
    this.addedCount[place] = 0;
    return place;
  }

  private addTo(node: number, i: number, amounts: Float64Array, columns: number, sign: number): number {
    const { layout, added } = this;
    const { columnCount: k, scale } = layout;
    const place = this.touch(node);
    for (let c = 0, to = place * k, of = i * k, per = node * k; c < columns; c++) {
      added[to + c]! += sign * amounts[of + c]! * scale[per + c]!;
    }
    this.addedCount[place]! += sign;
    return place;
  }

  private addPair(node: number, peer: number, change: number): void {
    const { pairPlace, pairPeer, pairChange } = this;
    const place = this.touch(node);
    let pair = 0;
    while (pair < this.pairCount && (pairPlace[pair] !== place || pairPeer[pair] !== peer)) pair++;
    if (pair === this.pairCount) {
      pairPlace[pair] = place;
      pairPeer[pair] = peer;
      pairChange[pair] = 0;
      this.pairCount++;
    }
    pairChange[pair]! += change;
  }

  /** Which nodes the trial touches, and what it adds to each. */
  private collect(): void {
    const { layout } = this;
    const { columnCount: k, secondaryColumns: both, asPrimary, asSecondary, usedMem, reservation } = layout;
    this.touchedCount = 0;
    this.pairCount = 0;
    for (let t = 0; t < this.trial.count; t++) {
      const i = this.trial.instances[t]!;
      const p = this.trial.fromPrimary[t]!;
      const s = this.trial.fromSecondary[t]!;
      const P = this.trial.toPrimary[t]!;
      const S = this.trial.toSecondary[t]!;
      if (P !== p) {
        this.addedMem[this.addTo(p, i, asPrimary, k, -1)]! -= usedMem[i]!;
        this.addedMem[this.addTo(P, i, asPrimary, k, 1)]! += usedMem[i]!;
      }
      if (S !== s) {
        this.addTo(s, i, asSecondary, both, -1);
        this.addTo(S, i, asSecondary, both, 1);
      }
      if (s >= 0 && (P !== p || S !== s)) {
        this.addPair(s, p, -reservation[i]!);
        this.addPair(S, P, reservation[i]!);
      }
    }
  }

  /** Change of the deviations by the nodes' figures, reservations left out. */
  private columnsChange(): number {
    const { layout, kernel, added, touched, touchedCount } = this;
    const { columnCount: k, weights, perNode } = layout;
    const { sums, squares, x } = kernel.books;
    let change = 0;
    for (let c = 0; c < k; c++) {
      let sum = sums[c]!;
      let square = squares[c]!;
      for (let t = 0; t < touchedCount; t++) {
        const dx = added[t * k + c]!;
        sum += dx;
        square += dx * (2 * x[touched[t]! * k + c]! + dx);
      }
      const mean = sum * perNode[c]!;
      const variance = square * perNode[c]! - mean * mean;
      change += (variance > 0 ? weights[c]! * Math.sqrt(variance) : 0) - kernel.deviations[c]!;
    }
    return change;
  }

  /**
   * Change of the score by what nodes reserve, and by N+1. Right but where both of the two largest
   * reservations of a node change: it is then too high, and a trial is refused that might have passed.
   */
  private reservedChange(): number {
    const { layout, kernel, touched, touchedCount, reservedAfter, pairPlace, pairPeer } = this;
    const { books } = kernel;
    const { columnCount: k, nodeCount, weights, perNode, perMem, isOffline } = layout;
    for (let t = 0; t < touchedCount; t++) reservedAfter[t] = books.reserved[touched[t]!]!;
    for (let pair = 0; pair < this.pairCount; pair++) {
      const node = touched[pairPlace[pair]!]!;
      if (books.topPeer[node] === pairPeer[pair]) reservedAfter[pairPlace[pair]!] = books.nextReserved[node]!;
    }
    for (let pair = 0; pair < this.pairCount; pair++) {
      const place = pairPlace[pair]!;
      const after = books.peers[touched[place]! * nodeCount + pairPeer[pair]!]! + this.pairChange[pair]!;
      if (after > reservedAfter[place]!) reservedAfter[place] = after;
    }
    let sum = 0;
    let square = 0;
    let n1 = 0;
    for (let t = 0; t < touchedCount; t++) {
      const node = touched[t]!;
      if (isOffline[node] === 1) continue;
      const dx = (reservedAfter[t]! - books.reserved[node]!) * perMem[node]!;
      sum += dx;
      square += dx * (2 * books.reservedX[node]! + dx);
      const fails = books.freeMem[node]! - this.addedMem[t]! <= reservedAfter[t]!;
      n1 += (fails ? books.counts[node]! + this.addedCount[t]! : 0) - books.n1[node]!;
    }
    const mean = (books.sums[k]! + sum) * perNode[k]!;
    const variance = (books.squares[k]! + square) * perNode[k]! - mean * mean;
    const deviation = variance > 0 ? weights[k]! * Math.sqrt(variance) : 0;
    return books.n1Weight * n1 + books.reservedTotalWeight * sum + deviation - kernel.deviations[k]!;
  }

  /** Change of the score by exclusion tags; right but where several of one tag leave a node. */
  private tagsChange(): number {
    const { layout } = this;
    const { exclusionStart, exclusions, tagCount, isOffline } = layout;
    if (tagCount === 0) return 0;
    const { tagCounts, tagWeight } = this.kernel.books;
    let change = 0;
    for (let t = 0; t < this.trial.count; t++) {
      const i = this.trial.instances[t]!;
      const p = this.trial.fromPrimary[t]!;
      const P = this.trial.toPrimary[t]!;
      if (P === p) continue;
      for (let k = exclusionStart[i]!; k < exclusionStart[i + 1]!; k++) {
        const tag = exclusions[k]!;
        if (isOffline[p] === 0 && tagCounts[p * tagCount + tag]! > 1) change--;
        if (tagCounts[P * tagCount + tag]! > this.leaving(P, tag)) change++;
      }
    }
    return tagWeight * change;
  }

  /** How many primaries with a tag the trial takes from a node. */
  private leaving(node: number, tag: number): number {
    const { exclusionStart, exclusions } = this.layout;
    let count = 0;
    for (let t = 0; t < this.trial.count; t++) {
      if (this.trial.fromPrimary[t] !== node || this.trial.toPrimary[t] === node) continue;
      const i = this.trial.instances[t]!;
      for (let k = exclusionStart[i]!; k < exclusionStart[i + 1]!; k++) if (exclusions[k] === tag) count++;
    }
    return count;
  }
}
