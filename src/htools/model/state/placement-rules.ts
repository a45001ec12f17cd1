/** Rules as tags, as numbers: which nodes bar an instance, and which instances are to be together. */
import type { Instance, Node, Snapshot } from '../../cluster/snapshot.ts';
import { isBarredFrom, isSticky, wishesOf } from '../../cluster/tags/placement-tags.ts';

export class PlacementRules {
  /** Whether any instance is barred from any node, or to be together with another. */
  hasBars = false;
  hasTogether = false;
  private readonly nodes: readonly Node[];
  /** Row of each instance in `bars`; -1 where no node bars it. */
  readonly barRow: number[] = [];
  /** 1 where a node bars the instances of a row. */
  readonly bars: Uint8Array[] = [];
  private readonly rowOf = new Map<string, number>();
  /** Instances to be together with, by set; and the sets of each instance. */
  private readonly sets = new Map<string, number[]>();
  private readonly setsOf: (readonly (readonly number[])[])[] = [];
  private readonly sticky: boolean[] = [];

  constructor(snapshot: Snapshot) {
    this.nodes = snapshot.nodes;
  }

  addInstance(i: number, { tags }: Instance): void {
    this.barRow[i] = -1;
    this.setsOf[i] = [];
    this.sticky[i] = isSticky(tags);
    if (tags.length === 0) return;
    const wishes = wishesOf(tags);
    const { together, apart, ...bars } = wishes;
    if (Object.values(bars).some((names) => names.length > 0)) {
      const key = JSON.stringify(bars);
      let row = this.rowOf.get(key);
      if (row === undefined) {
        row = this.bars.length;
        this.rowOf.set(key, row);
        this.bars.push(Uint8Array.from(this.nodes, (node) => (isBarredFrom(wishes, node) ? 1 : 0)));
      }
      this.barRow[i] = row;
      this.hasBars = true;
    }
    this.setsOf[i] = together.map((name) => {
      const set = this.sets.get(name) ?? [];
      this.sets.set(name, set);
      set.push(i);
      if (set.length > 1) this.hasTogether = true;
      return set;
    });
  }

  /** Takes the last instance out again. */
  dropInstance(i: number): void {
    for (const set of this.setsOf[i] ?? []) (set as number[]).pop();
    this.barRow.length = i;
    this.setsOf.length = i;
    this.sticky.length = i;
  }

  isBarred(i: number, node: number): boolean {
    const row = this.barRow[i]!;
    return row >= 0 && this.bars[row]![node] === 1;
  }

  /** Sets of instances, each with this one among them, that are to have one primary. */
  setsWith(i: number): readonly (readonly number[])[] {
    return this.setsOf[i] ?? [];
  }

  /** Whether any other instance is to be together with this one. */
  hasMates(i: number): boolean {
    return this.hasTogether && this.setsWith(i).some((set) => set.length > 1);
  }

  /** All sets with at least two instances, by name. */
  allSets(): ReadonlyMap<string, readonly number[]> {
    return new Map([...this.sets].filter(([, set]) => set.length > 1));
  }

  isSticky(i: number): boolean {
    return this.sticky[i] ?? false;
  }
}
