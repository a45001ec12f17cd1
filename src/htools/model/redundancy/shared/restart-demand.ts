/**
 * What has to start again elsewhere when a node fails, and where there would be room: the packing question of
 * that node.
 *
 * DRBD instances have their secondary and no choice: they are taken off the room first. The others become
 * items: those on external pools (and diskless ones) need memory and access; those whose disks are lost with
 * the node need disk as well, to be made anew. Instances that are down need no memory, only a place. Source:
 * docs/why/storage.md.
 */
import type { Storage } from '../../../cluster/storage/storage.ts';
import { memNeedOf } from '../../rules/memory.ts';
import * as F from '../../state/node-fields.ts';
import { type ClusterState, HAS_SECONDARY, USES_NODE_DISK } from '../../state/state.ts';
import { TrueSpindles } from '../../state/true-spindles.ts';
import { packBestFit } from '../packing/best-fit.ts';
import type { Packing } from '../packing/packing.ts';
import { proveImpossible, type Shortfall, withUsableRoom } from '../packing/packing-proof.ts';
import { searchPacking } from '../packing/packing-search.ts';

/** The nodes of one group that may take something, and which pools each reaches. */
interface Refuge {
  /** Node positions by bin. */
  readonly nodes: Int32Array;
  /** Bin of a node; -1 where it is none. */
  readonly binOf: Int32Array;
  readonly packing: Packing;
}

/** The question of one node. Valid until the next one is asked. */
export interface RestartDemand {
  readonly packing: Packing;
  /** Node positions of the packing's bins. */
  readonly nodes: Int32Array;
  /** Instances of the packing's items. */
  readonly instances: readonly number[];
  /** Instances that start on their secondary. */
  readonly onSecondary: readonly number[];
  /** Memory (MiB) for which the secondaries lack room. */
  readonly overloadMib: number;
  /** Instances whose secondary is offline. */
  readonly withoutSecondary: readonly number[];
}

/** Free memory must stay above zero, so whole MiB up to one less may be used. Source: stock addPri. */
const usable = (free: number): number => Math.max(0, Math.ceil(free) - 1);

/** Memory (MiB) that may be taken on a node. */
export const memRoomOf = (state: ClusterState, node: number): number =>
  usable(state.nodeFields[node * F.NODE_STRIDE + F.FREE_MEM]!);

/** Disk (MiB) that may be taken on a node. */
export const diskRoomOf = (state: ClusterState, node: number): number =>
  usable(state.nodeFields[node * F.NODE_STRIDE + F.FREE_DISK]!);

export class RestartQuestions {
  private readonly refuges: Refuge[];
  readonly spindles: TrueSpindles;
  /** Memory that failed-over DRBD instances need, by node; zero between questions. */
  private readonly taken: Float64Array;

  /** @param countOffline offline nodes take instances as well (as the stock check has it) */
  constructor(
    private readonly state: ClusterState,
    private readonly storage: Storage,
    private readonly countOffline: boolean,
  ) {
    this.taken = new Float64Array(state.nodeCount);
    this.spindles = new TrueSpindles(state);
    this.refuges = state.snapshot.groups.map((_, group) => this.refugeOf(group));
  }

  /** The question for one node, with the cluster as it is now. */
  ask(node: number): RestartDemand {
    const { state } = this;
    const { packing, nodes, binOf } = this.refuges[state.groupOf[node]!]!;
    const instances: number[] = [];
    const onSecondary: number[] = [];
    const withoutSecondary: number[] = [];
    packing.itemCount = 0;
    packing.closed = binOf[node]!;
    for (const i of state.primaries[node]!) {
      const secondary = state.flags[i]! & HAS_SECONDARY ? state.secondary[i]! : -1;
      if (secondary < 0) {
        this.addItem(packing, i);
        instances.push(i);
      } else if (state.isOffline[secondary] && !this.countOffline) withoutSecondary.push(i);
      else onSecondary.push(i);
    }
    for (const i of onSecondary) this.taken[state.secondary[i]!]! += memNeedOf(state, i);
    // Where nothing has to find a place, nobody asks for room.
    for (let b = 0; b < nodes.length && instances.length > 0; b++) {
      const n = nodes[b]!;
      packing.memRoom[b] = Math.max(0, memRoomOf(state, n) - this.taken[n]!);
      packing.diskRoom[b] = diskRoomOf(state, n);
      packing.spindleRoom[b] = this.spindles.roomOf(n);
    }
    const overloadMib = this.overloadOf(onSecondary);
    for (const i of onSecondary) this.taken[state.secondary[i]!] = 0;
    return { packing, nodes, instances, onSecondary, overloadMib, withoutSecondary };
  }

  /** The most memory (MiB) that has to start on a node as secondary when one of some others fails. */
  takeoverOf(node: number, isOne: (other: number) => boolean): number {
    const { state, taken } = this;
    const instances = state.secondaries[node]!;
    let most = 0;
    for (const i of instances) {
      const p = state.primary[i]!;
      taken[p]! += memNeedOf(state, i);
      if (taken[p]! > most && isOne(p)) most = taken[p]!;
    }
    for (const i of instances) taken[state.primary[i]!] = 0;
    return most;
  }

  /** Row of storage access of an instance, also of one that was added while searching. */
  rowOf(instance: number): number {
    const { rows } = this.storage;
    const isKnown = instance < this.state.snapshot.instances.length;
    return isKnown ? rows[instance]! : this.storage.rowOfRecord(this.state.instanceRecord(instance));
  }

  /** Whether a node failure destroys the instance's disks, so that they must be made anew. */
  private losesDisks(row: number): boolean {
    return this.storage.poolAt(row)?.type === 'internal';
  }

  private addItem(p: Packing, i: number): void {
    const { state } = this;
    const item = p.itemCount++;
    const row = this.rowOf(i);
    const needsDisk = this.losesDisks(row) && (state.flags[i]! & USES_NODE_DISK) !== 0;
    const spindles = state.diskSpindles[i]!;
    p.row[item] = row;
    p.mem[item] = memNeedOf(state, i);
    p.disk[item] = needsDisk ? state.disk[i]! : 0;
    p.spindles[item] = !needsDisk ? 0 : Number.isNaN(spindles) ? Number.POSITIVE_INFINITY : spindles;
  }

  /** What is asked of the secondaries beyond their room; marks those that were counted. */
  private overloadOf(onSecondary: readonly number[]): number {
    const { state, taken } = this;
    let overload = 0;
    for (const i of onSecondary) {
      const s = state.secondary[i]!;
      if (taken[s]! < 0) continue;
      overload += Math.max(0, taken[s]! - memRoomOf(state, s));
      taken[s] = -1;
    }
    return overload;
  }

  private refugeOf(group: number): Refuge {
    const { state, storage } = this;
    const nodes: number[] = [];
    const binOf = new Int32Array(state.nodeCount).fill(-1);
    for (let n = 0; n < state.nodeCount; n++) {
      if (state.groupOf[n] !== group || (state.isOffline[n] && !this.countOffline)) continue;
      binOf[n] = nodes.length;
      nodes.push(n);
    }
    const rowCount = storage.access.length / Math.max(1, storage.nodeCount);
    const reach = new Uint8Array(rowCount * nodes.length);
    for (let row = 0; row < rowCount; row++) {
      nodes.forEach((n, b) => {
        reach[row * nodes.length + b] = storage.access[row * storage.nodeCount + n]!;
      });
    }
    const room = (): Float64Array => new Float64Array(nodes.length);
    const packing: Packing = {
      binCount: nodes.length,
      itemCount: 0,
      memRoom: room(),
      diskRoom: room(),
      spindleRoom: room(),
      mem: [],
      disk: [],
      spindles: [],
      row: [],
      reach,
      closed: -1,
    };
    return { nodes: Int32Array.from(nodes), binOf, packing };
  }
}

/** `unproven` counts as failing: the search ended before it knew. */
export type Verdict = 'yes' | 'no' | 'unproven';

/** Enough of everything in sum, but instances cannot be split. */
const WITHOUT_ROOM: Shortfall = { resource: 'room', missing: 1 };

const lacksSecondaries = ({ overloadMib, withoutSecondary }: RestartDemand): boolean =>
  overloadMib > 0 || withoutSecondary.length > 0;

/** Answers for a node; for 'yes' `binOf` holds a bin an item. @param budget of the exact search, packings */
export function restartVerdict(demand: RestartDemand, binOf: number[], budget: number): Verdict {
  if (lacksSecondaries(demand)) return 'no';
  const { packing } = demand;
  if (packing.itemCount === 0 || packBestFit(packing, binOf)) return 'yes';
  if (proveImpossible(packing)) return 'no';
  const result = searchPacking(withUsableRoom(packing), binOf, budget);
  return result === 'found' ? 'yes' : result === 'none' ? 'no' : 'unproven';
}

/** What is missing where the verdict is no. It takes longer to tell than the verdict, so only reports ask. */
export const shortfallOf = (state: ClusterState, demand: RestartDemand, binOf: number[]): Shortfall =>
  lacksSecondaries(demand)
    ? shortfallWithDrbd(state, demand, binOf)
    : (proveImpossible(demand.packing) ?? WITHOUT_ROOM);

/** What the secondaries lack, and on top of that what the other instances lack in the room that is left. */
function shortfallWithDrbd(state: ClusterState, demand: RestartDemand, binOf: number[]): Shortfall {
  const stranded = demand.withoutSecondary.reduce((total, i) => total + memNeedOf(state, i), 0);
  const others = packBestFit(demand.packing, binOf) ? undefined : proveImpossible(demand.packing);
  const missing = demand.overloadMib + stranded + (others?.resource === 'memory' ? others.missing : 0);
  return missing > 0
    ? { resource: 'memory', missing }
    : { resource: 'access', missing: demand.withoutSecondary.length };
}
