/**
 * The evaluation kernel: what the score would be with one instance placed anew, and whether the rules allow
 * it.
 *
 * Constant time whatever the cluster's size, and no object is made. The rules are those of rules/admission.ts
 * with the instance already off its nodes, as every kind of move asks them; the score is within rounding of
 * the exact one. Property tests hold both against the exact scorer and the rules on every kind of cluster.
 */
import { Books } from './books.ts';
import type { SearchLayout } from './layout.ts';

export class Kernel {
  readonly books: Books;
  /** Weighted deviation of each column now. */
  readonly deviations: Float64Array;
  /** Score now. */
  score = 0;
  /** Largest reservation of the old and the new secondary after the candidate asked about last. */
  private oldReserved = 0;
  private newReserved = 0;

  constructor(readonly layout: SearchLayout) {
    this.books = new Books(layout);
    this.deviations = new Float64Array(layout.columnCount + 1);
    this.rescore();
  }

  /** Puts all instances at the search's start, or where `primary` and `secondary` say, unasked. */
  load(primary?: Int32Array, secondary?: Int32Array): void {
    const { books, layout } = this;
    books.reset();
    if (primary && secondary) {
      for (const i of layout.movable) {
        if (primary[i] === layout.primary[i] && secondary[i] === layout.secondary[i]) continue;
        books.leave(i);
        books.come(i, primary[i]!, secondary[i]!);
      }
      books.addUp();
    }
    this.rescore();
  }

  /** Places an instance anew. Nothing is asked. */
  apply(i: number, P: number, S: number): void {
    this.books.leave(i);
    this.books.come(i, P, S);
    this.rescore();
  }

  /** Score after the columns' sums; call it once changes made on `books` are complete. */
  rescore(): void {
    const { books, layout, deviations } = this;
    const { sums, squares } = books;
    const { weights, perNode, columnCount: k } = layout;
    let score = books.plain[0]!;
    for (let c = 0; c <= k; c++) {
      const mean = sums[c]! * perNode[c]!;
      const variance = squares[c]! * perNode[c]! - mean * mean;
      deviations[c] = variance > 0 ? weights[c]! * Math.sqrt(variance) : 0;
      score += deviations[c]!;
    }
    this.score = score;
  }

  /**
   * The score with the instance on other nodes, or Infinity where the rules refuse that.
   * @param P its primary: an online node of the group, or the one that it has
   * @param S its secondary, the same way; negative for an instance without one
   */
  evaluate(i: number, P: number, S: number): number {
    const p = this.books.primary[i]!;
    const s = this.books.secondary[i]!;
    this.findReserved(i, p, s, P, S);
    const { layout } = this;
    const fromOffline = layout.isOffline[p] === 1;
    const secondaryOffline = s >= 0 && layout.isOffline[s] === 1;
    // As the kinds of move lift soft rules; two new nodes are a replaced secondary, then a replaced primary.
    const viaSecondary = P === s || S === s;
    const isForced = layout.isForced[i] === 1;
    if (P !== p && !this.admitsPrimary(i, s, P, isForced || (fromOffline && viaSecondary))) return Infinity;
    // A primary that stays is asked the hard rules only.
    if (P === p && !this.books.rooms.keepsPrimary(p)) return Infinity;
    if (S >= 0) {
      const lifted = P !== p && viaSecondary ? fromOffline : secondaryOffline;
      if (!this.admitsSecondary(i, p, s, P, S, isForced || lifted)) return Infinity;
    }
    return this.plainAfter(i, p, s, P, S) + this.deviationsAfter(i, p, s, P, S);
  }

  /** Whether the secondary can carry the instance while its disks are copied to a new primary. */
  canCarry(i: number): boolean {
    const p = this.books.primary[i]!;
    const s = this.books.secondary[i]!;
    this.findReserved(i, p, s, s, p);
    return this.admitsPrimary(i, s, s, this.layout.isForced[i] === 1 || this.layout.isOffline[p] === 1);
  }

  private findReserved(i: number, p: number, s: number, P: number, S: number): void {
    if (S < 0) return;
    const { books, layout } = this;
    const n = layout.nodeCount;
    const reservation = layout.reservation[i]!;
    const without = books.reservedWithout(s, p, reservation);
    if (S === s) {
      const peer = P === p ? books.peers[s * n + p]! : books.peers[s * n + P]! + reservation;
      this.newReserved = Math.max(without, peer);
      this.oldReserved = this.newReserved;
      return;
    }
    this.oldReserved = without;
    this.newReserved = Math.max(books.reserved[S]!, books.peers[S * n + P]! + reservation);
  }

  private admitsPrimary(i: number, s: number, P: number, isForced: boolean): boolean {
    const { books, layout } = this;
    const { access } = layout;
    if (access !== undefined && access[layout.storageRow[i]! * layout.nodeCount + P] === 0) return false;
    const hasDisks = P === s;
    if (!books.rooms.admitsPrimary(i, P, hasDisks, isForced)) return false;
    if (isForced) return true;
    const reserved = hasDisks ? this.oldReserved : books.reserved[P]!;
    const fails = hasDisks ? books.freeMem[P]! <= reserved : books.fails[P] === 1;
    if (books.freeMem[P]! - layout.usedMem[i]! <= reserved && !fails) return false;
    for (let k = layout.exclusionStart[i]!; k < layout.exclusionStart[i + 1]!; k++) {
      if (books.tagCounts[P * layout.tagCount + layout.exclusions[k]!]! > 0) return false;
    }
    return true;
  }

  private admitsSecondary(i: number, p: number, s: number, P: number, S: number, isForced: boolean): boolean {
    const { books, layout } = this;
    const { access } = layout;
    if (access !== undefined && access[layout.storageRow[i]! * layout.nodeCount + S] === 0) return false;
    // A failed primary that becomes the secondary keeps its disks.
    if (isForced && S === p && P === s && layout.isOffline[p] === 1) return true;
    const wasPrimary = S === p;
    if (!books.rooms.admitsSecondary(i, S, wasPrimary, wasPrimary || S === s, isForced)) return false;
    if (isForced) return true;
    const free = books.freeMem[S]! + (wasPrimary ? layout.usedMem[i]! : 0);
    if (free > this.newReserved) return true;
    // Only a node that fails N+1 already, without the instance, may fail it.
    if (wasPrimary) return free <= books.reserved[p]!;
    if (S === s) return free <= books.reservedWithout(s, p, layout.reservation[i]!);
    return books.fails[S] === 1;
  }

  /** Share of the score that no deviation carries. */
  private plainAfter(i: number, p: number, s: number, P: number, S: number): number {
    const { books } = this;
    // The N+1 state of a primary that stays is taken anew, as the moves do.
    let plain =
      P === p
        ? books.plain[0]! + this.n1Change(p, 0, books.reserved[p]!, 0)
        : this.plainOfPrimary(i, p, s, P, S);
    if (s >= 0) plain = this.plainOfSecondary(plain, i, p, s, P, S);
    return this.layout.locationClassCount > 0 ? plain + books.locations.change(i, p, s, P, S) : plain;
  }

  /** That share once the primary has gone from one node to another. */
  private plainOfPrimary(i: number, p: number, s: number, P: number, S: number): number {
    const { books, layout } = this;
    const used = layout.usedMem[i]!;
    let plain = books.plain[0]! + this.tagChange(i, p, P);
    const stays = S === p;
    plain += this.n1Change(p, used, stays ? this.newReserved : books.reserved[p]!, stays ? 0 : -1);
    if (P !== s) plain += this.n1Change(P, -used, books.reserved[P]!, 1);
    if (layout.isOffline[p] === 0) return plain;
    return plain - (books.offlinePrimaryWeight + (stays ? 0 : books.offlineWeight));
  }

  /** The same once the secondary has gone, too, or has become the primary. */
  private plainOfSecondary(before: number, i: number, p: number, s: number, P: number, S: number): number {
    const { books, layout } = this;
    const becomesPrimary = P === s;
    const leaves = S !== s && !becomesPrimary;
    const freed = becomesPrimary ? -layout.usedMem[i]! : 0;
    let plain = before + this.n1Change(s, freed, this.oldReserved, leaves ? -1 : 0);
    if (leaves && layout.isOffline[s] === 1) plain -= books.offlineWeight;
    if (S !== s && S !== p) plain += this.n1Change(S, 0, this.newReserved, 1);
    return plain;
  }

  private n1Change(node: number, freed: number, reserved: number, came: number): number {
    const { books, layout } = this;
    if (layout.isOffline[node] === 1) return 0;
    const fails = books.freeMem[node]! + freed <= reserved;
    return books.n1Weight * ((fails ? books.counts[node]! + came : 0) - books.n1[node]!);
  }

  private tagChange(i: number, p: number, P: number): number {
    const { books, layout } = this;
    let change = 0;
    for (let k = layout.exclusionStart[i]!; k < layout.exclusionStart[i + 1]!; k++) {
      const tag = layout.exclusions[k]!;
      if (layout.isOffline[p] === 0 && books.tagCounts[p * layout.tagCount + tag]! > 1) change--;
      if (layout.isOffline[P] === 0 && books.tagCounts[P * layout.tagCount + tag]! > 0) change++;
    }
    return books.tagWeight * change;
  }

  /** The weighted deviations, and what the reserved memory adds in total. */
  private deviationsAfter(i: number, p: number, s: number, P: number, S: number): number {
    const { layout, deviations } = this;
    const { columnCount: k, secondaryColumns: both } = layout;
    let score = S < 0 ? deviations[k]! : this.reservedAfter(s, S);
    if (P === p) for (let c = S < 0 ? 0 : both; c < k; c++) score += deviations[c]!;
    if (S >= 0) score += this.movedBoth(i, p, s, P, S);
    return P === p ? score : score + this.movedPrimary(i, p, P, S < 0 ? 0 : both);
  }

  private reservedAfter(s: number, S: number): number {
    const { books, layout } = this;
    const { perMem, perNode, weights, columnCount: k } = layout;
    const oldDx = (this.oldReserved - books.reserved[s]!) * perMem[s]!;
    const newDx = S === s ? 0 : (this.newReserved - books.reserved[S]!) * perMem[S]!;
    if (oldDx === 0 && newDx === 0) return this.deviations[k]!;
    const mean = (books.sums[k]! + oldDx + newDx) * perNode[k]!;
    const change = oldDx * (2 * books.reservedX[s]! + oldDx) + newDx * (2 * books.reservedX[S]! + newDx);
    const variance = (books.squares[k]! + change) * perNode[k]! - mean * mean;
    return (
      books.reservedTotalWeight * (oldDx + newDx) + (variance > 0 ? weights[k]! * Math.sqrt(variance) : 0)
    );
  }

  /** Columns from `from` on when only the primary moves from one node to another. */
  private movedPrimary(i: number, p: number, P: number, from: number): number {
    const { books, layout } = this;
    const { columnCount: k, asPrimary, scale, weights, perNode } = layout;
    const { sums, squares, x } = books;
    const a = i * k;
    const b = p * k;
    const d = P * k;
    let score = 0;
    for (let c = from; c < k; c++) {
      const amount = asPrimary[a + c]!;
      const out = -amount * scale[b + c]!;
      const into = amount * scale[d + c]!;
      const mean = (sums[c]! + out + into) * perNode[c]!;
      const change = out * (2 * x[b + c]! + out) + into * (2 * x[d + c]! + into);
      const variance = (squares[c]! + change) * perNode[c]! - mean * mean;
      if (variance > 0) score += weights[c]! * Math.sqrt(variance);
    }
    return score;
  }

  /** The columns that secondaries change. */
  private movedBoth(i: number, p: number, s: number, P: number, S: number): number {
    const { books, layout } = this;
    const {
      columnCount: k,
      secondaryColumns: both,
      asPrimary,
      asSecondary,
      scale,
      weights,
      perNode,
    } = layout;
    const { sums, squares, x } = books;
    const a = i * k;
    const atP = p * k;
    const atS = s * k;
    const toP = P * k;
    const toS = S * k;
    // A node in two roles changes once, by the sum of both.
    const pLoses = P === p ? 0 : 1;
    const pGains = S === p ? 1 : 0;
    const sLoses = S === s ? 0 : 1;
    const sGains = P === s ? 1 : 0;
    const newP = P === s || P === p ? 0 : 1;
    const newS = S === s || S === p ? 0 : 1;
    let score = 0;
    for (let c = 0; c < both; c++) {
      const first = asPrimary[a + c]!;
      const second = asSecondary[a + c]!;
      const d1 = (pGains * second - pLoses * first) * scale[atP + c]!;
      const d2 = (sGains * first - sLoses * second) * scale[atS + c]!;
      const d3 = newP * first * scale[toP + c]!;
      const d4 = newS * second * scale[toS + c]!;
      const mean = (sums[c]! + d1 + d2 + d3 + d4) * perNode[c]!;
      const change =
        d1 * (2 * x[atP + c]! + d1) +
        d2 * (2 * x[atS + c]! + d2) +
        d3 * (2 * x[toP + c]! + d3) +
        d4 * (2 * x[toS + c]! + d4);
      const variance = (squares[c]! + change) * perNode[c]! - mean * mean;
      if (variance > 0) score += weights[c]! * Math.sqrt(variance);
    }
    return score;
  }
}
