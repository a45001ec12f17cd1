/**
 * A cluster that is filled with instances, one after the other, each where the stock programs would place it.
 *
 * What is known of the nodes is kept from one allocation to the next: only one or two of them change. Groups
 * of allocations can be taken back. The choices are Allocator's; a pair is found quicker (pair-search.ts).
 */
import { kept } from '../../../../kit/kept.ts';
import { ALLOWED, FAIL_N1 } from '../../../cluster/refusal.ts';
import type { Instance, InstancePolicy } from '../../../cluster/snapshot.ts';
import { usesNodeDisk } from '../../../cluster/templates.ts';
import { placeInstance } from '../../../model/moves/apply.ts';
import { type CapacityCheck, capacityCheck } from '../../../model/redundancy/capacity-check.ts';
import type { TargetChooser } from '../../../model/redundancy/drbd/best-target.ts';
import type { GlobalCheckOptions } from '../../../model/redundancy/drbd/global-n-plus-one.ts';
import { SteadyChoices } from '../../../model/redundancy/drbd/steady-choices.ts';
import { Scorer } from '../../../model/score/scorer.ts';
import { freePoolMib } from '../../../model/state/pool-room.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import { Allocator } from '../choose/allocator.ts';
import { RefusalTable } from '../choose/refusal-table.ts';
import { kindKey } from '../choose/sized-answers.ts';
import { NodeSearch } from '../search/node-search.ts';
import { PairSearch } from '../search/pair-search.ts';
import type { AllocNodes, Placement } from '../solution.ts';
import { isNoLarger } from './shrink.ts';
import { StaleNodes, sizeKey } from './stale-nodes.ts';

interface FillMark {
  readonly journal: number;
  readonly count: number;
  readonly version: number;
}

/** A check with the state that its answers are about. Going back to that state makes them true again. */
class CheckAtVersion {
  private version = 0;
  private readonly touched = new Set<number>();
  private check: CapacityCheck | undefined;

  constructor(private readonly make: () => CapacityCheck) {}

  touch(nodes: readonly number[]): void {
    for (const n of nodes) this.touched.add(n);
  }

  /** The check, which may have missed the last changes. */
  get latest(): CapacityCheck {
    this.check ??= this.make();
    return this.check;
  }

  /** The check, up to date. @param isRedundant the cluster is known to be so in this version */
  at(version: number, isRedundant = false): CapacityCheck {
    const { latest } = this;
    if (version !== this.version) latest.refresh([...this.touched], isRedundant);
    this.touched.clear();
    this.version = version;
    return latest;
  }
}

export class Filler {
  /** One check for single instances and one for groups of them, which are often taken back. */
  private readonly checks: readonly [single: CheckAtVersion, group: CheckAtVersion];
  private readonly scorer: Scorer;
  private readonly allocator: Allocator;
  private readonly table: RefusalTable;
  private readonly pairSearch: PairSearch | undefined;
  private readonly nodeSearch: NodeSearch | undefined;
  private readonly staleSearch: StaleNodes;
  /** Nodes of which the allocator has not heard yet. */
  private readonly unheard = new Set<number>();
  /** Number of the state as it stands; going back brings the old number back. */
  private version = 0;
  private lastVersion = 0;
  /** Whether what is placed may be taken back, so that the journal has to be kept. */
  private isMarked = false;
  /** Whether the cluster is globally redundant, by version, as far as that is known. */
  private readonly redundancy = new Map<number, boolean>();
  /** Which sizes have a home with capacity checks, as the state stands: many lead down to the same one. */
  private readonly fitting = new Map<string, boolean>();
  /** Ways down that led nowhere as the state stands, in steps ahead of their last size. */
  readonly spent = new Map<string, { readonly from: number; readonly to: number }>();
  /** Sizes at which ways down led nowhere as the state stands, though some home had room. */
  private readonly inVain: { readonly instance: Instance; readonly kind: string }[] = [];
  /** Failures that were played through so far: for each size that was tried, homes times nodes, at most. */
  protected trials = 0;
  /** From how many on a size is taken to fit no better than a smaller one. Stock goes on for weeks. */
  protected readonly mostTrials: number = 1_000_000;
  /** The home that the check for single instances admitted, and in which state. */
  private admitted:
    | { readonly instance: Instance; readonly home: Placement; readonly version: number }
    | undefined;

  /**
   * @param state nothing else may change it
   * @param targets nodes to try
   * @param onPlaced told how many instances were added so far
   */
  constructor(
    readonly state: ClusterState,
    readonly targets: AllocNodes,
    check: GlobalCheckOptions,
    private readonly onPlaced: (count: number) => void = () => {},
  ) {
    const nodes = [...state.snapshot.nodes.keys()];
    const steady = (chooser: TargetChooser): SteadyChoices => new SteadyChoices(chooser);
    const newCheck = (): CheckAtVersion =>
      new CheckAtVersion(() => capacityCheck(state, nodes, { ...check, steady }));
    this.checks = [newCheck(), newCheck()];
    this.scorer = new Scorer(state, nodes);
    this.allocator = new Allocator(state, nodes);
    this.table = new RefusalTable(state, targets);
    const online = nodes.filter((n) => !state.isOffline[n]);
    const { scorer } = this;
    if (targets.kind === 'pairs') this.pairSearch = new PairSearch(scorer, this.table.nodes);
    else this.nodeSearch = new NodeSearch(scorer, targets.nodes);
    this.staleSearch = new StaleNodes(online);
  }

  get nodes(): readonly number[] {
    return this.table.nodes;
  }

  get policies(): readonly InstancePolicy[] {
    return this.table.policies;
  }

  get count(): number {
    return this.state.added.length;
  }

  /** The best home for an instance by the rules of the nodes alone. */
  findHome(instance: Instance): Placement | undefined {
    this.nodeSearch?.forget();
    return this.search(instance, undefined);
  }

  /** The best home that also keeps the cluster globally redundant. */
  findRedundantHome(instance: Instance): Placement | undefined {
    const home =
      this.targets.kind === 'pairs' ? this.allocate(instance, true) : this.search(instance, this.singleCheck);
    this.admitted = home && { instance, home, version: this.version };
    return home;
  }

  private search(instance: Instance, check: CapacityCheck | undefined): Placement | undefined {
    if (check?.isHopeless) return undefined;
    return this.trying(instance, (i) => {
      const { pairSearch, nodeSearch, table } = this;
      table.update(i);
      if (!table.hasPoolSpace) return undefined;
      const key = this.keyOf(instance);
      // The search learns no size that fits nowhere.
      if (!this.staleSearch.isAbout(key) && !table.hasHome) return undefined;
      const { changed, isAll } = this.staleSearch.take(key);
      if (pairSearch?.update(i, changed, isAll, table)) return pairSearch.find(i, table);
      if (!nodeSearch?.update(i, changed, isAll)) return this.allocate(instance, check !== undefined);
      const test = check && {
        isHopeless: (node: number) => check.isTooFull(i, node),
        moved: check.moved,
        ask: (node: number) => (check.admits(i, node, -1) ? 'yes' : check.refusalTerm),
      };
      const primary = nodeSearch.find(i, table, test);
      return primary === undefined ? undefined : { primary, secondary: -1 };
    });
  }

  private allocate(instance: Instance, checksCapacity: boolean): Placement | undefined {
    const { best } = this.solution(instance, checksCapacity);
    return best && { primary: best.primary, secondary: best.secondary };
  }

  private solution(instance: Instance, checksCapacity: boolean) {
    this.allocator.refresh([...this.unheard]);
    this.unheard.clear();
    const globalCheck = checksCapacity ? this.singleCheck : undefined;
    return this.allocator.allocate(instance, this.targets, { ignoreSoftErrors: false, globalCheck });
  }

  /**
   * Refused candidates per FailCode.
   * @param checksCapacity counts those that would not stay globally redundant, too
   */
  refusals(instance: Instance, checksCapacity: boolean): readonly number[] {
    // What stock counts then depends on the order: it drops the homes that are better than its choice.
    if (checksCapacity && (this.targets.kind === 'pairs' || this.findRedundantHome(instance)))
      return this.solution(instance, true).refusals;
    return this.trying(instance, (i) => {
      this.table.update(i);
      const counts = this.table.count();
      if (checksCapacity) counts[FAIL_N1]! += counts[ALLOWED]!;
      counts[ALLOWED] = 0;
      return counts;
    });
  }

  /** Whether some home could take such instances for ever, since it loses nothing to them. */
  takesAnyNumber(instance: Instance): boolean {
    const { state } = this;
    const { memMib, diskMib, vcpus, disks, diskTemplate, spindleUse } = instance;
    if (memMib > 0 || vcpus > 0) return false;
    const isOnNode = usesNodeDisk(diskTemplate);
    const spindles = (node: number): number =>
      (state.isExclusive[node] ? disks[0]?.spindles : spindleUse) ?? 0;
    return this.examine(instance, (table, i) => {
      const takesPool = Number.isFinite(freePoolMib(state, state.storageRow[i]!));
      if (diskMib > 0 && (isOnNode || takesPool)) return false;
      return table.isAllowed(
        ({ primary, secondary }) =>
          !isOnNode || (spindles(primary) <= 0 && (secondary < 0 || spindles(secondary) <= 0)),
      );
    });
  }

  /** What the rules say to an instance, without choosing among its homes. */
  examine<T>(instance: Instance, ask: (table: RefusalTable, i: number) => T): T {
    return this.trying(instance, (i) => {
      this.table.update(i);
      return ask(this.table, i);
    });
  }

  /**
   * Whether an instance has any home; with `checksCapacity` one that keeps the cluster globally redundant.
   */
  fits(instance: Instance, checksCapacity: boolean): boolean {
    return this.trying(instance, (i) => {
      this.table.update(i);
      if (!checksCapacity) return this.table.hasHome;
      const check = this.singleCheck;
      return kept(this.fitting, this.keyOf(instance), () => {
        this.trials += this.nodes.length * this.state.nodeCount;
        return this.table.isAllowed(
          ({ primary, secondary }) => !check.isTooFull(i, primary) && check.admits(i, primary, secondary),
        );
      });
    });
  }

  /** Notes a size that `fits` refused with capacity checks, as the last one of a way down. */
  noteInVain(instance: Instance): void {
    this.examine(instance, (table) => {
      if (table.hasHome) this.inVain.push({ instance, kind: this.kindOf(instance) });
    });
  }

  /**
   * Whether neither the instance nor a larger one has a home, as `fits` asks; larger in what the rules judge
   * alike: between two bounds of the policies. False where it is not known. Once very many sizes were tried,
   * what has no less of anything than one that was in vain is too large.
   */
  isTooLarge(instance: Instance, checksCapacity: boolean): boolean {
    return this.examine(instance, (table, i) => {
      if (!checksCapacity) return !table.hasHome;
      if (this.trials >= this.mostTrials && this.isLargerThanVain(instance)) return true;
      const check = this.singleCheck;
      return !table.isAllowed(
        ({ primary, secondary }) =>
          !check.isTooFull(i, primary) && (check.admits(i, primary, secondary) || !check.isRefusalFinal),
      );
    });
  }

  /** The table must be about the instance. */
  private isLargerThanVain(instance: Instance): boolean {
    const kind = this.kindOf(instance);
    return this.inVain.some((other) => other.kind === kind && isNoLarger(other.instance, instance));
  }

  /** Whether nothing that is placed anywhere could make the cluster globally redundant. */
  get isHopeless(): boolean {
    return this.singleCheck.isHopeless;
  }

  /** Whether the cluster cannot be globally redundant any more, whatever comes, because of this node. */
  isLost(node: number): boolean {
    return this.checks[1].latest.isLost(node);
  }

  /** Whether it is known that the instance there leaves some node stuck for good. */
  isTooFull(instance: Instance, { primary }: Placement): boolean {
    return this.trying(instance, (i) => this.checks[0].latest.isTooFull(i, primary));
  }

  /** Whether the cluster is globally redundant as it stands. */
  isRedundant(): boolean {
    const { version } = this;
    return kept(this.redundancy, version, () => this.checks[1].at(version).isRedundant());
  }

  private get singleCheck(): CapacityCheck {
    return this.checks[0].at(this.version, this.redundancy.get(this.version));
  }

  /** Places an instance, which gets the next name and number. */
  place(instance: Instance, home: Placement): void {
    const { state, admitted } = this;
    const { primary, secondary } = home;
    const isAdmitted =
      admitted?.version === this.version && admitted.instance === instance && admitted.home === home;
    const name = `new-${this.count}`;
    const index = state.instanceCount;
    const i = state.addInstance({ ...instance, name, alias: name, index, primary, secondary });
    placeInstance(state, i, primary, secondary, false);
    this.version = ++this.lastVersion;
    this.touch(secondary >= 0 ? [primary, secondary] : [primary]);
    if (isAdmitted) this.redundancy.set(this.version, true);
    if (!this.isMarked) state.journal.commit();
    this.onPlaced(this.count);
  }

  /** Only the last one can be gone back to. */
  mark(): FillMark {
    this.settle();
    this.isMarked = true;
    return { journal: this.state.journal.mark(), count: this.count, version: this.version };
  }

  /** Nothing so far is taken back any more, nor what is placed before the next mark. */
  settle(): void {
    this.state.journal.commit();
    this.isMarked = false;
  }

  rollback(mark: FillMark): void {
    const { state } = this;
    if (this.count === mark.count) return;
    const touched = new Set<number>();
    const from = state.instanceCount - (this.count - mark.count);
    for (let i = from; i < state.instanceCount; i++) {
      touched.add(state.primary[i]!);
      if (state.secondary[i]! >= 0) touched.add(state.secondary[i]!);
    }
    state.journal.rollback(mark.journal);
    while (this.count > mark.count) state.dropLastInstance();
    this.version = mark.version;
    this.nodeSearch?.forget();
    this.touch([...touched]);
  }

  private touch(nodes: readonly number[]): void {
    this.scorer.refresh(nodes);
    for (const check of this.checks) check.touch(nodes);
    this.table.touch(nodes);
    this.staleSearch.touch(nodes);
    this.fitting.clear();
    this.spent.clear();
    this.inVain.length = 0;
    for (const n of nodes) this.unheard.add(n);
  }

  /** What is asked of an instance beside how large it is. The table must be about it. */
  private kindOf(instance: Instance): string {
    return `${kindKey(instance)},${this.table.outsideKey}`;
  }

  /** All of an instance that decides where it may go and where it is best. The table must be about it. */
  private keyOf(instance: Instance): string {
    return `${sizeKey(instance)},${this.table.outsideKey}`;
  }

  private trying<T>(instance: Instance, work: (i: number) => T): T {
    const i = this.state.addInstance(instance);
    const result = work(i);
    this.state.dropLastInstance();
    return result;
  }
}
