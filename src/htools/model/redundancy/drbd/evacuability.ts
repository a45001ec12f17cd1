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
import { memNeedOf } from '../../rules/memory.ts';
import { policyRefusal } from '../../rules/policy.ts';
import * as F from '../../state/node-fields.ts';
import { type ClusterState, USES_NODE_DISK } from '../../state/state.ts';
import { type Fates, isMovedOff } from './residents.ts';

/** Nothing is sure: whether the instances fit depends on the order and the choices. */
export const UNSURE = 0;
/** They fit, whatever is chosen on the way. */
export const SURE = 1;
/** One of them fits nowhere, and will not when the cluster gets fuller. */
export const HOPELESS = -1;

/** A hair more than the proof needs, for the rounding of the quotients. */
const ROUNDING = 1e-9;

export class EvacuationPlan {
  /** Memory that each node must take over (only the nodes in `takers` are current). */
  private readonly takenMem: Float64Array;
  private readonly takers: number[] = [];
  /** How many members behind the node, in a circle, the last outlook that was SURE rests on. */
  reach = 0;

  constructor(private readonly state: ClusterState) {
    this.takenMem = new Float64Array(state.nodeCount);
  }

  /** Whether all that fail over can. */
  canFailOver(node: number, { failingOver }: Fates): boolean {
    const { state, takenMem, takers } = this;
    for (const s of takers) takenMem[s] = 0;
    takers.length = 0;
    if (failingOver.length === 0) return true;
    if (!this.canStaySecondary(node)) return false;
    for (const i of failingOver) {
      const s = state.secondary[i]!;
      if (s === NO_NODE || !state.tags.mayMigrate(node, s) || !this.canTakeOver(i, s)) return false;
      if (state.isExclusive[node] && !this.hasSpindles(i, node)) return false;
      if (takenMem[s] === 0) takers.push(s);
      takenMem[s]! += memNeedOf(this.state, i);
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
   * Why the sum is proof: an instance is turned away by a node only if what was put there before it fills its
   * memory (or disk) up to less than the instance needs. Turned away everywhere, the shares of all that was
   * placed before it would add up to at least the sum over the nodes of `room - need`; so when that sum is
   * more than came before it in memory and disk together, some node has room for it.
   * @param members the nodes of the failed one's group
   * @param place where it stands among them
   */
  outlook(
    node: number,
    fates: Fates,
    members: readonly number[],
    place: number,
  ): typeof UNSURE | typeof SURE | typeof HOPELESS {
    this.reach = 0;
    if (fates.moving.length + fates.recreated.length === 0) return SURE;
    // What is sure for all is so for each alone, and a few nodes are mostly enough to show it.
    if (this.surelyFit(node, fates, members, place)) return SURE;
    const others = members.filter((t) => t !== node);
    return this.fitsAlone(node, fates, others) ? UNSURE : HOPELESS;
  }

  private surelyFit(node: number, fates: Fates, members: readonly number[], place: number): boolean {
    const { state } = this;
    const { moving, recreated } = fates;
    if (
      recreated.some((i) => this.usesDisk(i)) &&
      members.some((t) => t !== node && state.isExclusive[t] === 1)
    )
      return false;
    const isSureOfMoving = this.surelyMove(node, fates, members, place);
    let mem = isSureOfMoving ? fates.movingMem : 0;
    let disk = 0;
    for (const list of isSureOfMoving ? [recreated] : [moving, recreated]) {
      for (const i of list) {
        if (!this.surelyFitsBehind(i, members, place, mem, disk)) return false;
        mem += memNeedOf(this.state, i);
        disk += this.usedDisk(i);
      }
    }
    return true;
  }

  /** The proof for all that move at once: there is room for the largest even behind all of them. */
  private surelyMove(
    node: number,
    { moving, movingMem, largestMove }: Fates,
    members: readonly number[],
    place: number,
  ): boolean {
    const { placement, tags } = this.state;
    if (moving.length === 0) return true;
    if (placement.hasBars) return false;
    let room = 0;
    for (let k = 1; k < members.length; k++) {
      const t = members[(place + k) % members.length]!;
      const left = this.freeMem(t) - largestMove;
      if (left > 0 && tags.mayMigrate(node, t)) room += left;
      if (room <= movingMem * (1 + ROUNDING)) continue;
      this.reach = k;
      return true;
    }
    return false;
  }

  /** Whether an instance surely finds room behind others that took so much memory and disk. */
  private surelyFitsBehind(
    i: number,
    members: readonly number[],
    place: number,
    takenMem: number,
    takenDisk: number,
  ): boolean {
    const usesDisk = this.usesDisk(i);
    const enough = (takenDisk > 0 && usesDisk ? 2 : 1) + ROUNDING;
    let shares = 0;
    const node = members[place]!;
    for (let k = 1; k < members.length; k++) {
      const t = members[(place + k) % members.length]!;
      if (k > this.reach) this.reach = k;
      const mem = this.freeMem(t) - memNeedOf(this.state, i);
      const disk = usesDisk ? this.freeDisk(t) - this.usedDisk(i) : Number.POSITIVE_INFINITY;
      if (mem <= 0 || disk <= 0 || !this.mayGo(i, node, t)) continue;
      const memShare = takenMem > 0 ? mem / takenMem : Number.POSITIVE_INFINITY;
      shares += Math.min(memShare, takenDisk > 0 ? disk / takenDisk : Number.POSITIVE_INFINITY);
      if (shares > enough) return true;
    }
    return false;
  }

  /** Whether no tag and no policy keeps an instance off another node of its group. */
  private mayGo(i: number, node: number, t: number): boolean {
    const { state } = this;
    return (
      !this.isBarred(i, t) &&
      (isMovedOff(state, i)
        ? state.tags.mayMigrate(node, t)
        : this.isAdmitted(i, node, state.isExclusive[t] === 1))
    );
  }

  /** Whether each of the others has a node that would take it if it came first. */
  private fitsAlone(node: number, { moving, recreated }: Fates, targets: readonly number[]): boolean {
    const hasRoom = (i: number, t: number): boolean =>
      this.freeMem(t) > memNeedOf(this.state, i) &&
      (!this.usesDisk(i) || this.freeDisk(t) > this.usedDisk(i)) &&
      this.mayGo(i, node, t);
    const hasTarget = (i: number): boolean => targets.some((t) => hasRoom(i, t));
    return moving.every(hasTarget) && recreated.every(hasTarget);
  }

  /** Whether the policy of the node's group admits the instance on a node with that kind of storage. */
  private isAdmitted(i: number, node: number, isExclusive: boolean): boolean {
    const { snapshot, groupOf } = this.state;
    const { policy } = snapshot.groups[groupOf[node]!]!;
    return policyRefusal(this.state.instanceRecord(i), policy, isExclusive) === ALLOWED;
  }
}
