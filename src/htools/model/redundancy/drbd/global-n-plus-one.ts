/**
 * Global N+1 as the stock programs check it: could any one node fail, its DRBD instances failing over to
 * their secondaries and all others finding room in its group? For clusters without stated storage (see
 * capacity-check.ts).
 *
 * The answers are stock's, which decides greedily: each instance goes where the score is best. Most nodes are
 * decided without trying (evacuation-plan.ts); the rest are played through on the state and taken back.
 * Source: stock GlobalN1; design document on location and shared storage redundancy.
 */
import { ALLOWED } from '../../../cluster/refusal.ts';
import { applyMove, placeInstance, putInstance } from '../../moves/apply.ts';
import { FAILOVER, FAILOVER_TO_ANY } from '../../moves/kinds.ts';
import { refileLatest } from '../../moves/transitions.ts';
import { memNeedOf } from '../../rules/memory.ts';
import * as F from '../../state/node-fields.ts';
import { type ClusterState, IS_FORTHCOMING } from '../../state/state.ts';
import { type ChooserRows, chooserRows, PLACE, TargetChooser, type TargetKind } from './best-target.ts';
import { type Duel, isWon } from './duel.ts';
import { EvacuationPlan, HOPELESS, type Outlook, SURE, UNSURE } from './evacuability.ts';
import { type Fates, fatesOn, leavingOf, Residents, spansGroups } from './residents.ts';

export interface GlobalCheckOptions {
  /** Positions of groups whose nodes need not be evacuable. */
  readonly ignoredGroups?: ReadonlySet<number> | undefined;
  /** Leave out offline nodes (`--accept-existing-errors`). */
  readonly onlineOnly?: boolean | undefined;
}

/** Which of the nodes must be evacuable. */
export const checkedNodes = (
  state: ClusterState,
  nodes: readonly number[],
  options: GlobalCheckOptions,
): number[] =>
  nodes.filter(
    (n) =>
      !(options.ignoredGroups?.has(state.groupOf[n]!) ?? false) &&
      !(options.onlineOnly && state.isOffline[n] === 1),
  );

/** Where the stock programs' books about the new instance differ from ours. */
export interface Bookkeeping {
  /**
   * Position of the instance of which the new one is a copy: the node's list names that one, so that it is
   * what leaves the node when it fails, from wherever it is.
   */
  readonly original?: number | undefined;
  /** Position of an instance that the new one overwrites: where it is listed, the new one is meant. */
  readonly overwritten?: number | undefined;
}

/** How long a refusal holds: until anything is placed; until something is placed in that group; for ever. */
export type RefusalTerm = 'for-now' | 'while-group-stays' | 'for-good';

/** How the k-th that leaves a node comes to another. */
const kindOf = ({ moving }: Fates, k: number): TargetKind => (k < moving.length ? FAILOVER_TO_ANY : PLACE);

/** Places to compare with that of the second instance: a new instance may come to one of them. */
const MOST_DUELS = 3;

/** Verdicts on a node. */
const NO = 0;
const YES = 1;
/** No, and no allocation can change that. */
const NEVER = 2;

export class GlobalCheck {
  private readonly state: ClusterState;
  private readonly nodes: readonly number[];
  private readonly checked: readonly number[];
  private readonly plan: EvacuationPlan;
  private readonly groupNodes = new Map<number, number[]>();
  /** Where a node stands in its group. */
  private readonly placeOf: Int32Array;
  private readonly groupChoosers = new Map<number, TargetChooser>();
  private wholeChooser: TargetChooser | undefined;
  /** What the choosers of groups, which have no common node, write by node. */
  private readonly groupRows: ChooserRows;
  /** Nodes that changed since a chooser looked. */
  private readonly dirty = new Map<TargetChooser, Set<number>>();
  /** Verdicts on all nodes, when they were last complete; undefined = to be found. */
  private verdicts: Uint8Array | undefined;
  /** Nodes that have changed since. */
  private readonly changed = new Set<number>();
  private hasNever = false;
  private isFineNow = false;
  /** Where the last refusal came from, and the last of each group: the likeliest place of the next one. */
  private suspect = -1;
  private readonly suspects = new Map<number, number>();
  /**
   * Whether the last no of `admits` holds for every larger instance of the kind at that home, too: the node
   * fails whatever comes, or cannot be left whatever is chosen. What greedy choices lead to may be another
   * thing with another size.
   */
  isRefusalFinal = false;
  refusalTerm: RefusalTerm = 'for-now';
  /** Nodes whose verdict follows the score of all nodes: several instances are made anew, by trying. */
  private wide: ReadonlySet<number> = new Set();
  /** Whether that of the last one asked does. */
  private isWide = false;
  /** Groups of whose nodes it is not known. */
  private readonly unsettled = new Set<number>();
  private readonly spansGroups: boolean;
  /** Who is on the nodes as the state stands. */
  private known: Residents | undefined;
  private readonly isChecked: Uint8Array;
  /** By node, why it can be left; and when a node changed for good. */
  private readonly duels = new Map<number, readonly Duel[]>();
  private readonly changedAt: Int32Array;
  private moment = 0;
  /** Nodes whose verdict is not yes, where verdicts are known. */
  private notFine: readonly number[] = [];
  /** During a trial: the new instance, its primary, and how it is filed. */
  private trial: (Bookkeeping & { readonly instance: number; readonly primary: number }) | undefined;

  /** @param nodes the part of the cluster that is looked at, ascending: a group, or all nodes */
  constructor(state: ClusterState, nodes: readonly number[], options: GlobalCheckOptions = {}) {
    this.state = state;
    this.nodes = nodes;
    this.checked = checkedNodes(state, nodes, options);
    this.isChecked = new Uint8Array(state.nodeCount);
    this.changedAt = new Int32Array(state.nodeCount);
    for (const n of this.checked) this.isChecked[n] = 1;
    this.placeOf = new Int32Array(state.nodeCount);
    this.plan = new EvacuationPlan(state);
    this.groupRows = chooserRows(state);
    this.spansGroups = spansGroups(state.snapshot);
    for (const n of nodes) {
      const group = state.groupOf[n]!;
      const list = this.groupNodes.get(group);
      this.placeOf[n] = list?.length ?? 0;
      if (list) list.push(n);
      else this.groupNodes.set(group, [n]);
    }
  }

  /** Forgets what was known, after these nodes changed for good. @param isRedundant known to be so now */
  refresh(changed: readonly number[], isRedundant = false): void {
    this.known?.refresh(changed);
    this.touch(changed);
    this.hasNever = false;
    this.moment++;
    for (const n of changed) {
      this.changed.add(n);
      this.changedAt[n] = this.moment;
    }
    this.suspects.clear();
    if (!isRedundant) return;
    for (const n of this.changed) this.unsettled.add(this.state.groupOf[n]!);
    this.notFine = [];
    this.changed.clear();
    this.verdicts = new Uint8Array(this.state.nodeCount);
    for (const n of this.checked) this.verdicts[n] = YES;
    this.isFineNow = true;
  }

  /** Whether the cluster is redundant as it stands. */
  isRedundant(): boolean {
    this.findVerdicts(true);
    return this.isFineNow;
  }

  /** Whether a node can never be left again, as the state stands, refreshed or not; no is no proof. */
  isLost(node: number): boolean {
    return [node, this.suspect].some(
      (n) => this.isChecked[n] === 1 && this.outlookOf(n, fatesOn(this.state, n)) === HOPELESS,
    );
  }

  /** Nodes that cannot be evacuated as the state stands, of those that are looked at. */
  stuckNodes(): number[] {
    return this.checked.filter((n) => !this.canEvacuate(n));
  }

  /** Whether a node can be evacuated as the state stands. */
  canEvacuate(node: number): boolean {
    return this.verdictOn(node) === YES;
  }

  /** Where the last refusal came from: a node that could not be evacuated; -1 when there was none. */
  get refusingNode(): number {
    return this.suspect;
  }

  /** Whether no placement of anything can make the cluster redundant. */
  get isHopeless(): boolean {
    this.findVerdicts(false);
    return this.hasNever;
  }

  /** Whether it is redundant with an instance more. State as before. @param i that is on no node */
  admits(i: number, primary: number, secondary: number, books: Bookkeeping = {}): boolean {
    this.isRefusalFinal = this.isHopeless;
    this.refusalTerm = 'for-good';
    if (this.isRefusalFinal) return false;
    const { state } = this;
    const group = state.groupOf[primary]!;
    const verdicts = this.verdicts!;
    this.settle();
    this.trial = { ...books, instance: i, primary };
    const touched = secondary >= 0 ? [primary, secondary] : [primary];
    const mark = state.journal.mark();
    putInstance(state, i, primary, secondary);
    if (books.original !== undefined) refileLatest(state, primary, books.original);
    this.touch(touched);
    const influenced = this.influencedByTrial(i, primary);
    const isFine = (n: number): boolean => {
      const isAsked = influenced.has(n);
      const verdict = isAsked ? this.verdictOn(n) : verdicts[n]!;
      const isOfGroup = isAsked && !this.isWide && !this.spansGroups && state.groupOf[n] === group;
      this.isRefusalFinal = !isAsked || verdict === NEVER;
      this.refusalTerm = verdict === NEVER ? 'for-good' : isOfGroup ? 'while-group-stays' : 'for-now';
      return verdict === YES;
    };
    const suspect = this.suspects.get(group) ?? this.suspect;
    const refusing =
      suspect >= 0 && !isFine(suspect) ? suspect : this.inDoubt(influenced).find((n) => !isFine(n));
    if (refusing !== undefined) {
      this.suspect = refusing;
      this.suspects.set(group, refusing);
    }
    state.journal.rollback(mark);
    this.touch(touched);
    this.trial = undefined;
    return refusing === undefined;
  }

  /** Nodes whose verdicts may change with the trial: of its nodes only the primary loses memory. */
  private influencedByTrial(i: number, primary: number): ReadonlySet<number> {
    if (this.state.flags[i]! & IS_FORTHCOMING) return new Set();
    const nodes = this.influenced([primary]);
    if (this.trial?.overwritten !== undefined)
      for (const n of this.checked) if (this.isFiledOddly(n)) nodes.add(n);
    return nodes;
  }

  /**
   * Nodes whose verdicts may change with others. Failovers ask for room on the secondary, so those of the
   * nodes that fail over to one of these; moving instances looks at the group; making instances anew at the
   * score of all nodes, which matters as soon as there are two of them.
   */
  private influenced(changed: Iterable<number>): Set<number> {
    const { state, residents } = this;
    const nodes = new Set([...changed, ...this.wide]);
    const groups = new Set<number>();
    for (const n of changed) {
      groups.add(state.groupOf[n]!);
      for (const k of residents.restingOn(n)) nodes.add(k);
      for (const i of state.secondaries[n]!) nodes.add(state.primary[i]!);
    }
    for (const group of groups) for (const n of residents.unprovenOf(group)) nodes.add(n);
    for (const n of this.notFine) if (groups.has(state.groupOf[n]!)) nodes.add(n);
    return nodes;
  }

  /** The nodes of its group that are looked at. */
  private membersWith(node: number): readonly number[] {
    return this.groupNodes.get(this.state.groupOf[node]!)!;
  }

  private get residents(): Residents {
    this.known ??= new Residents(this.state, this.nodes);
    return this.known;
  }

  /** Finds out whose verdicts follow the score of all nodes where the verdicts were known without asking. */
  private settle(): void {
    if (this.unsettled.size === 0) return;
    const { residents } = this;
    const wide = new Set(this.wide);
    for (const n of wide) if (!residents.unprovenOf(this.state.groupOf[n]!).has(n)) wide.delete(n);
    for (const group of this.unsettled) {
      for (const n of residents.unprovenOf(group)) {
        const fates = residents.of(n);
        if (fates.recreated.length > 1 && this.provenOutlook(n, fates) === UNSURE) wide.add(n);
        else wide.delete(n);
      }
    }
    this.unsettled.clear();
    this.wide = wide;
  }

  /** What is sure of leaving the node. */
  private outlookOf(node: number, fates: Fates): Outlook {
    if (!this.plan.canFailOver(node, fates)) return HOPELESS;
    return this.plan.outlook(node, fates, this.membersWith(node), this.placeOf[node]!);
  }

  /** The same as the state stands that is kept; a proof that it can be left is kept, too. */
  private provenOutlook(node: number, fates: Fates): Outlook {
    const outlook = this.outlookOf(node, fates);
    // The room that a trial takes on another node only makes a proof harder.
    if (outlook === SURE && node !== this.trial?.primary) this.residents.noteProof(node, this.plan.grounds);
    return outlook;
  }

  private fatesOn(node: number): Fates {
    const { trial, residents, state } = this;
    if (trial === undefined || (trial.overwritten === undefined && node !== trial.primary))
      return residents.of(node);
    return fatesOn(state, node, (i) => (i === trial.overwritten ? trial.instance : i));
  }

  /** The nodes to look at, ascending: of the others the verdict is known, and it is yes. */
  private inDoubt(influenced: ReadonlySet<number>): readonly number[] {
    return [...new Set([...influenced, ...this.notFine])]
      .filter((n) => this.isChecked[n] === 1)
      .sort((a, b) => a - b);
  }

  private findVerdicts(stopsEarly: boolean): void {
    if (this.hasNever || (this.verdicts && this.changed.size === 0)) return;
    const verdicts = this.verdicts?.slice() ?? new Uint8Array(this.state.nodeCount);
    this.settle();
    const wide = new Set(this.wide);
    const doubtful = this.verdicts ? this.inDoubt(this.influenced(this.changed)) : this.checked;
    this.isFineNow = true;
    for (const n of doubtful) {
      verdicts[n] = this.verdictOn(n);
      if (this.isWide) wide.add(n);
      else wide.delete(n);
      if (verdicts[n] === YES) continue;
      this.suspect = n;
      this.isFineNow = false;
      this.hasNever = verdicts[n] === NEVER;
      // Half-known verdicts are no verdicts: the last complete ones are kept.
      if (this.hasNever || stopsEarly) return;
    }
    this.verdicts = verdicts;
    this.wide = wide;
    this.changed.clear();
    this.notFine = this.isFineNow ? [] : this.checked.filter((n) => verdicts[n] !== YES);
  }

  private verdictOn(node: number): number {
    const fates = this.fatesOn(node);
    this.isWide = fates.recreated.length > 1;
    if (this.duelsOf(node, fates).some((duel) => this.isWon(node, duel))) return YES;
    const leaving = leavingOf(fates);
    const isOdd = this.isFiledOddly(node);
    const outlook = isOdd ? UNSURE : this.provenOutlook(node, fates);
    if (outlook === UNSURE)
      return this.playThrough(node, fates, isOdd ? leaving : leaving.slice(0, this.plan.unsure)) ? YES : NO;
    this.isWide = false;
    return outlook === SURE ? YES : NEVER;
  }

  /** Those that are still about the nodes as they are, but for the trial. */
  private duelsOf(node: number, fates: Fates): readonly Duel[] {
    const { changedAt, duels } = this;
    const isOld = ({ grounds, moment }: Duel): boolean => grounds.some((n) => changedAt[n]! > moment);
    return (duels.get(node) ?? []).filter((duel) => duel.fates === fates && !isOld(duel));
  }

  private isWon(node: number, duel: Duel): boolean {
    if (this.trial && duel.grounds.includes(this.trial.primary)) return false;
    return isWon(duel, this.chooserFor(node, duel.fates, 0).statistics.now);
  }

  /** Nodes that may have room for one of these; none gets more while they leave. */
  private targetsFor(node: number, leaving: readonly number[]): number[] {
    const { state } = this;
    const others = this.membersWith(node).filter((n) => n !== node);
    if (this.isFiledOddly(node)) return others;
    const least = Math.min(...leaving.map((i) => memNeedOf(state, i)));
    return others.filter((n) => state.nodeFields[n * F.NODE_STRIDE + F.FREE_MEM]! > least);
  }

  /** Whether the books name another instance than is there, so that only playing through tells. */
  private isFiledOddly(node: number): boolean {
    const { trial } = this;
    if (trial === undefined) return false;
    if (trial.original !== undefined && node === trial.primary) return true;
    return trial.overwritten !== undefined && this.state.primaries[node]!.includes(trial.overwritten);
  }

  /** Whether the node can be left, by evacuating it for real. @param leaving as far as it is not sure */
  private playThrough(node: number, fates: Fates, leaving: readonly number[]): boolean {
    const targets = this.targetsFor(node, leaving);
    if (leaving.length !== 2) return this.play(node, fates, leaving, targets) !== undefined;
    // The first one takes what the second needs only if that is better than the others; so if all is well
    // where there are few others, it is where there are more.
    const few = this.duelsOf(node, fates).flatMap(({ places }) => places);
    const fewTargets = targets.filter((n) => few.includes(n));
    if (few.length > 0 && this.play(node, fates, leaving, fewTargets)) return true;
    const homes = this.play(node, fates, leaving, targets);
    if (homes && !this.state.tags.hasLocations) this.noteDuels(node, fates, targets, homes[1]!);
    return homes !== undefined;
  }

  /** Evacuates the node and takes it back. Returns where those of `leaving` go, if all can. */
  private play(
    node: number,
    fates: Fates,
    leaving: readonly number[],
    targets: readonly number[],
  ): readonly number[] | undefined {
    const { state } = this;
    const touched = new Set([node]);
    const homes: number[] = [];
    const mark = state.journal.mark();
    if (this.failOver(fates.failingOver, touched)) {
      for (const i of leaving) {
        const kind = kindOf(fates, homes.length);
        const home = this.chooserFor(node, fates, homes.length).choose(i, kind, targets, true);
        if (home === undefined) break;
        if (kind === PLACE) placeInstance(state, i, home, -1, true);
        else applyMove(state, i, kind, home, true);
        homes.push(home);
        touched.add(home);
        this.touch([node, home]);
      }
    }
    state.journal.rollback(mark);
    this.touch(touched);
    return homes.length === leaving.length ? homes : undefined;
  }

  /** Keeps which other places the first of two takes rather than the second one's. */
  private noteDuels(node: number, fates: Fates, targets: readonly number[], last: number): void {
    const { moment, state, trial } = this;
    const changing = new Set([node, last, ...this.plan.grounds]);
    const before = this.chooserFor(node, fates, 0).statistics.now.copy();
    const mark = state.journal.mark();
    this.failOver(fates.failingOver, changing);
    const chooser = this.chooserFor(node, fates, 0);
    const [first, kind] = [leavingOf(fates)[0]!, kindOf(fates, 0)];
    const duels: Duel[] = [];
    for (let open = targets; duels.length < MOST_DUELS; ) {
      const better = chooser.choose(first, kind, open, true);
      if (better === undefined || better === last) break;
      open = open.filter((n) => n !== better);
      const places = [better, last];
      const { between, after } = chooser.outcomes(first, kind, places, true);
      const grounds = [...changing, better];
      duels.push({ fates, places, grounds, moment, before, between, won: after[0]!, lost: after[1] });
    }
    state.journal.rollback(mark);
    this.touch(changing);
    const kept = trial ? duels.filter(({ grounds }) => !grounds.includes(trial.primary)) : duels;
    this.duels.set(node, kept);
  }

  private failOver(instances: readonly number[], touched: Set<number>): boolean {
    const { state } = this;
    for (const i of instances) {
      touched.add(state.primary[i]!).add(state.secondary[i]!);
      if (applyMove(state, i, FAILOVER, -1, true) !== ALLOWED) return false;
    }
    this.touch(touched);
    return true;
  }

  /** Who chooses where the k-th that leaves the node goes, up to date. */
  private chooserFor(node: number, fates: Fates, k: number): TargetChooser {
    if (kindOf(fates, k) === PLACE) this.wholeChooser ??= this.newChooser(this.nodes);
    const chooser =
      kindOf(fates, k) === PLACE ? this.wholeChooser! : this.chooserOf(this.state.groupOf[node]!);
    this.bringUpToDate(chooser);
    return chooser;
  }

  private chooserOf(group: number): TargetChooser {
    let chooser = this.groupChoosers.get(group);
    if (!chooser) {
      chooser = this.newChooser(this.groupNodes.get(group)!, this.groupRows);
      this.groupChoosers.set(group, chooser);
    }
    return chooser;
  }

  private touch(nodes: Iterable<number>): void {
    for (const n of nodes) {
      this.soil(this.groupChoosers.get(this.state.groupOf[n]!), n);
      this.soil(this.wholeChooser, n);
    }
  }

  private soil(chooser: TargetChooser | undefined, node: number): void {
    if (chooser) this.dirty.get(chooser)!.add(node);
  }

  private newChooser(nodes: readonly number[], rows?: ChooserRows): TargetChooser {
    const chooser = new TargetChooser(this.state, nodes, rows);
    this.dirty.set(chooser, new Set());
    return chooser;
  }

  private bringUpToDate(chooser: TargetChooser): void {
    const stale = this.dirty.get(chooser)!;
    if (stale.size === 0) return;
    chooser.refresh([...stale]);
    stale.clear();
  }
}
