/**
 * Memory that nodes reserve for the primaries of others: few pairs of nodes have any, so this is a table of
 * those pairs.
 *
 * Open addressing over typed arrays. Pairs that reserve nothing any more are dropped when the table grows. A
 * square of all pairs took 1.6 GB for 10,000 nodes.
 */

const LEAST_SLOTS = 256;
/** Slots are looked up from a scattered start, so that neighbours do not meet. */
const SCATTER_NODE = 0x9e3779b1;
const SCATTER_PRIMARY = 0x85ebca6b;
const EMPTY = -1;

/** What a node keeps for another's primaries, MiB, and since when; 0 = the order is not tracked. */
interface PeerEntry {
  readonly node: number;
  readonly primary: number;
  readonly reserved: number;
  readonly stamp: number;
}

export class PeerTable {
  private readonly nodeCount: number;
  private readonly tracksOrder: boolean;
  /** `node * nodeCount + primary`, or EMPTY. */
  private keys = new Float64Array(0);
  private values = new Float64Array(0);
  /** When each entry was added, 0 = no entry; only with tracksOrder. */
  private stamps = new Float64Array(0);
  private mask = 0;
  private used = 0;
  private clock = 1;

  /** @param expected pairs, about @param tracksOrder of adding, which only the `peermap` column shows */
  constructor(nodeCount: number, expected: number, tracksOrder: boolean) {
    this.nodeCount = nodeCount;
    this.tracksOrder = tracksOrder;
    this.allocate(expected);
  }

  /** Memory (MiB) that a node reserves for the primaries of another; 0 for most pairs. */
  get(node: number, primary: number): number {
    const slot = this.slotOf(node, primary);
    return this.keys[slot] === EMPTY ? 0 : this.values[slot]!;
  }

  /** When the entry was added; 0 where there is none. */
  stampOf(node: number, primary: number): number {
    const slot = this.slotOf(node, primary);
    return this.keys[slot] === EMPTY ? 0 : (this.stamps[slot] ?? 0);
  }

  /** Writes a reservation; it is the latest entry now. */
  set(node: number, primary: number, reserved: number): void {
    this.restore(node, primary, reserved, this.clock++);
  }

  /** Puts an entry back as it was, its place in the order included. */
  restore(node: number, primary: number, reserved: number, stamp: number): void {
    let slot = this.slotOf(node, primary);
    if (this.keys[slot] === EMPTY) {
      if (reserved === 0 && (stamp === 0 || !this.tracksOrder)) return;
      if (2 * ++this.used > this.mask) {
        this.grow();
        slot = this.slotOf(node, primary);
      }
      this.keys[slot] = node * this.nodeCount + primary;
    }
    this.values[slot] = reserved;
    if (this.tracksOrder) this.stamps[slot] = stamp;
  }

  /** Takes an entry off the order; what it reserves stays. */
  forgetStamp(node: number, primary: number): void {
    const slot = this.slotOf(node, primary);
    if (this.tracksOrder && this.keys[slot] !== EMPTY) this.stamps[slot] = 0;
  }

  /** The pair's slot, or the empty one where it would stand. */
  private slotOf(node: number, primary: number): number {
    const { keys, mask } = this;
    const key = node * this.nodeCount + primary;
    const scattered = Math.imul(node, SCATTER_NODE) ^ Math.imul(primary, SCATTER_PRIMARY);
    let slot = (scattered ^ (scattered >>> 15)) & mask;
    while (keys[slot] !== key && keys[slot] !== EMPTY) slot = (slot + 1) & mask;
    return slot;
  }

  private allocate(pairs: number): void {
    const slots = Math.max(LEAST_SLOTS, 2 ** Math.ceil(Math.log2(4 * Math.max(1, pairs))));
    this.keys = new Float64Array(slots).fill(EMPTY);
    this.values = new Float64Array(slots);
    if (this.tracksOrder) this.stamps = new Float64Array(slots);
    this.mask = slots - 1;
    this.used = 0;
  }

  /** All pairs that reserve something or have a place in the order, in no order of their own. */
  *[Symbol.iterator](): Generator<PeerEntry, void, void> {
    const { keys, values, stamps, nodeCount } = this;
    for (let slot = 0; slot < keys.length; slot++) {
      const reserved = values[slot]!;
      const stamp = stamps[slot] ?? 0;
      if (reserved === 0 && stamp === 0) continue;
      const key = keys[slot]!;
      yield { node: Math.floor(key / nodeCount), primary: key % nodeCount, reserved, stamp };
    }
  }

  private grow(): void {
    const entries = [...this];
    this.allocate(entries.length + 1);
    for (const { node, primary, reserved, stamp } of entries) this.restore(node, primary, reserved, stamp);
    // The entry that is about to be written.
    this.used++;
  }
}
