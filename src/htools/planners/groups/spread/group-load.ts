/**
 * Load of groups and how evenly it is spread. Source: docs/why/groups.md, "hspread".
 *
 * The load in a resource is that of the group's nodes over their capacity, relative to all groups together: 1
 * = as loaded as the cluster. The capacity of the network, which nobody knows, is the number of nodes. The
 * score is the standard deviation over the groups, summed over the resources. The total can change: a DRBD
 * instance whose secondary is dead writes to one node that counts, and to two once it has moved.
 */
import { NO_NODE } from '../../../cluster/snapshot.ts';
import * as F from '../../../model/state/node-fields.ts';
import { UTILISATION_STRIDE } from '../../../model/state/state.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';

export const LOAD_RESOURCES = ['cpu', 'memory', 'disk', 'net'] as const;
type LoadResource = (typeof LOAD_RESOURCES)[number];
const LOAD_COUNT = LOAD_RESOURCES.length;

/** Place of the disk among the resources. */
const DISK = 2;

const FIELDS = [F.LOAD_CPU, F.LOAD_MEM, F.LOAD_DISK, F.LOAD_NET];

export class GroupLoads {
  /** Groups that count: those with an online node. */
  readonly groups: readonly number[];
  /** Capacity and load: `[group * LOAD_COUNT + resource]`. */
  private readonly capacity: Float64Array;
  private readonly load: Float64Array;
  private readonly totalCapacity = new Float64Array(LOAD_COUNT);
  private readonly totalLoad = new Float64Array(LOAD_COUNT);
  /** Groups without capacity, whose relative load is always 1, by resource. */
  private readonly without = new Int32Array(LOAD_COUNT);
  /** Sum of the loads of the other groups over their capacities, and of the squares, by resource. */
  private readonly sums = new Float64Array(LOAD_COUNT);
  private readonly squares = new Float64Array(LOAD_COUNT);

  constructor(private readonly cluster: SuperCluster) {
    const { state, online, snapshot } = cluster;
    this.groups = cluster.groups.filter((group) => online[group]!.length > 0);
    this.capacity = new Float64Array(snapshot.groups.length * LOAD_COUNT);
    this.load = new Float64Array(snapshot.groups.length * LOAD_COUNT);
    const allHaveDisk = this.groups.every((group) => online[group]!.some((n) => state.totalDisk[n]! > 0));
    for (const group of this.groups) {
      for (const n of online[group]!) {
        const sizes = [
          state.totalCpu[n]! * state.cpuSpeed[n]!,
          state.totalMem[n]!,
          allHaveDisk ? state.totalDisk[n]! : 1,
          1,
        ];
        for (let r = 0; r < LOAD_COUNT; r++) this.capacity[group * LOAD_COUNT + r]! += sizes[r]!;
      }
      this.readLoad(group);
    }
    for (const group of this.groups) {
      for (let r = 0; r < LOAD_COUNT; r++) {
        const capacity = this.capacity[group * LOAD_COUNT + r]!;
        this.totalCapacity[r]! += capacity;
        if (!(capacity > 0)) this.without[r]!++;
      }
    }
    this.sumUp();
  }

  /** Takes over the loads of some groups as the state stands. */
  refresh(groups: readonly number[]): void {
    for (const group of groups) this.readLoad(group);
    this.sumUp();
  }

  private readLoad(group: number): void {
    const { state, online } = this.cluster;
    for (let r = 0; r < LOAD_COUNT; r++) {
      let sum = 0;
      for (const n of online[group]!) sum += state.field(n, FIELDS[r]!);
      this.load[group * LOAD_COUNT + r] = sum;
    }
  }

  /** Load over capacity, with some more load; 0 where there is no capacity. */
  private density(group: number, r: number, change: number): number {
    const capacity = this.capacity[group * LOAD_COUNT + r]!;
    return capacity > 0 ? (this.load[group * LOAD_COUNT + r]! + change) / capacity : 0;
  }

  /** Relative load; 1 where nothing is loaded, or there is no capacity. */
  private relative(group: number, r: number): number {
    const mean = this.totalLoad[r]! / this.totalCapacity[r]!;
    if (!(this.capacity[group * LOAD_COUNT + r]! > 0) || !(mean > 0)) return 1;
    return this.density(group, r, 0) / mean;
  }

  of(group: number): readonly number[] {
    return LOAD_RESOURCES.map((_, r) => this.relative(group, r));
  }

  /** Deviation of the relative loads, from sums of the densities and the load of all groups. */
  private deviation(r: number, sum: number, squares: number, totalLoad: number): number {
    const overall = totalLoad / this.totalCapacity[r]!;
    if (!(overall > 0)) return 0;
    const count = this.groups.length;
    const without = this.without[r]!;
    const mean = (sum / overall + without) / count;
    return Math.sqrt(Math.max(0, (squares / (overall * overall) + without) / count - mean * mean));
  }

  /**
   * What an instance weighs in a group. Writes reach both nodes of a mirrored instance; those of an offline
   * node, where it is as the state stands, are counted nowhere.
   */
  private amount(instance: number, group: number, r: number): number {
    const { state } = this.cluster;
    const once = state.utilisation[instance * UTILISATION_STRIDE + r]!;
    const secondary = state.secondary[instance]!;
    if (r !== DISK || secondary === NO_NODE) return once;
    const isHome = state.groupOf[state.primary[instance]!] === group;
    return isHome && state.isOffline[secondary] ? once : once + once;
  }

  /** Instances of a group for which this is the same weigh the same in every group. */
  weightOf(instance: number): string {
    const { state } = this.cluster;
    const home = state.groupOf[state.primary[instance]!]!;
    return LOAD_RESOURCES.map(
      (_, r) => `${this.amount(instance, home, r)},${this.amount(instance, -1, r)}`,
    ).join();
  }

  /** Spread over the groups, were an instance moved from one to each of some. */
  scoresAfter(instance: number, from: number, targets: readonly number[]): Float64Array {
    const scores = new Float64Array(targets.length);
    const { state } = this.cluster;
    const home = state.groupOf[state.primary[instance]!]!;
    for (let r = 0; r < LOAD_COUNT; r++) {
      const away = this.amount(instance, -1, r);
      const left = this.amount(instance, from, r);
      const fromBefore = this.density(from, r, 0);
      const fromAfter = this.density(from, r, -left);
      const sumWithout = this.sums[r]! + fromAfter - fromBefore;
      const squaresWithout = this.squares[r]! + fromAfter * fromAfter - fromBefore * fromBefore;
      for (let k = 0; k < targets.length; k++) {
        const to = targets[k]!;
        const came = to === home ? this.amount(instance, to, r) : away;
        const before = this.density(to, r, 0);
        const after = this.density(to, r, came);
        const sum = sumWithout + after - before;
        const squares = squaresWithout + after * after - before * before;
        scores[k]! += this.deviation(r, sum, squares, this.totalLoad[r]! + came - left);
      }
    }
    return scores;
  }

  /** Counts an instance in another group, in these books alone, until refresh reads the state again. */
  shift(instance: number, from: number, to: number): void {
    for (let r = 0; r < LOAD_COUNT; r++) {
      const left = this.amount(instance, from, r);
      const came = this.amount(instance, to, r);
      this.totalLoad[r]! += came - left;
      this.add(from, r, -left);
      this.add(to, r, came);
    }
  }

  private add(group: number, r: number, change: number): void {
    const before = this.density(group, r, 0);
    this.load[group * LOAD_COUNT + r]! += change;
    const after = this.density(group, r, 0);
    this.sums[r]! += after - before;
    this.squares[r]! += after * after - before * before;
  }

  /** Spread over the groups as the state stands. */
  get score(): number {
    let score = 0;
    for (let r = 0; r < LOAD_COUNT && this.groups.length > 0; r++)
      score += this.deviation(r, this.sums[r]!, this.squares[r]!, this.totalLoad[r]!);
    return score;
  }

  /** Sums are made anew, so that they do not drift. */
  private sumUp(): void {
    this.sums.fill(0);
    this.squares.fill(0);
    this.totalLoad.fill(0);
    for (const group of this.groups) {
      for (let r = 0; r < LOAD_COUNT; r++) {
        const density = this.density(group, r, 0);
        this.totalLoad[r]! += this.load[group * LOAD_COUNT + r]!;
        this.sums[r]! += density;
        this.squares[r]! += density * density;
      }
    }
  }

  /** Resources in which a group's load lies above the mean by more than a share of it. */
  above(group: number, threshold: number): LoadResource[] {
    return LOAD_RESOURCES.filter((_, r) => {
      const loads = this.groups.map((other) => this.relative(other, r));
      const mean = loads.reduce((sum, load) => sum + load, 0) / loads.length;
      return this.relative(group, r) > mean * (1 + threshold);
    });
  }
}
