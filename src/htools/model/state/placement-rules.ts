/** Rules as tags, as numbers: which nodes bar an instance, and which instances are of one set. */
import { kept } from '../../../kit/kept.ts';
import type { Instance, Node, Snapshot } from '../../cluster/snapshot.ts';
import {
  isBarredFrom,
  isSticky,
  mayWish,
  SET_RULE_NAMES,
  type SetRuleName,
  wishesOf,
} from '../../cluster/tags/placement-tags.ts';

/** Instances that a rule looks at together. */
export interface InstanceSet {
  readonly rule: SetRuleName;
  readonly name: string;
  readonly members: number[];
}

export class PlacementRules {
  /** Whether any instance is barred from any node, or of a set with another. */
  hasBars = false;
  hasSets = false;
  private readonly nodes: readonly Node[];
  private readonly anyLeftAlone: boolean;
  /** Row of each instance in `bars`; -1 where no node bars it. */
  readonly barRow: number[] = [];
  /** 1 where a node bars the instances of a row. */
  readonly bars: Uint8Array[] = [];
  private readonly rowOf = new Map<string, number>();
  /** All sets, and those of each instance. */
  private readonly sets = new Map<string, InstanceSet>();
  private readonly setsOf: (readonly InstanceSet[])[] = [];
  private readonly sticky: boolean[] = [];

  constructor({ nodes }: Snapshot) {
    this.nodes = nodes;
    this.anyLeftAlone = nodes.some(({ isLeftAlone }) => isLeftAlone);
  }

  addInstance(i: number, { tags, isLeftAlone = false }: Instance): void {
    this.barRow[i] = -1;
    this.setsOf[i] = [];
    this.sticky[i] = isSticky(tags);
    // What is left alone is not barred from where it is.
    const keepsAway = this.anyLeftAlone && !isLeftAlone;
    if (!keepsAway && !mayWish(tags)) return;
    const wishes = wishesOf(tags);
    const { pinned, keepOff } = wishes;
    if (keepsAway || pinned.length + keepOff.length > 0) {
      const key = JSON.stringify([keepsAway, pinned, keepOff]);
      const isBarred = (node: Node): boolean => (keepsAway && node.isLeftAlone) || isBarredFrom(wishes, node);
      const bars = () => Uint8Array.from(this.nodes, (node) => (isBarred(node) ? 1 : 0));
      this.barRow[i] = kept(this.rowOf, key, () => this.bars.push(bars()) - 1);
      this.hasBars = true;
    }
    this.setsOf[i] = SET_RULE_NAMES.flatMap((rule) => wishes[rule].map((name) => this.join(i, rule, name)));
  }

  private join(i: number, rule: SetRuleName, name: string): InstanceSet {
    const set = kept(this.sets, `${rule}:${name}`, () => ({ rule, name, members: [] }));
    set.members.push(i);
    if (set.members.length > 1) this.hasSets = true;
    return set;
  }

  dropInstance(i: number): void {
    for (const { members } of this.setsOf[i] ?? []) members.pop();
    this.barRow.length = i;
    this.setsOf.length = i;
    this.sticky.length = i;
  }

  isBarred(i: number, node: number): boolean {
    const row = this.barRow[i]!;
    return row >= 0 && this.bars[row]![node] === 1;
  }

  setsWith(i: number): readonly InstanceSet[] {
    return this.setsOf[i] ?? [];
  }

  /** Whether any other instance is of one of its sets. */
  hasMates(i: number): boolean {
    return this.hasSets && this.setsWith(i).some(({ members }) => members.length > 1);
  }

  /** All sets with at least two instances. */
  allSets(): readonly InstanceSet[] {
    return [...this.sets.values()].filter(({ members }) => members.length > 1);
  }

  isSticky(i: number): boolean {
    return this.sticky[i] ?? false;
  }
}
