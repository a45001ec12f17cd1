/**
 * Which rules are broken as a state stands, and how many times: by instances on offline or barring nodes,
 * nodes that fail N+1, primaries that should be apart, and sets. What nodes and sets break even without all
 * that may move is not counted, as no move mends it. Source: docs/reference/rules.md.
 */
import { kept } from '../../../kit/kept.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { RulesWith } from '../../cluster/rules.ts';
import { NO_NODE } from '../../cluster/snapshot.ts';
import { removePrimary, removeSecondary } from '../../model/moves/transitions.ts';
import { wishBarOf } from '../../model/rules/refusals.ts';
import { misplacedOf } from '../../model/rules/sets.ts';
import * as F from '../../model/state/node-fields.ts';
import type { InstanceSet } from '../../model/state/placement-rules.ts';
import { instancesOn } from '../../model/state/scope.ts';
import { type ClusterState, MIRROR_INTERNAL } from '../../model/state/state.ts';
import type { mending } from '../../results/parts/explanation.ts';
import type { BalanceOptions } from '../balance/options.ts';

type BrokenRule = DocumentOf<typeof mending>['before'][number];

const ascending = (instances: readonly number[]): number[] => instances.toSorted((a, b) => a - b);

export class BrokenRules {
  private readonly isScope: Uint8Array;
  /** Members of a set on each node, while they are counted. */
  private readonly countOn: Int32Array;
  /** By node, whether it fails N+1 and how many tags conflict even without all that may move. */
  private readonly failsAnyway: Uint8Array;
  readonly conflictsAnyway: Int32Array;
  /** Members that are misplaced even without all that may move. */
  private readonly misplacedAnyway: ReadonlyMap<InstanceSet, number>;

  /**
   * @param nodes positions of the nodes that are looked after: a group
   * @param movable instances that may be moved
   */
  constructor(
    readonly state: ClusterState,
    readonly nodes: readonly number[],
    private readonly options: Pick<BalanceOptions, 'diskMoves'>,
    movable: readonly number[],
  ) {
    this.isScope = new Uint8Array(state.nodeCount);
    this.countOn = new Int32Array(state.nodeCount);
    this.failsAnyway = new Uint8Array(state.nodeCount);
    this.conflictsAnyway = new Int32Array(state.nodeCount);
    for (const n of nodes) this.isScope[n] = 1;
    const mayMove = new Set(movable);
    for (const n of nodes) if (this.ofNode(n) > 0) this.judgeWithout(mayMove, n);
    this.misplacedAnyway = new Map(
      state.placement.allSets().map((set) => [set, this.misplaced(set, mayMove)]),
    );
  }

  private judgeWithout(mayMove: ReadonlySet<number>, n: number): void {
    const { state } = this;
    const leaving = instancesOn(state, [n]).filter((i) => mayMove.has(i));
    state.journal.tentatively(() => {
      for (const i of leaving)
        if (state.primary[i] === n) removePrimary(state, i, n, state.locationScore[i]!);
        else removeSecondary(state, i, n, state.reservedFor(i));
      this.failsAnyway[n] = state.field(n, F.FAILS_N1);
      this.conflictsAnyway[n] = state.field(n, F.TAG_CONFLICTS);
    });
  }

  /** Rules that an instance breaks by where it is, whatever others do; only a move of its own mends them. */
  ofInstance(i: number): number {
    return this.ofPlace(i, this.state.primary[i]!, this.state.secondary[i]!);
  }

  /** The same if it were on other nodes. */
  ofPlace(i: number, p: number, s: number): number {
    const { state } = this;
    let broken = state.isOffline[p]! + (state.admits(i, p) ? 0 : 1);
    if (state.mirroring[i] === MIRROR_INTERNAL && s !== NO_NODE && this.options.diskMoves)
      broken += state.isOffline[s]! + (state.admits(i, s) ? 0 : 1);
    return broken;
  }

  /** Rules that a node breaks by what is on it. */
  ofNode(n: number): number {
    const { state } = this;
    if (state.isOffline[n] === 1 || this.isScope[n] === 0) return 0;
    const conflicts = state.field(n, F.TAG_CONFLICTS) - this.conflictsAnyway[n]!;
    return conflicts + (this.failsN1(n) ? 1 : 0);
  }

  /** Whether an online node fails N+1, and would not without all that may move. */
  failsN1(n: number): boolean {
    return this.state.field(n, F.FAILS_N1) === 1 && this.failsAnyway[n] === 0;
  }

  /** How many of a set must move at least. @param moving members that do so anyway */
  ofSet(set: InstanceSet, moving?: ReadonlySet<number>): number {
    return this.misplaced(set, moving) - (this.misplacedAnyway.get(set) ?? 0);
  }

  private misplaced(set: InstanceSet, without?: ReadonlySet<number>): number {
    const { state, countOn } = this;
    for (const i of this.membersOf(set)) if (!without?.has(i)) countOn[state.primary[i]!]!++;
    const counts: number[] = [];
    for (const i of set.members) {
      const p = state.primary[i]!;
      if (countOn[p]! > 0) counts.push(countOn[p]!);
      countOn[p] = 0;
    }
    return misplacedOf(set, counts);
  }

  /** Those of a set that have their primary among the nodes. */
  membersOf({ members }: InstanceSet): number[] {
    return members.filter((i) => this.isScope[this.state.primary[i]!] === 1);
  }

  /** What a move of the instance that touches these nodes can change. */
  around(i: number, touched: readonly number[]): number {
    return this.sum([i], touched, this.state.placement.setsWith(i));
  }

  /** How many times rules are broken, those of the given instances' places counted alone. */
  total(instances: readonly number[]): number {
    return this.sum(instances, this.nodes, this.state.placement.allSets());
  }

  private sum(instances: readonly number[], nodes: readonly number[], sets: Iterable<InstanceSet>): number {
    let broken = 0;
    for (const i of instances) broken += this.ofInstance(i);
    for (const n of nodes) broken += this.ofNode(n);
    for (const set of sets) broken += this.ofSet(set);
    return broken;
  }

  /** All of them, for people. */
  list(): BrokenRule[] {
    const { state, nodes } = this;
    const found: BrokenRule[] = [];
    for (const n of nodes) {
      const { primaries, secondaries } = state;
      if (state.isOffline[n] === 1) {
        const instances = ascending(this.options.diskMoves ? instancesOn(state, [n]) : primaries[n]!);
        if (instances.length > 0) found.push(this.fact('offline', instances, [n]));
      } else if (state.field(n, F.FAILS_N1) === 1)
        found.push(this.fact('n-plus-one', ascending(secondaries[n]!), [n]));
      found.push(...this.clashesOn(n), ...this.barredOn(n));
    }
    for (const set of state.placement.allSets()) {
      if (this.misplaced(set) === 0) continue;
      const instances = this.membersOf(set);
      const places = [...new Set(instances.map((i) => state.primary[i]!))];
      found.push(this.fact(set.rule, instances, places, set.name));
    }
    return found;
  }

  /** @param detail the tag, or the name of the set */
  private fact(
    rule: 'offline' | RulesWith<'broken'>,
    instances: readonly number[],
    nodes: readonly number[],
    detail?: string,
  ): BrokenRule {
    const { snapshot } = this.state;
    return {
      rule,
      instances: instances.map((i) => snapshot.instances[i]!.name),
      nodes: nodes.map((n) => snapshot.nodes[n]!.name),
      ...(detail !== undefined && { detail }),
    };
  }

  private clashesOn(n: number): BrokenRule[] {
    const { state } = this;
    if (state.isOffline[n] === 1) return [];
    const carriers = new Map<string, number[]>();
    for (const i of state.primaries[n]!)
      for (const tag of new Set(state.instanceRecord(i).exclusionTags))
        kept(carriers, tag, (): number[] => []).push(i);
    return [...carriers]
      .filter(([, instances]) => instances.length > 1)
      .map(([tag, instances]) => this.fact('exclusion-tags', instances, [n], tag));
  }

  private barredOn(n: number): BrokenRule[] {
    const { state } = this;
    return instancesOn(state, [n]).flatMap((i): BrokenRule[] => {
      if (state.admits(i, n)) return [];
      if (!state.reaches(i, n)) return [this.fact('pool-access', [i], [n])];
      const { rule, names } = wishBarOf(state, i, n)!;
      return [this.fact(rule, [i], [n], names.join(', '))];
    });
  }
}
