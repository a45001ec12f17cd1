/**
 * The exact search between best fit and proof: depth first, the most restricted kind of item first, with a
 * budget.
 *
 * What keeps it small: items of one kind are one (a kind refuted in a bin stays out of it on this level),
 * bins that cannot be told apart are one, and a partial packing ends where a kind has fewer slots than items
 * or all room is too little. Deterministic: the same packing and budget give the same answer.
 */
import { type ItemType, NOWHERE, occupy, type Packing, slotsFor, typesOf } from './packing.ts';

/** Found (the bins are written), proven impossible by trying everything, or given up. */
type SearchResult = 'found' | 'none' | 'spent';

class Search {
  private readonly types: readonly ItemType[];
  private readonly left: Int32Array;
  /** 1 where a type leads nowhere in a bin, on the present path: `[type * binCount + bin]`. */
  private readonly refuted: Uint8Array;
  /** How many of a type a bin takes as it is now, at most all: `[type * binCount + bin]`. 0 where refuted. */
  private readonly slots: Int32Array;
  /** By type: the sum of its slots, and in how many bins it has any. */
  private readonly sums: Int32Array;
  private readonly choices: Int32Array;
  /** Bins that take at least one item. */
  private readonly bins: readonly number[];

  constructor(
    private readonly p: Packing,
    private readonly binOf: number[],
    private budget: number,
  ) {
    this.types = typesOf(p);
    const count = this.types.length;
    this.left = Int32Array.from(this.types, (items) => items.length);
    this.refuted = new Uint8Array(count * p.binCount);
    this.slots = new Int32Array(count * p.binCount);
    this.sums = new Int32Array(count);
    this.choices = new Int32Array(count);
    for (let b = 0; b < p.binCount; b++) this.measure(b);
    this.bins = Array.from({ length: p.binCount }, (_, b) => b).filter((b) =>
      this.types.some((_, t) => this.slots[t * p.binCount + b]! > 0),
    );
  }

  solve(): SearchResult {
    if (this.left.every((count) => count === 0)) return 'found';
    if (this.budget-- <= 0) return 'spent';
    const type = this.tightestType();
    if (type === NOWHERE) return 'none';
    const [item] = this.types[type]!;
    const marks: number[] = [];
    const result = this.tryBins(type, item!, marks);
    for (const bin of marks) this.refute(type, bin, 0);
    return result;
  }

  private tryBins(type: number, item: number, marks: number[]): SearchResult {
    const { p } = this;
    const at = type * p.binCount;
    const candidates = this.bins.filter((b) => this.slots[at + b]! > 0);
    candidates.sort((a, b) => p.memRoom[a]! - p.memRoom[b]! || p.diskRoom[a]! - p.diskRoom[b]! || a - b);
    for (const bin of candidates) {
      if (this.refuted[at + bin]) continue;
      const chosen = this.types[type]![--this.left[type]!]!;
      this.binOf[chosen] = bin;
      occupy(p, item, bin, 1);
      this.measure(bin);
      const result = this.solve();
      occupy(p, item, bin, -1);
      this.measure(bin);
      this.left[type]!++;
      if (result !== 'none') return result;
      for (const other of candidates) {
        if (!this.areAlike(other, bin)) continue;
        this.refute(type, other, 1);
        marks.push(other);
      }
    }
    return 'none';
  }

  private refute(type: number, bin: number, is: 0 | 1): void {
    this.refuted[type * this.p.binCount + bin] = is;
    this.measureOf(type, bin);
  }

  /** Finds the slots of a bin anew: of types of which something is left, as the others' are not asked for. */
  private measure(bin: number): void {
    for (let t = 0; t < this.types.length; t++) if (this.left[t]! > 0) this.measureOf(t, bin);
  }

  private measureOf(type: number, bin: number): void {
    const { p, types, slots } = this;
    const at = type * p.binCount + bin;
    const before = slots[at]!;
    const items = types[type]!;
    const now = this.refuted[at] ? 0 : slotsFor(p, items[0]!, bin, items.length);
    slots[at] = now;
    this.sums[type]! += now - before;
    this.choices[type]! += Math.sign(now) - Math.sign(before);
  }

  /** The type with the fewest bins; NOWHERE when what is left cannot fit any more. */
  private tightestType(): number {
    const { p, types, left, choices } = this;
    let best = NOWHERE;
    let needed = 0;
    for (let t = 0; t < types.length; t++) {
      if (left[t] === 0) continue;
      if (this.sums[t]! < left[t]!) return NOWHERE;
      const mem = p.mem[types[t]![0]!]!;
      needed += left[t]! * mem;
      const fewer = best === NOWHERE ? 1 : choices[best]! - choices[t]!;
      if (fewer > 0 || (fewer === 0 && mem > p.mem[types[best]![0]!]!)) best = t;
    }
    return this.usefulRoom() < needed ? NOWHERE : best;
  }

  /** Memory of the bins that take something of what is left. */
  private usefulRoom(): number {
    const { p, types, left, slots } = this;
    let room = 0;
    for (const b of this.bins) {
      let t = 0;
      while (t < types.length && (left[t] === 0 || slots[t * p.binCount + b] === 0)) t++;
      if (t < types.length) room += p.memRoom[b]!;
    }
    return room;
  }

  /**
   * Whether two bins are the same to all that is left: equal room and reach. Marks need not be equal: what
   * they say holds of every packing, the one in which the two bins change places included.
   */
  private areAlike(a: number, b: number): boolean {
    const { p, types, left } = this;
    if (p.memRoom[a] !== p.memRoom[b] || p.diskRoom[a] !== p.diskRoom[b]) return false;
    if (p.spindleRoom[a] !== p.spindleRoom[b]) return false;
    for (let t = 0; t < types.length; t++) {
      if (left[t] === 0) continue;
      const row = p.row[types[t]![0]!]! * p.binCount;
      if (p.reach[row + a] !== p.reach[row + b]) return false;
    }
    return true;
  }
}

/**
 * Looks for a packing until it is found, shown to be impossible, or `budget` partial packings have been
 * visited. On 'found' `binOf` holds a bin for each item. The packing is as before in all cases.
 */
export const searchPacking = (p: Packing, binOf: number[], budget: number): SearchResult =>
  new Search(p, binOf, budget).solve();
