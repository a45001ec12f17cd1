/**
 * Global N+1 as the stock programs check it: could any one node fail, its DRBD instances failing over to
 * their secondaries and all others finding room in its group? For clusters without stated storage (see
 * capacity-check.ts).
 *
 * The answers are stock's, which decides greedily: each instance goes where the score is best. Most nodes are
 * decided without trying (evacuability.ts); the rest are played through on the state and taken back.
 * Source: stock GlobalN1; design document on location and shared storage redundancy.
 */
import { kept } from '../../../../kit/kept.ts';
import { ALLOWED } from '../../../cluster/refusal.ts';
import { applyMove, placeInstance, putInstance } from '../../moves/apply.ts';
import { FAILOVER, FAILOVER_TO_ANY } from '../../moves/kinds.ts';
import { refileLatest } from '../../moves/transitions.ts';
import { freeMemWith, memNeedOf } from '../../rules/memory.ts';
import * as F from '../../state/node-fields.ts';
import { type ClusterState, IS_FORTHCOMING } from '../../state/state.ts';
import { type ChooserRows, chooserRows, PLACE, TargetChooser, type TargetKind } from './best-target.ts';
import { CROWDED, EvacuationPlan, HOPELESS, type Outlook, SURE, UNSURE } from './evacuability.ts';
import { Proofs } from './proofs.ts';
import { type Fates, fatesOn, spansGroups } from './residents.ts';
import type { SteadyChoices } from './steady-choices.ts';

export interface GlobalCheckOptions {
  /** Positions of groups whose nodes need not be evacuable. */
  readonly ignoredGroups?: ReadonlySet<number> | undefined;
  /** Leave out offline nodes (`--accept-existing-errors`). */
  readonly onlineOnly?: boolean | undefined;
  /** Keeps how long choices hold, for who asks about one instance after the other. */
  readonly steady?: ((chooser: TargetChooser) => SteadyChoices) | undefined;
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

/**
 * How long a refusal holds: until anything is placed; until something is placed in that group; the same, but
 * also only while `moved` is less than that number; for ever.
 */
export type RefusalTerm = 'for-now' | 'while-group-stays' | number | 'for-good';

/** How the k-th that leaves a node comes to another. */
const kindOf = ({ moving }: Fates, k: number): TargetKind => (k < moving.length ? FAILOVER_TO_ANY : PLACE);

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
  /** How long choices by the score of all nodes hold; there once any are asked for again. */
  private steady: SteadyChoices | undefined;
  /** How far candidates may move apart before one of the choices is another that were played through last. */
  private far = 0;
  /** What the choosers of groups, which have no common node, write by node. */
  private readonly groupRows: ChooserRows;
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
  /** Whether the verdict that was found last does. */
  private isWide = false;
  /** Groups whose nodes have to be looked at for this again. */
  private readonly unsettled = new Set<number>();
  private readonly spansGroups: boolean;
  /** Who is on the nodes as the state stands, and what is known of leaving them. */
  private readonly fates = new Map<number, Fates>();
  private readonly proofs: Proofs;
  private readonly isChecked: Uint8Array;
  /** By node: with no more free memory (MiB) than this, some other node can never be left again. */
  private readonly fullWith: Float64Array;
  /** By node, its free memory (MiB) and how many run there, as of the last refresh. */
  private readonly freeMem: Float64Array;
  private readonly residentCount: Int32Array;
  /** Nodes whose verdict is not yes, where verdicts are known. */
  private notFine: readonly number[] = [];
  /** During a trial: the new instance, its nodes, and how it is filed. */
  private trial:
    | (Bookkeeping & { readonly instance: number; readonly primary: number; readonly touched: number[] })
    | undefined;

  /** @param nodes the part of the cluster that is looked at, ascending: a group, or all nodes */
  constructor(
    state: ClusterState,
    nodes: readonly number[],
    private readonly options: GlobalCheckOptions = {},
  ) {
    this.state = state;
    this.nodes = nodes;
    this.checked = checkedNodes(state, nodes, options);
    this.isChecked = new Uint8Array(state.nodeCount);
    for (const n of this.checked) this.isChecked[n] = 1;
    this.proofs = new Proofs(state, this.checked);
    this.fullWith = new Float64Array(state.nodeCount).fill(Number.NEGATIVE_INFINITY);
    this.freeMem = new Float64Array(state.nodeCount);
    this.residentCount = new Int32Array(state.nodeCount);
    this.noteRoom(nodes);
    this.placeOf = new Int32Array(state.nodeCount);
    this.plan = new EvacuationPlan(state);
    this.groupRows = chooserRows(state);
    this.spansGroups = spansGroups(state.snapshot);
    for (const n of nodes) {
      const members = kept(this.groupNodes, state.groupOf[n]!, (): number[] => []);
      this.placeOf[n] = members.length;
      members.push(n);
    }
  }

  /** Forgets what was known, after these nodes changed for good. @param isRedundant known to be so now */
  refresh(changed: readonly number[], isRedundant = false): void {
    this.proofs.refresh(changed);
    if (this.noteRoom(changed)) this.fullWith.fill(Number.NEGATIVE_INFINITY);
    this.touch(changed);
    this.steady?.refresh(changed);
    this.hasNever = false;
    for (const n of changed) {
      this.fates.delete(n);
      this.changed.add(n);
    }
    this.suspects.clear();
    if (!isRedundant) return;
    for (const n of this.changed) this.unsettled.add(this.state.groupOf[n]!);
    this.notFine = [];
    this.changed.clear();
    // All that are checked have a yes, the others none.
    this.verdicts = this.isChecked;
    this.isFineNow = true;
  }

  /** Notes what runs on these nodes. Returns whether anything has left one of them. */
  private noteRoom(nodes: readonly number[]): boolean {
    const { state, freeMem, residentCount } = this;
    let hasLeft = false;
    for (const n of nodes) {
      const free = state.nodeFields[n * F.NODE_STRIDE + F.FREE_MEM]!;
      const { length } = state.primaries[n]!;
      if (free > freeMem[n]! || length < residentCount[n]!) hasLeft = true;
      freeMem[n] = free;
      residentCount[n] = length;
    }
    return hasLeft;
  }

  /** Whether the cluster is redundant as it stands. */
  isRedundant(): boolean {
    this.findVerdicts(true);
    return this.isFineNow;
  }

  /** Whether a node can never be left again, as the state stands, refreshed or not; no is no proof. */
  isLost(node: number): boolean {
    return [node, this.suspect].some(
      (n) => this.isChecked[n] === 1 && this.outlookOf(n, fatesOn(this.state, n)) < UNSURE,
    );
  }

  /** Nodes that cannot be evacuated as the state stands, of those that are looked at. */
  stuckNodes(): number[] {
    return this.checked.filter((n) => !this.canEvacuate(n));
  }

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

  /** Whether it is known without trying that an instance on that primary leaves some node stuck for good. */
  isTooFull(i: number, primary: number): boolean {
    return freeMemWith(this.state, i, primary) <= this.fullWith[primary]!;
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
    const touched = secondary >= 0 ? [primary, secondary] : [primary];
    this.trial = { ...books, instance: i, primary, touched };
    if (this.wide.size > 0 && !this.spansGroups) this.steady ??= this.options.steady?.(this.whole);
    const mark = state.journal.mark();
    putInstance(state, i, primary, secondary);
    this.steady?.try(touched);
    if (books.original !== undefined) refileLatest(state, primary, books.original);
    this.touch(touched);
    const influenced = this.influencedByTrial(i, primary, secondary);
    const isFine = (n: number): boolean => {
      const isAsked = influenced.has(n);
      const verdict = isAsked ? this.verdictOn(n) : verdicts[n]!;
      this.isRefusalFinal = !isAsked || verdict === NEVER;
      const isOfGroup = isAsked && !this.spansGroups && state.groupOf[n] === group;
      this.refusalTerm = verdict === NEVER ? 'for-good' : isOfGroup ? this.termInGroup : 'for-now';
      return verdict === YES;
    };
    const suspect = this.suspects.get(group) ?? this.suspect;
    // With one instance more the home is the likeliest to be too full to leave.
    const likely = [...new Set([suspect, primary])].filter((n) => this.isChecked[n] === 1);
    const refusing =
      likely.find((n) => !isFine(n)) ??
      this.inDoubt(influenced).find((n) => !likely.includes(n) && !isFine(n));
    if (refusing !== undefined) {
      if (this.refusalTerm === 'for-good' && influenced.has(refusing)) this.noteFull(primary, refusing);
      this.suspect = refusing;
      this.suspects.set(group, refusing);
    }
    state.journal.rollback(mark);
    this.touch(touched);
    this.steady?.try([]);
    this.trial = undefined;
    return refusing === undefined;
  }

  /** Remembers that the primary, with no more free memory than now, leaves a node stuck for good. */
  private noteFull(primary: number, stuck: number): void {
    if (primary === stuck) return;
    const { fullWith } = this;
    const full = this.plan.fullWith(
      primary,
      this.fatesOn(stuck),
      this.membersWith(stuck),
      this.placeOf[stuck]!,
    );
    fullWith[primary] = Math.max(fullWith[primary]!, full);
  }

  /** How long a no holds that was found last, about a node of the trial's group. */
  private get termInGroup(): RefusalTerm {
    if (!this.isWide) return 'while-group-stays';
    return this.steady ? this.moved + this.far : 'for-now';
  }

  /** How far the candidates of choices have moved apart: what a refusal may last for. */
  get moved(): number {
    return this.steady?.moved ?? 0;
  }

  /** Nodes whose verdicts may change with the trial: the secondary loses only disk, and spindles. */
  private influencedByTrial(i: number, primary: number, secondary: number): ReadonlySet<number> {
    if (this.state.flags[i]! & IS_FORTHCOMING) return new Set();
    const nodes = this.influenced([primary]);
    if (secondary >= 0) for (const n of this.proofs.brokenBy(secondary)) nodes.add(n);
    if (this.trial?.overwritten !== undefined)
      for (const n of this.checked) if (this.isFiledOddly(n)) nodes.add(n);
    return nodes;
  }

  /**
   * Nodes whose verdicts may change with others: of their group those without a proof, and those whose proof
   * breaks. Making instances anew looks at the score of all nodes, which matters once there are two of them.
   */
  private influenced(changed: Iterable<number>): Set<number> {
    const { state, proofs, spansGroups } = this;
    const nodes = new Set(changed);
    const groups = new Set<number>();
    for (const n of this.wide) if (!this.isSteady(n)) nodes.add(n);
    for (const n of changed) {
      groups.add(state.groupOf[n]!);
      for (const k of proofs.brokenBy(n)) nodes.add(k);
      if (spansGroups) for (const i of state.secondaries[n]!) nodes.add(state.primary[i]!);
    }
    for (const group of groups) for (const n of proofs.unprovenOf(group)) nodes.add(n);
    return nodes;
  }

  /** Whether a node can be left as before, and by the same choices. */
  private isSteady(node: number): boolean {
    return this.verdicts?.[node] === YES && !this.isNearTrial(node) && this.steady?.hold(node) === true;
  }

  private isNearTrial(node: number): boolean {
    const { groupOf } = this.state;
    return this.trial?.touched.some((n) => groupOf[n] === groupOf[node]) ?? false;
  }

  /** The nodes of its group that are looked at. */
  private membersWith(node: number): readonly number[] {
    return this.groupNodes.get(this.state.groupOf[node]!)!;
  }

  /** Finds out whose verdicts follow the score of all nodes where the verdicts were known without asking. */
  private settle(): void {
    if (this.unsettled.size === 0) return;
    const { proofs } = this;
    const wide = new Set(this.wide);
    for (const n of wide) if (!proofs.unprovenOf(this.state.groupOf[n]!).has(n)) wide.delete(n);
    for (const group of this.unsettled) {
      for (const n of proofs.unprovenOf(group)) {
        const fates = this.fatesOn(n);
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
    if (outlook === SURE && node !== this.trial?.primary) this.proofs.note(node, this.plan.grounds);
    return outlook;
  }

  private fatesOn(node: number): Fates {
    const { trial, state } = this;
    if (trial && (trial.overwritten !== undefined || node === trial.primary))
      return fatesOn(state, node, (i) => (i === trial.overwritten ? trial.instance : i));
    return kept(this.fates, node, () => fatesOn(state, node));
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
    const isOdd = this.isFiledOddly(node);
    const outlook = isOdd ? UNSURE : this.provenOutlook(node, fates);
    if (outlook === UNSURE) return this.playThrough(node, fates, isOdd) ? YES : NO;
    this.isWide = false;
    if (outlook === SURE) return YES;
    return outlook === CROWDED && this.trial === undefined ? NO : NEVER;
  }

  /** Nodes that may have room for one of these; none gets more while they leave. */
  private targetsFor(node: number, leaving: readonly number[], isOdd: boolean): number[] {
    const { state } = this;
    const others = this.membersWith(node).filter((n) => n !== node);
    if (isOdd) return others;
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

  /** Whether the node can be left, by evacuating it for real. @param isOdd nothing is sure of any of them */
  private playThrough(node: number, fates: Fates, isOdd: boolean): boolean {
    const { state } = this;
    const leaving = isOdd ? fates.leaving : fates.leaving.slice(0, this.plan.unsure);
    const targets = this.targetsFor(node, leaving, isOdd);
    const members = this.membersWith(node);
    const touched = new Set([node]);
    const steady = isOdd ? undefined : this.steady;
    const isNear = this.isNearTrial(node);
    this.far = isOdd ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    const canLeave = (): boolean => {
      for (const [k, i] of leaving.entries()) {
        // A few choices are mostly enough to see that the others fit.
        if (k > 0 && !isOdd && this.plan.surelyFit(leaving.slice(k), members, this.placeOf[node]!))
          return true;
        const kind = kindOf(fates, k);
        const chooser = this.chooserFor(node, fates, k);
        // Where the last one goes is of no matter.
        if (k === leaving.length - 1) return chooser.hasChoice(i, kind, targets);
        const home = chooser.choose(i, kind, targets, true);
        if (kind === PLACE && steady) this.far = Math.min(this.far, steady.note(i, isNear));
        if (home === undefined) return false;
        if (kind === PLACE) placeInstance(state, i, home, -1, true);
        else applyMove(state, i, kind, home, true);
        touched.add(home);
        this.touch([node, home]);
      }
      return true;
    };
    const mark = state.journal.mark();
    const isLeft = this.failOver(fates.failingOver, touched) && canLeave();
    state.journal.rollback(mark);
    this.touch(touched);
    if (!isNear) steady?.keep(node, this.far);
    return isLeft;
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
    const isPlaced = kindOf(fates, k) === PLACE;
    const chooser = isPlaced ? this.whole : this.chooserOf(this.state.groupOf[node]!);
    chooser.catchUp();
    return chooser;
  }

  private get whole(): TargetChooser {
    this.wholeChooser ??= new TargetChooser(this.state, this.nodes);
    return this.wholeChooser;
  }

  private chooserOf(group: number): TargetChooser {
    const make = () => new TargetChooser(this.state, this.groupNodes.get(group)!, this.groupRows);
    return kept(this.groupChoosers, group, make);
  }

  private touch(nodes: Iterable<number>): void {
    for (const n of nodes) {
      this.groupChoosers.get(this.state.groupOf[n]!)?.touch(n);
      this.wholeChooser?.touch(n);
    }
  }
}
