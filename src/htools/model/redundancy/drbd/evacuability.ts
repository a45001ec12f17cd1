/**
 * What leaving a failed node takes, as far as it can be said without trying: which of its instances fail
 * over, which must find a new node, and whether these surely can or surely cannot.
 *
 * DRBD instances fail over to their secondaries. The order does not matter: memory only shrinks, so the last
 * one on each secondary decides, and disks and spindles go back to what they were. Source: stock GlobalN1;
 * the rules are those of rules/admission.ts without the soft ones, since a failure is no time for soft
 * limits.
 */
import { kept } from '../../../../kit/kept.ts';
import { ALLOWED } from '../../../cluster/refusal.ts';
import { type Instance, type InstancePolicy, NO_NODE } from '../../../cluster/snapshot.ts';
import { memNeedOf } from '../../rules/memory.ts';
import { policyRefusal } from '../../rules/policy.ts';
import { freeSpindlesAfter } from '../../rules/spindles.ts';
import * as F from '../../state/node-fields.ts';
import { type ClusterState, USES_NODE_DISK } from '../../state/state.ts';
import type { Ground } from './proofs.ts';
import { type Fates, isMovedOff } from './residents.ts';

/** Nothing is sure: whether the instances fit depends on the order and the choices. */
export const UNSURE = 0;
/** They fit, whatever is chosen on the way. */
export const SURE = 1;
/** One of them fits nowhere, and will not when the cluster gets fuller. */
export const HOPELESS = -1;
/** Each may find room, but not all of them, whatever is chosen; nor when the cluster gets fuller. */
export const CROWDED = -2;
export type Outlook = typeof UNSURE | typeof SURE | typeof HOPELESS | typeof CROWDED;

/** A hair more than the proof needs, for the rounding of the quotients. */
const ROUNDING = 1e-9;

/** Of a ground of which the proof needs all room that it has. */
const ALL_OF_IT = Number.POSITIVE_INFINITY;

/** The next number below: what has to be more than that has to be at least `amount`. */
const justBelow = (amount: number): number =>
  amount - Math.max((Math.abs(amount) * Number.EPSILON) / 2, Number.MIN_VALUE);

/** Instances that find their node first: memory and disk (MiB) that all take, and the largest one. */
interface Before {
  count: number;
  mem: number;
  disk: number;
  largestMem: number;
  largestDisk: number;
}

const nothingBefore = (): Before => ({ count: 0, mem: 0, disk: 0, largestMem: 0, largestDisk: 0 });

/** Which share of a room its needs are; without end where nothing is needed. */
const shareOf = (room: number, needed: number): number =>
  needed > 0 ? room / needed : Number.POSITIVE_INFINITY;

export class EvacuationPlan {
  /** Memory that each node must take over (only the nodes in `takers` are current). */
  private readonly takenMem: Float64Array;
  private readonly takers: number[] = [];
  /** What the last outlook rests on, as far as it was sure. */
  readonly grounds: Ground[] = [];
  /** How many leave before all others surely find room behind them. */
  unsure = 0;
  /** By node, the last outlook for which it must keep all the room that it had. */
  private readonly keptFor: Uint32Array;
  private outlooks = 0;
  /** Whether a policy admits an instance, by kind of storage: each is asked about for node after node. */
  private readonly admitted = new Map<InstancePolicy, Map<Instance, (boolean | undefined)[]>>();

  constructor(private readonly state: ClusterState) {
    this.takenMem = new Float64Array(state.nodeCount);
    this.keptFor = new Uint32Array(state.nodeCount);
  }

  /** Whether all that fail over can. */
  canFailOver(node: number, { failingOver }: Fates): boolean {
    const { state, takenMem, takers, grounds } = this;
    this.forgetTakers();
    grounds.length = 0;
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
    for (const s of takers)
      grounds.push({ node: s, mem: takenMem[s]!, disk: state.isExclusive[s] ? ALL_OF_IT : 0 });
    return true;
  }

  private forgetTakers(): void {
    for (const s of this.takers) this.takenMem[s] = 0;
    this.takers.length = 0;
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

  /** Whether an instance alone finds the disk, and the spindles, that it takes. */
  private hasDisk(i: number, node: number): boolean {
    if (!this.usesDisk(i)) return true;
    if (this.freeDisk(node) <= this.state.disk[i]!) return false;
    return freeSpindlesAfter(this.state, i, node, F.FREE_SPINDLES, 1) >= 0;
  }

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
   * more than came before it in memory and disk together, some node has room for it. By numbers: of instances
   * up to a size it takes `(room - need) / size`, rounded up, to fill a node so far; so when fewer than all
   * nodes take together came before it, some node has room for it.
   * @param members the nodes of the failed one's group
   * @param place where it stands among them
   */
  outlook(node: number, fates: Fates, members: readonly number[], place: number): Outlook {
    this.unsure = 0;
    this.outlooks++;
    const { leaving } = fates;
    const { length } = this.grounds;
    // What is sure for all is so for each alone, and a few nodes are mostly enough to show it.
    if (leaving.length === 0 || this.surelyFitAtOnce(node, fates, members, place)) return SURE;
    this.grounds.length = length;
    const unsure = this.unsureOf(leaving, members, place);
    if (unsure === HOPELESS) return HOPELESS;
    this.unsure = unsure;
    if (this.unsure === 0) return SURE;
    return this.lackingMem(leaving, members, place) > 0 || this.overfillsOne(leaving, members, place)
      ? CROWDED
      : UNSURE;
  }

  /**
   * How many leave before all others surely find room behind them; HOPELESS where one of them fits nowhere.
   */
  private unsureOf(leaving: readonly number[], members: readonly number[], place: number): number {
    const before = nothingBefore();
    let unsure = 0;
    for (const i of leaving) {
      const outlook = this.outlookBehind(i, members, place, before);
      if (outlook === HOPELESS) return HOPELESS;
      this.putBefore(before, i);
      if (outlook === UNSURE) unsure = before.count;
    }
    return unsure;
  }

  /** Adds an instance to those that find their node first. */
  private putBefore(before: Before, i: number): void {
    const mem = memNeedOf(this.state, i);
    const disk = this.usedDisk(i);
    before.count++;
    before.mem += mem;
    before.disk += disk;
    before.largestMem = Math.max(before.largestMem, mem);
    before.largestDisk = Math.max(before.largestDisk, disk);
  }

  /**
   * Whether the rest of those that leave surely fit as the state stands, with all failovers done, whatever is
   * chosen. The last one as a rule is the least sure.
   */
  surelyFit(leaving: readonly number[], members: readonly number[], place: number): boolean {
    this.forgetTakers();
    const before = nothingBefore();
    for (let k = 0; k < leaving.length - 1; k++) this.putBefore(before, leaving[k]!);
    if (this.outlookBehind(leaving.at(-1)!, members, place, before) !== SURE) return false;
    return this.unsureOf(leaving, members, place) === 0;
  }

  /** Whether those that have but one node to go to, the same one, do not all fit there. */
  private overfillsOne(leaving: readonly number[], members: readonly number[], place: number): boolean {
    const needs = new Map<number, { mem: number; disk: number }>();
    return leaving.some((i) => {
      const home = this.onlyHome(i, members, place);
      if (home === NO_NODE) return false;
      const need = kept(needs, home, () => ({ mem: 0, disk: 0 }));
      need.mem += memNeedOf(this.state, i);
      need.disk += this.usedDisk(i);
      return need.mem >= this.freeMem(home) || (need.disk > 0 && need.disk >= this.freeDisk(home));
    });
  }

  /** The only node that an instance could go to if it were alone; NO_NODE where there are more, or none. */
  private onlyHome(i: number, members: readonly number[], place: number): number {
    const node = members[place]!;
    let home = NO_NODE;
    for (const t of members) {
      if (t === node || this.freeMem(t) <= memNeedOf(this.state, i)) continue;
      if (!this.hasDisk(i, t) || !this.mayGo(i, isMovedOff(this.state, i), node, t)) continue;
      if (home !== NO_NODE) return NO_NODE;
      home = t;
    }
    return home;
  }

  /**
   * Free memory (MiB) with which another node is too full for the failed one to be left, whatever is chosen,
   * nor when the cluster gets fuller. To be asked after `canFailOver`, which may have said no.
   */
  fullWith(other: number, fates: Fates, members: readonly number[], place: number): number {
    return this.takenMem[other]! + this.lackingMem(fates.leaving, members, place, other);
  }

  /**
   * What one more node would need more of than free memory (MiB), so that those of some size and larger ones
   * all find room, by memory alone; 0 where they do.
   * @param without a node that takes none
   */
  private lackingMem(
    leaving: readonly number[],
    members: readonly number[],
    place: number,
    without: number = NO_NODE,
  ): number {
    const needs = leaving.map((i) => memNeedOf(this.state, i)).sort((a, b) => b - a);
    let lacking = 0;
    needs.forEach((need, k) => {
      if (need === needs[k + 1]) return;
      let homeless = k + 1;
      for (let m = 1; m < members.length && homeless > 0; m++) {
        const t = members[(place + m) % members.length]!;
        if (t === without) continue;
        const mem = this.freeMem(t);
        // A node has to keep some memory.
        if (mem > need) homeless -= Math.ceil(mem / need) - 1;
      }
      lacking = Math.max(lacking, homeless * need);
    });
    return lacking;
  }

  /** The proof by numbers for all at once, as if each were as large as the largest. */
  private surelyFitAtOnce(
    node: number,
    { moving, recreated, leaving, largestMem, largestDisk }: Fates,
    members: readonly number[],
    place: number,
  ): boolean {
    const { placement, tags, isExclusive } = this.state;
    if (placement.hasBars || recreated.some((i) => !this.isAdmitted(i, node, false))) return false;
    let slots = leaving.length;
    for (let k = 1; k < members.length; k++) {
      const t = members[(place + k) % members.length]!;
      const mem = this.freeMem(t) - largestMem;
      if (mem <= 0 || (moving.length > 0 && !tags.mayMigrate(node, t))) continue;
      let least = mem / largestMem;
      if (recreated.length > 0) {
        const disk = this.freeDisk(t) - largestDisk;
        if (disk <= 0 || isExclusive[t]) continue;
        least = Math.min(least, disk / largestDisk);
      }
      const found = Math.min(slots, Math.ceil(least - ROUNDING));
      const kept = found + 2 * ROUNDING;
      this.grounds.push({
        node: t,
        mem: this.takenMem[t]! + kept * largestMem,
        disk: recreated.length > 0 ? kept * largestDisk : Number.NEGATIVE_INFINITY,
      });
      slots -= found;
      if (slots === 0) return true;
    }
    return false;
  }

  /** Whether an instance finds room behind others that were placed before it. */
  private outlookBehind(
    i: number,
    members: readonly number[],
    place: number,
    before: Readonly<Before>,
  ): Outlook {
    const { state } = this;
    const usesDisk = this.usesDisk(i);
    const neededMem = memNeedOf(state, i);
    const neededDisk = this.usedDisk(i);
    const isMoved = isMovedOff(state, i);
    const enough = (before.disk > 0 && usesDisk ? 2 : 1) + ROUNDING;
    let shares = 0;
    let slots = 0;
    let outlook: Outlook = HOPELESS;
    const node = members[place]!;
    for (let k = 1, at = place; k < members.length; k++) {
      if (++at === members.length) at = 0;
      const t = members[at]!;
      const mem = this.freeMem(t) - neededMem;
      const disk = usesDisk ? this.freeDisk(t) - neededDisk : Number.POSITIVE_INFINITY;
      if (mem <= 0 || disk <= 0 || !this.mayGo(i, isMoved, node, t)) continue;
      outlook = UNSURE;
      if (usesDisk && state.isExclusive[t]) continue;
      this.keepRoom(t);
      shares += Math.min(shareOf(mem, before.mem), shareOf(disk, before.disk));
      slots += Math.ceil(
        Math.min(shareOf(mem, before.largestMem), shareOf(disk, before.largestDisk)) - ROUNDING,
      );
      if (shares > enough || slots > before.count) return SURE;
    }
    return outlook;
  }

  /** The proof holds while that node has at least the room that it has now. */
  private keepRoom(node: number): void {
    if (this.keptFor[node] === this.outlooks) return;
    this.keptFor[node] = this.outlooks;
    const at = node * F.NODE_STRIDE;
    const { nodeFields } = this.state;
    const mem = justBelow(nodeFields[at + F.FREE_MEM]!);
    this.grounds.push({ node, mem, disk: justBelow(nodeFields[at + F.FREE_DISK]!) });
  }

  /** Whether no tag and no policy keeps an instance off another node of its group. */
  private mayGo(i: number, isMoved: boolean, node: number, t: number): boolean {
    const { state } = this;
    return (
      !this.isBarred(i, t) &&
      (isMoved ? state.tags.mayMigrate(node, t) : this.isAdmitted(i, node, state.isExclusive[t] === 1))
    );
  }

  /** Whether the policy of the node's group admits the instance on a node with that kind of storage. */
  private isAdmitted(i: number, node: number, isExclusive: boolean): boolean {
    const { snapshot, groupOf } = this.state;
    const { policy } = snapshot.groups[groupOf[node]!]!;
    const record = this.state.instanceRecord(i);
    const byRecord = kept(this.admitted, policy, () => new Map());
    const answers = kept(byRecord, record, () => []);
    answers[+isExclusive] ??= policyRefusal(record, policy, isExclusive) === ALLOWED;
    return answers[+isExclusive]!;
  }
}
