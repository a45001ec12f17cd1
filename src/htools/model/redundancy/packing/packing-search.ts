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
  /** Bins that take at least one item. */
  private readonly bins: readonly number[];

  constructor(
    private readonly p: Packing,
    private readonly binOf: Int32Array,
    private budget: number,
  ) {
    this.types = typesOf(p);
    this.left = Int32Array.from(this.types, (items) => items.length);
    this.refuted = new Uint8Array(this.types.length * p.binCount);
    this.bins = Array.from({ length: p.binCount }, (_, b) => b).filter((b) =>
      this.types.some(([item]) => slotsFor(p, item!, b, 1) > 0),
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
    for (const mark of marks) this.refuted[mark] = 0;
    return result;
  }

  private tryBins(type: number, item: number, marks: number[]): SearchResult {
    const { p } = this;
    const candidates = this.bins.filter((b) => this.slots(type, b, 1) > 0);
    candidates.sort((a, b) => p.memRoom[a]! - p.memRoom[b]! || p.diskRoom[a]! - p.diskRoom[b]! || a - b);
    for (const bin of candidates) {
      if (this.refuted[type * p.binCount + bin]) continue;
      const chosen = this.types[type]![--this.left[type]!]!;
      this.binOf[chosen] = bin;
      occupy(p, item, bin, 1);
      const result = this.solve();
      occupy(p, item, bin, -1);
      this.left[type]!++;
      if (result !== 'none') return result;
      // All found before the first is marked: a mark makes a bin unlike the others.
      for (const alike of candidates.filter((other) => this.areAlike(other, bin))) {
        const mark = type * p.binCount + alike;
        this.refuted[mark] = 1;
        marks.push(mark);
      }
    }
    return 'none';
  }

  private slots(type: number, bin: number, limit: number): number {
    return this.refuted[type * this.p.binCount + bin]
      ? 0
      : slotsFor(this.p, this.types[type]![0]!, bin, limit);
  }

  /** The type with the fewest bins; NOWHERE when what is left cannot fit any more. */
  private tightestType(): number {
    const { p, types, left, bins } = this;
    let best = NOWHERE;
    let fewest = Number.POSITIVE_INFINITY;
    let needed = 0;
    const useful = new Uint8Array(p.binCount);
    for (let t = 0; t < types.length; t++) {
      if (left[t] === 0) continue;
      const mem = p.mem[types[t]![0]!]!;
      let slots = 0;
      let choices = 0;
      for (const b of bins) {
        const here = this.slots(t, b, left[t]!);
        if (here === 0) continue;
        slots += here;
        choices++;
        useful[b] = 1;
      }
      if (slots < left[t]!) return NOWHERE;
      needed += left[t]! * mem;
      if (choices < fewest || (choices === fewest && mem > p.mem[types[best]![0]!]!)) {
        fewest = choices;
        best = t;
      }
    }
    let room = 0;
    for (const b of bins) if (useful[b]) room += p.memRoom[b]!;
    return room < needed ? NOWHERE : best;
  }

  /** Whether two bins are the same to all that is left: equal room, reach and marks. */
  private areAlike(a: number, b: number): boolean {
    const { p, types, left, refuted } = this;
    if (p.memRoom[a] !== p.memRoom[b] || p.diskRoom[a] !== p.diskRoom[b]) return false;
    if (p.spindleRoom[a] !== p.spindleRoom[b]) return false;
    for (let t = 0; t < types.length; t++) {
      if (left[t] === 0) continue;
      const row = p.row[types[t]![0]!]! * p.binCount;
      if (p.reach[row + a] !== p.reach[row + b]) return false;
      if (refuted[t * p.binCount + a] !== refuted[t * p.binCount + b]) return false;
    }
    return true;
  }
}

/**
 * Looks for a packing until it is found, shown to be impossible, or `budget` partial packings have been
 * visited. On 'found' `binOf` holds a bin for each item. The packing is as before in all cases.
 */
export const searchPacking = (p: Packing, binOf: Int32Array, budget: number): SearchResult =>
  new Search(p, binOf, budget).solve();
