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
import { restartVerdict, shortfallOf, type Verdict } from './restart-answer.ts';
import { diskRoomOf, memRoomOf, type RestartDemand, RestartQuestions } from './restart-demand.ts';

/** Partial packings that the exact search visits for one node before it gives up. */
const DEFAULT_SEARCH_BUDGET = 2000;

export interface SharedStorageOptions {
  /** Nodes whose failure is looked at, as positions; all by default. Verdicts of the others stay unknown. */
  readonly nodes?: readonly number[] | undefined;
  /** Offline nodes take instances, as in the stock check. Off by default: they start nothing. */
  readonly countOffline?: boolean | undefined;
  readonly searchBudget?: number | undefined;
}

/** Where each instance of a failed node starts, and what it takes there. */
interface Witness {
  readonly instances: number[];
  readonly targets: number[];
  readonly mem: number[];
  readonly disk: number[];
  readonly spindles: number[];
}

interface Failure {
  readonly node: number;
  readonly verdict: Exclude<Verdict, 'yes'>;
}

interface Known {
  readonly verdict: Verdict;
  readonly witness: Witness | undefined;
}

export class SharedStorageN1 {
  readonly state: ClusterState;
  readonly storage: Storage;
  private readonly questions: RestartQuestions;
  private readonly budget: number;
  private readonly known: (Known | undefined)[];
  private readonly groupMembers: readonly (readonly number[])[];
  /** Nodes that fail (no or unproven). */
  private readonly failingNodes = new Set<number>();
  /** At least what any one witness takes on a node; while that fits, no witness is broken there. */
  private readonly worstMem: Float64Array;
  private readonly worstDisk: Float64Array;
  private readonly worstSpindles: Float64Array;
  /** Room as it was when the verdicts were found. */
  private readonly memRoom: Float64Array;
  private readonly diskRoom: Float64Array;
  private readonly spindleRoom: Float64Array;
  /** Nodes of other groups whose witness has used a node: the primaries of split DRBD instances. */
  private readonly foreignUsers = new Map<number, Set<number>>();
  /** Memory, disk and spindles of one witness on one node. */
  private readonly load = new Float64Array(3);
  private bins = new Int32Array(0);

  constructor(state: ClusterState, storage: Storage, options: SharedStorageOptions = {}) {
    this.state = state;
    this.storage = storage;
    this.questions = new RestartQuestions(state, storage, options.countOffline ?? false);
    this.budget = options.searchBudget ?? DEFAULT_SEARCH_BUDGET;
    const all = Array.from({ length: state.nodeCount }, (_, n) => n);
    const nodes = options.nodes ?? all;
    const perNode = (): Float64Array => new Float64Array(state.nodeCount);
    this.known = new Array<Known | undefined>(state.nodeCount).fill(undefined);
    this.groupMembers = state.snapshot.groups.map((_, g) => nodes.filter((n) => state.groupOf[n] === g));
    this.worstMem = perNode();
    this.worstDisk = perNode();
    this.worstSpindles = perNode();
    this.memRoom = perNode();
    this.diskRoom = perNode();
    this.spindleRoom = perNode();
    for (const n of all) this.noteRoom(n);
    for (const n of nodes) this.find(n);
  }

  /** Verdict of a node, as of the last refresh; undefined for one that is not looked at. */
  verdictOf(node: number): Verdict | undefined {
    return this.known[node]?.verdict;
  }

  /** What is missing where the verdict of a node is no; undefined where it is another. */
  shortfallOf(node: number): Shortfall | undefined {
    return this.verdictOf(node) === 'no' ? shortfallOf(this.state, this.ask(node), this.bins) : undefined;
  }

  /**
   * Where the instances of a node would start, by instance; undefined unless the verdict is yes. For reports:
   * it looks for restarts that break no soft rule before it takes the witness that was found first.
   */
  restartsOf(node: number): readonly Restart[] | undefined {
    const witness = this.known[node]?.witness;
    if (witness === undefined) return undefined;
    const demand = this.ask(node);
    const tally = new RestartTally(this.state);
    for (const i of demand.onSecondary) tally.note(i, this.state.secondary[i]!);
    const isGentle = packGently(demand.packing, this.bins, {
      avoids: (item, bin) => tally.isDegraded(demand.instances[item]!, demand.nodes[bin]!),
      placed: (item, bin) => tally.note(demand.instances[item]!, demand.nodes[bin]!),
    });
    const { instances, targets } = isGentle ? this.record(demand) : witness;
    const restarts = instances.map((instance, k) => ({ instance, node: targets[k]! }));
    return judgeRestarts(
      this.state,
      restarts.sort((a, b) => a.instance - b.instance),
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
    for (const n of this.stale(touched)) this.find(n);
    for (const n of touched) this.noteRoom(n);
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

  /** Verdicts as the state is now, a trial: of nodes that the change touches anew, of others as known. */
  verdictsAfter(touched: readonly number[]): (node: number) => Verdict | undefined {
    const stale = this.stale(touched);
    return (node) => (stale.has(node) ? this.verdictNow(node) : this.verdictOf(node));
  }

  /** Verdict of a node with the state as it is now, a trial; what is known of it is left alone. */
  verdictNow(node: number): Verdict {
    const demand = this.ask(node);
    return restartVerdict(demand, this.bins, this.budget);
  }

  private ask(node: number): RestartDemand {
    const demand = this.questions.ask(node);
    if (this.bins.length < demand.packing.itemCount) this.bins = new Int32Array(2 * demand.packing.itemCount);
    return demand;
  }

  /** Finds the verdict of a node anew and keeps it. */
  private find(node: number): void {
    const demand = this.ask(node);
    const verdict = restartVerdict(demand, this.bins, this.budget);
    const witness = verdict === 'yes' ? this.record(demand) : undefined;
    this.known[node] = { verdict, witness };
    if (witness === undefined) this.failingNodes.add(node);
    else {
      this.failingNodes.delete(node);
      const { targets } = witness;
      for (let k = 0; k < targets.length; k++) {
        const target = targets[k]!;
        if (targets.indexOf(target) < k) continue;
        this.weigh(witness, target);
        this.raiseWorst(target);
        this.noteForeign(node, target);
      }
    }
  }

  private record(demand: RestartDemand): Witness {
    const { state } = this;
    const { packing: p, nodes, instances, onSecondary } = demand;
    const witness: Witness = { instances: [], targets: [], mem: [], disk: [], spindles: [] };
    const note = (i: number, target: number, mem: number, disk: number, spindles: number): void => {
      witness.instances.push(i);
      witness.targets.push(target);
      witness.mem.push(mem);
      witness.disk.push(disk);
      witness.spindles.push(spindles);
    };
    for (const i of onSecondary) note(i, state.secondary[i]!, memNeedOf(state, i), 0, 0);
    instances.forEach((i, item) => {
      const spindles = Number.isFinite(p.spindles[item]!) ? p.spindles[item]! : 0;
      note(i, nodes[this.bins[item]!]!, p.mem[item]!, p.disk[item]!, spindles);
    });
    return witness;
  }

  /** What a witness takes on one node, into `load`. */
  private weigh(witness: Witness, target: number): void {
    this.load.fill(0);
    for (let k = 0; k < witness.targets.length; k++) {
      if (witness.targets[k] !== target) continue;
      this.load[0]! += witness.mem[k]!;
      this.load[1]! += witness.disk[k]!;
      this.load[2]! += witness.spindles[k]!;
    }
  }

  private raiseWorst(target: number): void {
    this.worstMem[target] = Math.max(this.worstMem[target]!, this.load[0]!);
    this.worstDisk[target] = Math.max(this.worstDisk[target]!, this.load[1]!);
    this.worstSpindles[target] = Math.max(this.worstSpindles[target]!, this.load[2]!);
  }

  private noteRoom(node: number): void {
    this.memRoom[node] = memRoomOf(this.state, node);
    this.diskRoom[node] = diskRoomOf(this.state, node);
    this.spindleRoom[node] = this.questions.spindles.roomOf(node);
  }

  /** Nodes whose verdict may be another one with the state as it is now. */
  private stale(touched: readonly number[]): Set<number> {
    const stale = new Set<number>();
    for (const n of touched) {
      if (this.known[n]) stale.add(n);
      if (!this.holds(n, this.worstMem[n]!, this.worstDisk[n]!, this.worstSpindles[n]!)) {
        this.addBroken(n, stale);
      }
      if (this.failingNodes.size > 0 && this.hasMoreRoom(n)) {
        for (const m of this.failingNodes) if (this.mayUse(m, n)) stale.add(m);
      }
    }
    return stale;
  }

  private holds(node: number, mem: number, disk: number, spindles: number): boolean {
    return (
      mem <= memRoomOf(this.state, node) &&
      disk <= diskRoomOf(this.state, node) &&
      spindles <= this.questions.spindles.roomOf(node)
    );
  }

  private hasMoreRoom(node: number): boolean {
    return (
      memRoomOf(this.state, node) > this.memRoom[node]! ||
      diskRoomOf(this.state, node) > this.diskRoom[node]! ||
      this.questions.spindles.roomOf(node) > this.spindleRoom[node]!
    );
  }

  /** Adds nodes whose witness no longer fits on `target`, and learns how much witnesses take there. */
  private addBroken(target: number, stale: Set<number>): void {
    this.worstMem[target] = 0;
    this.worstDisk[target] = 0;
    this.worstSpindles[target] = 0;
    const users = this.foreignUsers.get(target) ?? [];
    for (const n of [...this.groupMembers[this.state.groupOf[target]!]!, ...users]) {
      const witness = this.known[n]?.witness;
      if (witness === undefined) continue;
      this.weigh(witness, target);
      this.raiseWorst(target);
      if (!this.holds(target, this.load[0]!, this.load[1]!, this.load[2]!)) stale.add(n);
    }
  }

  private noteForeign(node: number, target: number): void {
    const { groupOf } = this.state;
    if (groupOf[node] === groupOf[target]) return;
    kept(this.foreignUsers, target, () => new Set<number>()).add(node);
  }

  /** Whether what runs on `node` might start on `target`. */
  private mayUse(node: number, target: number): boolean {
    const { groupOf, primaries, secondary } = this.state;
    return groupOf[node] === groupOf[target] || primaries[node]!.some((i) => secondary[i] === target);
  }
}
