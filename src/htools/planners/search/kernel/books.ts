/**
 * The figures of a placement that a kernel keeps: each thread's own copy of what moves change, with the two
 * changes that all moves are made of, an instance leaves its nodes and an instance comes to two nodes.
 *
 * What the scan's tables and the state's transitions keep apart is one small set of arrays here, so that a
 * change of placement costs a few dozen numbers whatever the cluster's size. Sums are taken from `x`, which
 * drifts by rounding: `load` makes everything anew.
 */
import { Rooms } from '../../../model/rules/rooms.ts';
import {
  N1_CNT,
  OFFLINE_ALL_CNT,
  OFFLINE_PRI_CNT,
  PRI_TAGS_SCORE,
  RESERVED_MEM_RTOTAL,
} from '../../../model/score/metrics.ts';
import type { SearchLayout } from './layout.ts';
import { Locations } from './locations.ts';

/** What moves change, by the names that the start has in the layout. */
const MOVED = [
  'primary',
  'secondary',
  'x',
  'reservedX',
  'freeMem',
  'counts',
  'n1',
  'fails',
  'peers',
  'reserved',
  'tagCounts',
] as const;

export class Books {
  // What the metrics weigh that no column carries.
  readonly n1Weight: number;
  readonly tagWeight: number;
  readonly offlineWeight: number;
  readonly offlinePrimaryWeight: number;
  readonly reservedTotalWeight: number;
  readonly primary: Int32Array;
  readonly secondary: Int32Array;
  readonly x: Float64Array;
  readonly reservedX: Float64Array;
  /** Sums of the centred values and of their squares; the reserved memory's last. */
  readonly sums: Float64Array;
  readonly squares: Float64Array;
  readonly freeMem: Float64Array;
  readonly rooms: Rooms;
  readonly counts: Float64Array;
  readonly n1: Float64Array;
  readonly fails: Uint8Array;
  readonly peers: Float64Array;
  /** Largest reservation of a node, for which primary, and the largest for any other. */
  readonly reserved: Float64Array;
  readonly topPeer: Int32Array;
  readonly nextReserved: Float64Array;
  /** By how much the reservations of a node's secondaries are above the mean of all, added up, MiB. */
  readonly excess: Float64Array;
  private readonly meanReservation: number;
  readonly tagCounts: Int32Array;
  readonly locations: Locations;
  /** [0] share of the score that no column carries. */
  readonly plain = new Float64Array(1);

  constructor(readonly layout: SearchLayout) {
    const n = layout.nodeCount;
    this.n1Weight = layout.metricWeights[N1_CNT]!;
    this.tagWeight = layout.metricWeights[PRI_TAGS_SCORE]!;
    this.offlineWeight = layout.metricWeights[OFFLINE_ALL_CNT]!;
    this.offlinePrimaryWeight = layout.metricWeights[OFFLINE_PRI_CNT]!;
    this.reservedTotalWeight = layout.metricWeights[RESERVED_MEM_RTOTAL]!;
    this.primary = new Int32Array(layout.instanceCount);
    this.secondary = new Int32Array(layout.instanceCount);
    this.x = new Float64Array(layout.x.length);
    this.reservedX = new Float64Array(n);
    this.sums = new Float64Array(layout.columnCount + 1);
    this.squares = new Float64Array(layout.columnCount + 1);
    this.freeMem = new Float64Array(n);
    this.rooms = new Rooms(new Float64Array(layout.rooms.length), layout.amounts);
    this.counts = new Float64Array(n);
    this.n1 = new Float64Array(n);
    this.fails = new Uint8Array(n);
    this.peers = new Float64Array(n * n);
    this.reserved = new Float64Array(n);
    this.topPeer = new Int32Array(n);
    this.nextReserved = new Float64Array(n);
    this.excess = new Float64Array(n);
    this.meanReservation =
      layout.movable.reduce((sum, i) => sum + layout.reservation[i]!, 0) / Math.max(1, layout.movable.length);
    this.tagCounts = new Int32Array(layout.tagCounts.length);
    this.locations = new Locations(layout);
    this.reset();
  }

  /** Back to the placement from which the search starts. */
  reset(): void {
    const { layout } = this;
    for (const field of MOVED) this[field].set(layout[field]);
    this.rooms.values.set(layout.rooms);
    this.locations.reset();
    this.plain[0] = layout.plain;
    for (let n = 0; n < layout.nodeCount; n++) this.findTop(n);
    this.excess.fill(0);
    for (const i of layout.movable) {
      if (layout.secondary[i]! >= 0) this.excess[layout.secondary[i]!]! += this.aboveMean(i);
    }
    this.addUp();
  }

  /** The layout of a search that starts here. Prices, open placements and ways are seen from here then. */
  rebased(): SearchLayout {
    const moved = Object.fromEntries(MOVED.map((field) => [field, this[field].slice()]));
    const rooms = this.rooms.values.slice();
    const pairCounts = this.locations.pairCounts.slice();
    return { ...this.layout, ...moved, rooms, pairCounts, plain: this.plain[0]! };
  }

  /** By how much an instance's reservation is above the mean, MiB. */
  aboveMean(i: number): number {
    return this.layout.reservation[i]! - this.meanReservation;
  }

  /** Sums anew, so that they do not drift. */
  addUp(): void {
    const { columnCount: k, targets } = this.layout;
    const { sums, squares, x, reservedX } = this;
    sums.fill(0);
    squares.fill(0);
    for (const n of targets) {
      for (let c = 0; c <= k; c++) {
        const value = c === k ? reservedX[n]! : x[n * k + c]!;
        sums[c]! += value;
        squares[c]! += value * value;
      }
    }
  }

  /** Largest reservation of a node once `reservation` of what it keeps for `primary` is given back. */
  reservedWithout(node: number, primary: number, reservation: number): number {
    const largest = this.reserved[node]!;
    if (this.topPeer[node] !== primary) return largest;
    return Math.max(
      this.nextReserved[node]!,
      this.peers[node * this.layout.nodeCount + primary]! - reservation,
    );
  }

  /** The instance leaves its nodes. Nothing is asked; its recorded placement stays. */
  leave(i: number): void {
    const p = this.primary[i]!;
    const s = this.secondary[i]!;
    this.plain[0]! -= this.locations.leave(i, p, s);
    if (s >= 0) {
      this.changeNode(i, s, 0, -1);
      this.changePeer(s, p, -this.layout.reservation[i]!);
      this.excess[s]! -= this.aboveMean(i);
      this.judge(s);
    }
    this.changeNode(i, p, -1, 0);
    this.changeTags(i, p, -1);
    this.judge(p);
  }

  /** An instance that is on no node comes to two nodes, or with a negative `s` to one. Nothing is asked. */
  come(i: number, p: number, s: number): void {
    this.plain[0]! += this.locations.come(i, p, s);
    this.changeNode(i, p, 1, 0);
    this.changeTags(i, p, 1);
    this.judge(p);
    if (s >= 0) {
      this.changeNode(i, s, 0, 1);
      this.changePeer(s, p, this.layout.reservation[i]!);
      this.excess[s]! += this.aboveMean(i);
      this.judge(s);
    }
    this.primary[i] = p;
    this.secondary[i] = s;
  }

  /** @param primaries change of the node's primaries by this instance: 1, 0 or -1 */
  private changeNode(i: number, node: number, primaries: number, secondaries: number): void {
    const { layout } = this;
    const change = primaries + secondaries;
    this.freeMem[node]! -= primaries * layout.usedMem[i]!;
    this.rooms.change(i, node, change, primaries);
    this.counts[node]! += change;
    if (layout.isOffline[node]) {
      this.plain[0]! += change * this.offlineWeight + primaries * this.offlinePrimaryWeight;
      return;
    }
    const { sums, squares, x } = this;
    const k = layout.columnCount;
    const columns = primaries === 0 ? layout.secondaryColumns : k;
    const amounts = primaries === 0 ? layout.asSecondary : layout.asPrimary;
    const at = node * k;
    for (let c = 0; c < columns; c++) {
      const dx = change * amounts[i * k + c]! * layout.scale[at + c]!;
      const before = x[at + c]!;
      x[at + c] = before + dx;
      sums[c]! += dx;
      squares[c]! += dx * (2 * before + dx);
    }
  }

  private changeTags(i: number, node: number, change: 1 | -1): void {
    const { layout, tagCounts } = this;
    const isOnline = layout.isOffline[node] === 0;
    for (let k = layout.exclusionStart[i]!; k < layout.exclusionStart[i + 1]!; k++) {
      const at = node * layout.tagCount + layout.exclusions[k]!;
      tagCounts[at]! += change;
      const others = change === 1 ? tagCounts[at]! - 1 : tagCounts[at]!;
      if (isOnline && others > 0) this.plain[0]! += change * this.tagWeight;
    }
  }

  /** What a node keeps for the failure of another. */
  private changePeer(node: number, primary: number, change: number): void {
    const at = node * this.layout.nodeCount + primary;
    const before = this.peers[at]!;
    const after = Math.max(0, before + change);
    this.peers[at] = after;
    const reserved = this.reserved[node]!;
    if (this.topPeer[node] === primary) {
      if (after >= this.nextReserved[node]!) this.reserved[node] = after;
      else this.findTop(node);
    } else if (after > reserved) {
      this.nextReserved[node] = reserved;
      this.reserved[node] = after;
      this.topPeer[node] = primary;
    } else if (after > this.nextReserved[node]!) this.nextReserved[node] = after;
    else if (before === this.nextReserved[node]! && after < before) this.findTop(node);
    const dx = (this.reserved[node]! - reserved) * this.layout.perMem[node]!;
    if (dx === 0) return;
    const k = this.layout.columnCount;
    const x = this.reservedX[node]!;
    this.reservedX[node] = x + dx;
    this.sums[k]! += dx;
    this.squares[k]! += dx * (2 * x + dx);
    this.plain[0]! += this.reservedTotalWeight * dx;
  }

  private findTop(node: number): void {
    const { nodeCount: n } = this.layout;
    const { peers } = this;
    let top = -1;
    let largest = 0;
    let next = 0;
    for (let k = node * n, primary = 0; primary < n; k++, primary++) {
      const value = peers[k]!;
      if (value > largest) {
        next = largest;
        largest = value;
        top = primary;
      } else if (value > next) next = value;
    }
    this.reserved[node] = largest;
    this.nextReserved[node] = next;
    this.topPeer[node] = top;
  }

  /** Whether the node fails N+1 now, and what that adds to the score. */
  private judge(node: number): void {
    const fails = this.freeMem[node]! <= this.reserved[node]!;
    this.fails[node] = fails ? 1 : 0;
    if (this.layout.isOffline[node]) return;
    const n1 = fails ? this.counts[node]! : 0;
    this.plain[0]! += this.n1Weight * (n1 - this.n1[node]!);
    this.n1[node] = n1;
  }
}
