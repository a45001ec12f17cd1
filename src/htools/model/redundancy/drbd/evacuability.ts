/**
 * What leaving a failed node takes, as far as it can be said without trying: which of its instances fail
 * over, which must find a new node, and whether these surely can or surely cannot.
 *
 * DRBD instances fail over to their secondaries. The order does not matter: memory only shrinks, so the last
 * one on each secondary decides, and disks and spindles go back to what they were. Source: stock GlobalN1;
 * the rules are those of rules/admission.ts without the soft ones, since a failure is no time for soft
 * limits.
 */
import { ALLOWED } from '../../../cluster/refusal.ts';
import { NO_NODE } from '../../../cluster/snapshot.ts';
import type { DiskTemplate } from '../../../cluster/templates.ts';
import { policyRefusal } from '../../rules/policy.ts';
import * as F from '../../state/node-fields.ts';
import type { ClusterState } from '../../state/state.ts';
import { USES_MEMORY, USES_NODE_DISK } from '../../state/state.ts';

/** Templates that stock moves off a failed node: no block devices, nor DRBD, which fails over. */
export const MOVED_OFF: ReadonlySet<DiskTemplate> = new Set([
  'diskless',
  'sharedfile',
  'rbd',
  'ext',
  'gluster',
]);

/** Nothing is sure: whether the instances fit depends on the order and the choices. */
export const UNSURE = 0;
/** They fit, whatever is chosen on the way. */
export const SURE = 1;
/** One of them fits nowhere, and will not when the cluster gets fuller. */
export const HOPELESS = -1;

/** A hair more than the proof needs, for the rounding of the quotients. */
const ROUNDING = 1e-9;

export class EvacuationPlan {
  /** Those that fail over, newest first; that move; that are made anew, largest memory first. */
  readonly failingOver: number[] = [];
  readonly moving: number[] = [];
  readonly recreated: number[] = [];
  /** Memory that each node must take over (only the nodes in `takers` are current). */
  private readonly takenMem: Float64Array;
  private readonly takers: number[] = [];

  constructor(private readonly state: ClusterState) {
    this.takenMem = new Float64Array(state.nodeCount);
  }

  /** Sorts a node's instances. @param actualOf the instance that one in a node's list stands for */
  sortInstances(node: number, actualOf: (i: number) => number): void {
    const { state, failingOver, moving, recreated } = this;
    failingOver.length = 0;
    moving.length = 0;
    recreated.length = 0;
    const list = state.primaries[node]!;
    for (let k = list.length - 1; k >= 0; k--) {
      const i = actualOf(list[k]!);
      const template = state.instanceRecord(i).diskTemplate;
      if (template === 'drbd') failingOver.push(i);
      else if (MOVED_OFF.has(template)) moving.push(i);
      else recreated.push(i);
    }
    if (recreated.length > 1) recreated.sort((a, b) => state.mem[b]! - state.mem[a]!);
  }

  /** Whether all that fail over can. */
  canFailOver(node: number): boolean {
    const { state, failingOver, takenMem, takers } = this;
    for (const s of takers) takenMem[s] = 0;
    takers.length = 0;
    if (failingOver.length === 0) return true;
    if (!this.canStaySecondary(node)) return false;
    for (const i of failingOver) {
      const s = state.secondary[i]!;
      if (s === NO_NODE || !state.tags.mayMigrate(node, s) || !this.canTakeOver(i, s)) return false;
      if (state.isExclusive[node] && !this.hasSpindles(i, node)) return false;
      if (takenMem[s] === 0) takers.push(s);
      takenMem[s]! += this.usedMem(i);
      if (this.freeMem(s) <= 0) return false;
    }
    return true;
  }

  /** Whether a node that is not offline has a disk to keep. */
  private canStaySecondary(node: number): boolean {
    return this.state.isOffline[node] === 1 || this.state.nodeFields[node * F.NODE_STRIDE + F.FREE_DISK]! > 0;
  }

  private canTakeOver(i: number, s: number): boolean {
    const { state } = this;
    if (this.isBarred(i, s) || this.isBarred(i, state.primary[i]!)) return false;
    if (state.nodeFields[s * F.NODE_STRIDE + F.FREE_DISK]! <= 0) return false;
    return state.isExclusive[s] === 0 || this.hasSpindles(i, s);
  }

  /** Whether a tag of the instance keeps it off the node. */
  private isBarred(i: number, node: number): boolean {
    const { placement } = this.state;
    return placement.hasBars && placement.isBarred(i, node);
  }

  private hasSpindles(i: number, node: number): boolean {
    const { diskSpindles, nodeFields } = this.state;
    return !Number.isNaN(diskSpindles[i]!) && nodeFields[node * F.NODE_STRIDE + F.FREE_SPINDLES]! >= 0;
  }

  private usedMem(i: number): number {
    return this.state.flags[i]! & USES_MEMORY ? this.state.mem[i]! : 0;
  }

  /** Whether it needs a node with free disk, however little it takes: a size of 0 is a size. */
  private usesDisk(i: number): boolean {
    return (this.state.flags[i]! & USES_NODE_DISK) !== 0;
  }

  private usedDisk(i: number): number {
    return this.usesDisk(i) ? this.state.disk[i]! : 0;
  }

  /** Free memory of a node after the failovers. */
  private freeMem(node: number): number {
    return this.state.nodeFields[node * F.NODE_STRIDE + F.FREE_MEM]! - this.takenMem[node]!;
  }

  private freeDisk(node: number): number {
    return this.state.nodeFields[node * F.NODE_STRIDE + F.FREE_DISK]!;
  }

  /**
   * Whether the others surely fit, or surely do not, on the nodes that are left.
   *
   * Why the sum is proof: an instance is turned away by a node only if what was put there before fills its
   * memory (or disk) up to less than the instance needs. Turned away everywhere, the shares of all that was
   * placed would add up to at least the sum over the nodes of `room - largest need`; so when that sum is more
   * than there is to place in memory and disk together, some node always has room.
   * @param members the nodes of the failed one's group
   */
  outlook(node: number, members: readonly number[]): typeof UNSURE | typeof SURE | typeof HOPELESS {
    if (this.moving.length + this.recreated.length === 0) return SURE;
    // What is sure for all is so for each alone, and a few nodes are mostly enough to show it.
    if (this.surelyFit(node, members)) return SURE;
    const others = members.filter((t) => t !== node);
    return this.fitsAlone(node, others) ? UNSURE : HOPELESS;
  }

  private surelyFit(node: number, members: readonly number[]): boolean {
    const { state, moving, recreated } = this;
    const needs = this.needs();
    if (needs.usesDisk && members.some((t) => t !== node && state.isExclusive[t] === 1)) return false;
    const enough = (needs.disk > 0 ? 2 : 1) + ROUNDING;
    const admitted = new Map<boolean, boolean>();
    const isAdmitted = (isExclusive: boolean): boolean => {
      const known =
        admitted.get(isExclusive) ?? recreated.every((i) => this.isAdmitted(i, node, isExclusive));
      admitted.set(isExclusive, known);
      return known;
    };
    let shares = 0;
    for (const t of members) {
      if (t === node) continue;
      if (moving.length > 0 && !state.tags.mayMigrate(node, t)) continue;
      if (recreated.length > 0 && !isAdmitted(state.isExclusive[t] === 1)) continue;
      if (state.placement.hasBars && [...moving, ...recreated].some((i) => this.isBarred(i, t))) continue;
      const mem = this.freeMem(t) - needs.largestMem;
      const disk = this.freeDisk(t) - needs.largestDisk;
      if (mem <= 0 || (needs.usesDisk && disk <= 0)) continue;
      const memShare = needs.mem > 0 ? mem / needs.mem : Number.POSITIVE_INFINITY;
      const diskShare = needs.disk > 0 ? disk / needs.disk : Number.POSITIVE_INFINITY;
      shares += Math.min(memShare, diskShare);
      if (shares > enough) return true;
    }
    return false;
  }

  private needs() {
    const needs = { mem: 0, disk: 0, largestMem: 0, largestDisk: 0, usesDisk: false };
    for (const list of [this.moving, this.recreated]) {
      for (const i of list) {
        const mem = this.usedMem(i);
        const disk = this.usedDisk(i);
        needs.mem += mem;
        needs.disk += disk;
        needs.largestMem = Math.max(needs.largestMem, mem);
        needs.largestDisk = Math.max(needs.largestDisk, disk);
        needs.usesDisk ||= this.usesDisk(i);
      }
    }
    return needs;
  }

  /** Whether each of the others has a node that would take it if it came first. */
  private fitsAlone(node: number, targets: readonly number[]): boolean {
    const { state } = this;
    const hasRoom = (i: number, t: number): boolean =>
      !this.isBarred(i, t) &&
      this.freeMem(t) > this.usedMem(i) &&
      (!this.usesDisk(i) || this.freeDisk(t) > this.usedDisk(i));
    return (
      this.moving.every((i) => targets.some((t) => hasRoom(i, t) && state.tags.mayMigrate(node, t))) &&
      this.recreated.every((i) =>
        targets.some((t) => hasRoom(i, t) && this.isAdmitted(i, node, state.isExclusive[t] === 1)),
      )
    );
  }

  /** Whether the policy of the node's group admits the instance on a node with that kind of storage. */
  private isAdmitted(i: number, node: number, isExclusive: boolean): boolean {
    const { snapshot, groupOf } = this.state;
    const { policy } = snapshot.groups[groupOf[node]!]!;
    return policyRefusal(this.state.instanceRecord(i), policy, isExclusive) === ALLOWED;
  }
}
