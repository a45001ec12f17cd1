/**
 * N+1 of a cluster with shared storage, kept up to date: if a node fails, can all that ran on it start again
 * at once?
 *
 * Each node's verdict is kept with its witness. After a change only those verdicts are found anew that the
 * change can have touched: of the changed nodes themselves; of nodes whose witness no longer fits on a
 * changed node; and of failing nodes, where a changed node has more room than before. A witness that still
 * fits stays a proof of yes. Source: docs/why/storage.md.
 */
import { kept } from '../../../../kit/kept.ts';
import type { Storage } from '../../../cluster/storage/storage.ts';
import { memNeedOf } from '../../rules/memory.ts';
import type { ClusterState } from '../../state/state.ts';
import { packGently } from '../packing/best-fit.ts';
import type { Shortfall } from '../packing/packing-proof.ts';
import { judgeRestarts, type Restart, RestartTally } from './degraded-restarts.ts';
import {
  diskRoomOf,
  memRoomOf,
  type RestartDemand,
  RestartQuestions,
  restartVerdict,
  shortfallOf,
  type Verdict,
} from './restart-demand.ts';

/** Partial packings that the exact search visits for one node before it gives up. */
const DEFAULT_SEARCH_BUDGET = 2000;

/** Memory, disk, spindles. */
const AMOUNTS = 3;

export interface SharedStorageOptions {
  /** Nodes whose failure is looked at, as positions; all by default. Verdicts of the others stay unknown. */
  readonly nodes?: readonly number[] | undefined;
  /** Offline nodes take instances, as in the stock check. Off by default: they start nothing. */
  readonly countOffline?: boolean | undefined;
  readonly searchBudget?: number | undefined;
}

/** Where an instance of a failed node starts, and what it takes there. */
interface Start {
  readonly instance: number;
  readonly node: number;
  readonly mem: number;
  readonly disk: number;
  readonly spindles: number;
}

/** All instances of a failed node. */
export type Witness = readonly Start[];

export interface Failure {
  readonly node: number;
  readonly verdict: Exclude<Verdict, 'yes'>;
}

interface Known {
  readonly verdict: Verdict;
  readonly witness: Witness | undefined;
}

export class SharedStorageN1 {
  readonly state: ClusterState;
  private readonly questions: RestartQuestions;
  private readonly budget: number;
  private readonly known: (Known | undefined)[];
  private readonly groupMembers: readonly (readonly number[])[];
  /** Nodes that fail (no or unproven). */
  private readonly failingNodes = new Set<number>();
  /**
   * Memory, disk and spindles by node: at least what any one witness takes there; while that fits, no witness
   * is broken there.
   */
  private readonly worst: Float64Array;
  /** The same of the room that there was when the verdicts were found. */
  private readonly roomThen: Float64Array;
  /** Nodes of other groups whose witness has used a node: the primaries of split DRBD instances. */
  private readonly foreignUsers = new Map<number, Set<number>>();
  /** Memory, disk and spindles of one witness on one node. */
  private readonly load = new Float64Array(AMOUNTS);
  /** Where the last question's items go. */
  private readonly bins: number[] = [];

  constructor(state: ClusterState, storage: Storage, options: SharedStorageOptions = {}) {
    this.state = state;
    this.questions = new RestartQuestions(state, storage, options.countOffline ?? false);
    this.budget = options.searchBudget ?? DEFAULT_SEARCH_BUDGET;
    const all = Array.from({ length: state.nodeCount }, (_, n) => n);
    const nodes = options.nodes ?? all;
    this.known = new Array<Known | undefined>(state.nodeCount).fill(undefined);
    this.groupMembers = state.snapshot.groups.map((_, g) => nodes.filter((n) => state.groupOf[n] === g));
    this.worst = new Float64Array(AMOUNTS * state.nodeCount);
    this.roomThen = new Float64Array(AMOUNTS * state.nodeCount);
    for (const n of all) this.noteRoom(n);
    for (const n of nodes) this.keep(n, this.find(n));
  }

  /** Verdict of a node, as of the last refresh; undefined for one that is not looked at. */
  verdictOf(node: number): Verdict | undefined {
    return this.known[node]?.verdict;
  }

  /** Where its instances would start; undefined unless the verdict is yes. */
  witnessOf(node: number): Witness | undefined {
    return this.known[node]?.witness;
  }

  /** What is missing where the verdict of a node is no; undefined where it is another. */
  shortfallOf(node: number): Shortfall | undefined {
    return this.verdictOf(node) === 'no'
      ? shortfallOf(this.state, this.questions.ask(node), this.bins)
      : undefined;
  }

  /**
   * Where the instances of a node would start, by instance; undefined unless the verdict is yes. For reports:
   * it looks for restarts that break no soft rule before it takes the witness that was found first.
   */
  restartsOf(node: number): readonly Restart[] | undefined {
    const witness = this.witnessOf(node);
    if (witness === undefined) return undefined;
    const demand = this.questions.ask(node);
    const tally = new RestartTally(this.state);
    for (const i of demand.onSecondary) tally.note(i, this.state.secondary[i]!);
    const isGentle = packGently(demand.packing, this.bins, {
      avoids: (item, bin) => tally.isDegraded(demand.instances[item]!, demand.nodes[bin]!),
      placed: (item, bin) => tally.note(demand.instances[item]!, demand.nodes[bin]!),
    });
    const starts = isGentle ? this.record(demand) : witness;
    return judgeRestarts(
      this.state,
      starts.toSorted((a, b) => a.instance - b.instance),
    );
  }

  failing(): number[] {
    return [...this.failingNodes].sort((a, b) => a - b);
  }

  /** Whether all nodes looked at are healthy. */
  get isHealthy(): boolean {
    return this.failingNodes.size === 0;
  }

  /** Takes over a change. @param touched nodes that an instance came to, left or has another role on */
  refresh(touched: readonly number[]): void {
    for (const n of this.stale(touched)) this.keep(n, this.find(n));
    for (const n of touched) this.noteRoom(n);
  }

  /** Takes over a change unless a healthy node fails by it: that one, and nothing is taken over. */
  refreshIfHarmless(touched: readonly number[]): Failure | undefined {
    const found = new Map<number, Known>();
    for (const node of this.stale(touched)) {
      const known = this.find(node);
      if (known.verdict !== 'yes' && !this.failingNodes.has(node)) return { node, verdict: known.verdict };
      found.set(node, known);
    }
    for (const [node, known] of found) this.keep(node, known);
    for (const n of touched) this.noteRoom(n);
    return undefined;
  }

  /** A healthy node that would fail as the state is now, a trial, and its verdict. None is changed. */
  newlyFailing(touched: readonly number[]): Failure | undefined {
    for (const node of this.stale(touched)) {
      if (this.failingNodes.has(node)) continue;
      const verdict = this.verdictNow(node);
      if (verdict !== 'yes') return { node, verdict };
    }
    return undefined;
  }

  /** Whether a healthy node would fail with the instance as primary here: this one could not take over. */
  failsWithPrimary(node: number, instance: number): boolean {
    const takeover = this.questions.takeoverOf(node, (other) => this.verdictOf(other) === 'yes');
    return takeover + memNeedOf(this.state, instance) > memRoomOf(this.state, node);
  }

  /** Verdicts as the state is now, a trial: of nodes that the change touches anew, of others as known. */
  verdictsAfter(touched: readonly number[]): (node: number) => Verdict | undefined {
    const stale = this.stale(touched);
    return (node) => (stale.has(node) ? this.verdictNow(node) : this.verdictOf(node));
  }

  /** Verdict of a node with the state as it is now, a trial; what is known of it is left alone. */
  verdictNow(node: number): Verdict {
    const demand = this.questions.ask(node);
    return restartVerdict(demand, this.bins, this.budget);
  }

  /** The verdict of a node anew. */
  private find(node: number): Known {
    const demand = this.questions.ask(node);
    const verdict = restartVerdict(demand, this.bins, this.budget);
    return { verdict, witness: verdict === 'yes' ? this.record(demand) : undefined };
  }

  private keep(node: number, known: Known): void {
    const { witness } = known;
    this.known[node] = known;
    if (witness === undefined) {
      this.failingNodes.add(node);
      return;
    }
    this.failingNodes.delete(node);
    for (const target of new Set(witness.map((start) => start.node))) {
      this.weigh(witness, target);
      this.raiseWorst(target);
      this.noteForeign(node, target);
    }
  }

  private record(demand: RestartDemand): Witness {
    const { state } = this;
    const { packing: p, nodes, instances, onSecondary } = demand;
    const shared = onSecondary.map((i) => ({
      instance: i,
      node: state.secondary[i]!,
      mem: memNeedOf(state, i),
      disk: 0,
      spindles: 0,
    }));
    const packed = instances.map((instance, item) => ({
      instance,
      node: nodes[this.bins[item]!]!,
      mem: p.mem[item]!,
      disk: p.disk[item]!,
      spindles: Number.isFinite(p.spindles[item]!) ? p.spindles[item]! : 0,
    }));
    return [...shared, ...packed];
  }

  /** What a witness takes on one node, into `load`. */
  private weigh(witness: Witness, target: number): void {
    this.load.fill(0);
    for (const { node, mem, disk, spindles } of witness) {
      if (node !== target) continue;
      this.load[0]! += mem;
      this.load[1]! += disk;
      this.load[2]! += spindles;
    }
  }

  private raiseWorst(target: number): void {
    const { load, worst } = this;
    for (let k = 0, at = AMOUNTS * target; k < AMOUNTS; k++, at++) worst[at] = Math.max(worst[at]!, load[k]!);
  }

  private noteRoom(node: number): void {
    for (let k = 0; k < AMOUNTS; k++) this.roomThen[AMOUNTS * node + k] = this.room(node, k);
  }

  /** What of an amount may be taken on a node as the state is now. */
  private room(node: number, k: number): number {
    if (k === 2) return this.questions.spindles.roomOf(node);
    return k === 0 ? memRoomOf(this.state, node) : diskRoomOf(this.state, node);
  }

  /** Nodes whose verdict may be another one with the state as it is now. */
  private stale(touched: readonly number[]): Set<number> {
    const stale = new Set<number>();
    for (const n of touched) {
      if (this.known[n]) stale.add(n);
      if (!this.holds(n, this.worst, AMOUNTS * n)) this.addBroken(n, stale);
      if (this.failingNodes.size > 0 && this.hasMoreRoom(n)) this.addHelped(n, stale);
    }
    return stale;
  }

  /** Whether amounts, which begin at that place of a list, fit on a node. */
  private holds(node: number, amounts: Float64Array, at: number): boolean {
    for (let k = 0; k < AMOUNTS; k++) if (!(amounts[at + k]! <= this.room(node, k))) return false;
    return true;
  }

  private hasMoreRoom(node: number): boolean {
    for (let k = 0; k < AMOUNTS; k++)
      if (this.room(node, k) > this.roomThen[AMOUNTS * node + k]!) return true;
    return false;
  }

  /** Adds nodes whose witness no longer fits on `target`, and learns how much witnesses take there. */
  private addBroken(target: number, stale: Set<number>): void {
    this.worst.fill(0, AMOUNTS * target, AMOUNTS * (target + 1));
    const users = this.foreignUsers.get(target) ?? [];
    for (const n of [...this.groupMembers[this.state.groupOf[target]!]!, ...users]) {
      const witness = this.known[n]?.witness;
      if (witness === undefined) continue;
      this.weigh(witness, target);
      this.raiseWorst(target);
      if (!this.holds(target, this.load, 0)) stale.add(n);
    }
  }

  private noteForeign(node: number, target: number): void {
    const { groupOf } = this.state;
    if (groupOf[node] === groupOf[target]) return;
    kept(this.foreignUsers, target, () => new Set<number>()).add(node);
  }

  /** Adds failing nodes of which something might start on `target`. */
  private addHelped(target: number, stale: Set<number>): void {
    const { groupOf, secondaries, primary } = this.state;
    for (const n of this.groupMembers[groupOf[target]!]!) if (this.failingNodes.has(n)) stale.add(n);
    for (const i of secondaries[target]!) if (this.failingNodes.has(primary[i]!)) stale.add(primary[i]!);
  }
}
