/**
 * A cluster as the work across groups sees it: the state with its storage, N+1 verdicts and group scores kept
 * up to date, and trials of several moves that can be taken back together.
 */
import { NO_NODE, type Snapshot } from '../../../cluster/snapshot.ts';
import type { Storage } from '../../../cluster/storage/storage.ts';
import { hasSecondary } from '../../../cluster/templates.ts';
import { type Failure, SharedStorageN1 } from '../../../model/redundancy/shared/shared-storage.ts';
import { nodeRows, Scorer } from '../../../model/score/scorer.ts';
import * as F from '../../../model/state/node-fields.ts';
import { groupScope, groupsWithNodes, splitInstances } from '../../../model/state/scope.ts';
import { ClusterState, HAS_SECONDARY, IS_AUTO_BALANCED, IS_MOVABLE } from '../../../model/state/state.ts';
import { planCost } from '../../../plan/cost.ts';
import { type PriceRates, planPrice, priceOfLeaving, USUAL_RATES, unitPrices } from '../../../plan/price.ts';
import { PairEstimates } from '../../allocate/choose/pair-estimates.ts';
import { type PairRows, PairScan, pairRows } from '../../allocate/choose/pair-scan.ts';
import { type Home, nodesOf, type Relocation, relocate } from '../relocate/relocation.ts';
import { RatedPlacements } from './rated-placements.ts';

export interface Health {
  readonly group: number;
  /**
   * unhealthy: an offline node still has instances. weak: an online node fails N+1, by DRBD reservations or
   * because its instances could not all start again elsewhere in the group. healthy: neither.
   */
  readonly state: 'unhealthy' | 'weak' | 'healthy';
  /** Offline nodes with real instances, as primary or secondary. */
  readonly deadNodes: readonly number[];
  /** Online nodes that could not take over from a failed peer. */
  readonly overcommitted: readonly number[];
  /** Online nodes whose instances could not all start again elsewhere. */
  readonly unrestartable: readonly number[];
  /** Online nodes that fail N+1 in either way, ascending. */
  readonly failing: readonly number[];
}

export interface TrialMark {
  readonly journal: number;
  readonly touched: number;
}

export interface SuperClusterOptions {
  /** The state to work on; by default one of the snapshot as it is. */
  readonly state?: ClusterState;
  /** Nodes that are to be left and so take nothing, besides the offline ones. */
  readonly leaving?: ReadonlySet<number>;
  /** Groups that take no part: they give nothing and take nothing. */
  readonly leftOut?: ReadonlySet<number>;
  readonly rates?: PriceRates;
}

/** A record may name a secondary where the disks have none: nothing on that node could leave. */
const withoutIdleSecondaries = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  instances: snapshot.instances.map((one) =>
    one.secondary === NO_NODE || hasSecondary(one.diskTemplate) ? one : { ...one, secondary: NO_NODE },
  ),
});

export class SuperCluster {
  /** Where plans start: as read, without secondaries of instances that have one copy. */
  readonly snapshot: Snapshot;
  readonly rates: PriceRates;
  readonly state: ClusterState;
  readonly storage: Storage;
  readonly n1: SharedStorageN1;
  /** Nodes of each group; those that are online and not to be left; of these, those that take something. */
  readonly members: readonly (readonly number[])[];
  readonly online: readonly (readonly number[])[];
  readonly open: readonly (readonly number[])[];
  /** Positions of the groups that have nodes and take part. */
  readonly groups: readonly number[];
  /** Positions of the groups that have nodes and take no part. */
  readonly leftOut: readonly number[];
  /** Whether a group's online nodes have exclusive storage; both where they differ, the first's first. */
  readonly storageKinds: readonly (readonly boolean[])[];
  /** Placements among which one search after another chooses, and what estimates their scores. */
  readonly rated = new RatedPlacements((group, primary, secondary) => {
    const scan = this.scanOf(group);
    scan.open(primary);
    return scan.score(secondary);
  });
  readonly estimates: PairEstimates;
  readonly hasSplit: boolean;
  private readonly scans: (PairScan | undefined)[];
  /** What the scans write by node: groups have no node in common, so one for all will do. */
  private readonly rows: PairRows & { readonly now: Float64Array };
  /** By group: its score, and the crowding it was found with; NaN since the last change there. */
  private readonly scores: Float64Array;
  private readonly scoredWith: Float64Array;
  /** By group: nodes that changed since its scan was last asked for; of many states nobody asks. */
  private readonly changed: readonly Set<number>[];
  /** Every node that a change since the start has touched, in order. */
  private readonly touched: number[] = [];

  /** @param read as the state has it, where there is one */
  constructor(read: Snapshot, { state, leaving, leftOut, rates }: SuperClusterOptions = {}) {
    const snapshot = state ? read : withoutIdleSecondaries(read);
    this.snapshot = snapshot;
    this.rates = rates ?? USUAL_RATES;
    this.state = state ?? new ClusterState(snapshot);
    this.storage = this.state.anyStorage();
    this.hasSplit = splitInstances(snapshot).length > 0;
    const members = snapshot.groups.map((_, group) => groupScope(snapshot, group).nodes);
    this.members = members;
    this.online = members.map((nodes) =>
      nodes.filter((n) => !snapshot.nodes[n]!.isOffline && !leaving?.has(n)),
    );
    this.open = this.online.map((nodes) => nodes.filter((n) => !snapshot.nodes[n]!.isLeftAlone));
    this.storageKinds = this.online.map((nodes) => [
      ...new Set(nodes.map((n) => snapshot.nodes[n]!.hasExclusiveStorage)),
    ]);
    const inhabited = groupsWithNodes(snapshot);
    this.groups = inhabited.filter((group) => !leftOut?.has(group));
    this.leftOut = inhabited.filter((group) => leftOut?.has(group));
    const nodes = this.groups.flatMap((group) => this.online[group]!);
    this.n1 = new SharedStorageN1(this.state, this.storage, { nodes });
    this.scans = members.map(() => undefined);
    this.changed = members.map(() => new Set<number>());
    this.scores = new Float64Array(members.length);
    this.scoredWith = new Float64Array(members.length).fill(Number.NaN);
    this.rows = { now: nodeRows(this.state), ...pairRows(this.state) };
    this.estimates = new PairEstimates(this.state);
  }

  namesOf(groups: readonly number[]): string[] {
    return groups.map((group) => this.snapshot.groups[group]!.name);
  }

  /** The group that an instance's primary is in. */
  groupOf(i: number): number {
    return this.state.groupOf[this.state.primary[i]!]!;
  }

  isMirrored(i: number): boolean {
    return (this.state.flags[i]! & HAS_SECONDARY) !== 0;
  }

  /** Whether an instance may move without need, to balance load or to relieve a node. */
  isBalanced(i: number): boolean {
    const wanted = IS_MOVABLE | IS_AUTO_BALANCED;
    return (this.state.flags[i]! & wanted) === wanted;
  }

  reaches(i: number, node: number): boolean {
    const { rows, access, nodeCount } = this.storage;
    return access[rows[i]! * nodeCount + node] !== 0;
  }

  /** Whether an instance may be on a node at all: its pool is there, and no tag keeps it off. */
  admits(i: number, node: number): boolean {
    return this.reaches(i, node) && this.state.admits(i, node);
  }

  /** Whether a group is asked only when no other one will do. */
  isLastResort(group: number): boolean {
    return this.snapshot.groups[group]!.allocPolicy !== 'preferred';
  }

  /** MiB. */
  freeMem(node: number): number {
    return this.state.field(node, F.FREE_MEM);
  }

  /** By memory, then by disk, then in order. */
  largestFirst(some: Iterable<number>): number[] {
    const { instances } = this.snapshot;
    return [...some].sort(
      (a, b) =>
        instances[b]!.memMib - instances[a]!.memMib || instances[b]!.diskMib - instances[a]!.diskMib || a - b,
    );
  }

  /** Seconds that an instance counts when it leaves its group. */
  priceOfLeaving(i: number): number {
    return priceOfLeaving(unitPrices(this.snapshot.instances[i]!, this.rates), this.isMirrored(i));
  }

  /** What relocations count together, in milliseconds: the same in whatever order they are added up. */
  priceOf(relocations: readonly Relocation[]): number {
    return Math.round(1000 * planPrice(this.planOf(relocations), this.rates));
  }

  copiedMib(relocations: readonly Relocation[]): number {
    return planCost(this.planOf(relocations)).copiedMib;
  }

  private planOf(relocations: readonly Relocation[]) {
    return { start: this.snapshot, steps: relocations.flatMap(({ steps }) => steps) };
  }

  /** Scores of placements in a group, as the state stands. */
  scanOf(group: number): PairScan {
    this.scans[group] ??= new PairScan(
      new Scorer(this.state, this.members[group]!, this.rows.now),
      this.rows,
    );
    const changed = this.changed[group]!;
    if (changed.size > 0) this.scans[group].scorer.refresh([...changed]);
    changed.clear();
    return this.scans[group];
  }

  scoreOf(group: number): number {
    const { scores, scoredWith, state } = this;
    const crowding = state.tags.crowding[group]!;
    if (scoredWith[group] !== crowding) {
      const { scorer } = this.scanOf(group);
      scores[group] = scorer.isEmpty ? 0 : scorer.now.score(crowding);
      scoredWith[group] = crowding;
    }
    return scores[group]!;
  }

  healthOf(group: number): Health {
    const nodes = this.members[group]!;
    const deadNodes = nodes.filter((n) => this.isDead(n));
    const online = nodes.filter((n) => !this.state.isOffline[n]);
    const overcommitted = online.filter((n) => this.isOvercommitted(n));
    const unrestartable = online.filter((n) => this.n1.verdictOf(n) !== 'yes');
    const failing = online.filter((n) => this.fails(n));
    const state = deadNodes.length > 0 ? 'unhealthy' : failing.length > 0 ? 'weak' : 'healthy';
    return { group, state, deadNodes, overcommitted, unrestartable, failing };
  }

  isHealthy(group: number): boolean {
    return this.members[group]!.every((n) => !(this.state.isOffline[n] ? this.isDead(n) : this.fails(n)));
  }

  /** Groups that can take instances. */
  healthyGroups(): Set<number> {
    return new Set(this.groups.filter((group) => this.isHealthy(group)));
  }

  private isDead(node: number): boolean {
    const { isOffline, primaries, secondaries } = this.state;
    return isOffline[node] === 1 && primaries[node]!.length + secondaries[node]!.length > 0;
  }

  /** Whether an online node fails N+1 in either way. */
  private fails(node: number): boolean {
    return this.isOvercommitted(node) || this.n1.verdictOf(node) !== 'yes';
  }

  /** Whether a node reserves more than it has. */
  isOvercommitted(node: number): boolean {
    return this.state.field(node, F.FAILS_N1) === 1;
  }

  /** Memory (MiB) that a node lacks to take over from its worst peer. */
  shortfallOf(node: number): number {
    const reserved = this.state.field(node, F.RESERVED_MEM);
    return this.isOvercommitted(node) ? reserved - this.freeMem(node) + 1 : 0;
  }

  /**
   * How many online nodes of a group fail N+1 in either way in a trial that is not taken over; more than
   * `most` are not counted to the end. @param touched nodes that the trial changed
   */
  failingAfter(group: number, touched: readonly number[], most: number): number {
    const verdictOf = this.n1.verdictsAfter(touched);
    let failing = 0;
    for (const n of this.members[group]!) {
      if (this.state.isOffline[n] || !(this.isOvercommitted(n) || verdictOf(n) !== 'yes')) continue;
      if (++failing > most) break;
    }
    return failing;
  }

  /** Whether a trial in a group lets a node of another fail, whose instances have their secondaries here. */
  harmsOthers(group: number, touched: readonly number[]): boolean {
    if (!this.hasSplit) return false;
    const { n1, groups, members } = this;
    const verdictOf = n1.verdictsAfter(touched);
    return groups.some(
      (other) =>
        other !== group && members[other]!.some((n) => n1.verdictOf(n) === 'yes' && verdictOf(n) !== 'yes'),
    );
  }

  /** Moves an instance, whatever becomes of its group; undefined, with the state as before, when refused. */
  move(i: number, home: Home): Relocation | undefined {
    const mark = this.state.journal.mark();
    const moved = relocate(this.state, i, home);
    if (!moved) return undefined;
    if (this.harmsOthers(home.group, nodesOf(moved))) {
      this.state.journal.rollback(mark);
      return undefined;
    }
    this.refresh(nodesOf(moved));
    return moved;
  }

  /** Does relocations again that were found from the same state; undefined, half-way, when one is refused. */
  replay(relocations: readonly Relocation[]): readonly Relocation[] | undefined {
    const done: Relocation[] = [];
    for (const { instance, to } of relocations) {
      const moved = this.move(instance, to);
      if (!moved) return undefined;
      done.push(moved);
    }
    return done;
  }

  /** Takes over that these nodes changed. */
  refresh(nodes: readonly number[]): void {
    this.touched.push(...nodes);
    this.update(nodes);
  }

  /** The same unless a healthy node fails by it: that one, and nothing is taken over. */
  refreshIfHarmless(nodes: readonly number[]): Failure | undefined {
    const failure = this.n1.refreshIfHarmless(nodes);
    if (failure) return failure;
    this.touched.push(...nodes);
    this.refreshScores(nodes);
    return undefined;
  }

  mark(): TrialMark {
    return { journal: this.state.journal.mark(), touched: this.touched.length };
  }

  rollback(mark: TrialMark): void {
    this.state.journal.rollback(mark.journal);
    this.update([...new Set(this.touched.splice(mark.touched))]);
  }

  /** What `work` finds; all that it changes is taken back. */
  tentatively<T>(work: () => T): T {
    const mark = this.mark();
    const found = work();
    this.rollback(mark);
    return found;
  }

  private update(nodes: readonly number[]): void {
    this.n1.refresh(nodes);
    this.refreshScores(nodes);
  }

  /** Scores follow what these nodes changed, also in a trial and once that is taken back; verdicts do not. */
  refreshScores(nodes: readonly number[]): void {
    for (const n of nodes) {
      const group = this.state.groupOf[n]!;
      this.scoredWith[group] = Number.NaN;
      this.changed[group]!.add(n);
    }
  }
}
