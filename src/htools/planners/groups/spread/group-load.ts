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
/** Figures of what an instance weighs: see `weightsOf`. */
export const WEIGHTS = 2 * LOAD_COUNT;

/** Place of the disk among the resources. */
const DISK = 2;

/** By how much sums of squares may differ from what they are, as a share. */
const ROUNDING = 1e-13;

/**
 * What instances do to groups that they come to: see `leastAfter`. The *rise* is what becomes more in the sum
 * of the squared deviations of densities (loads over capacities): `w * (pull + w * width)` for a weight w.
 */
export interface Openings {
  /** By resource: mean density of all groups, and score for each bit of the rise, as the loads are. */
  readonly mean: Float64Array;
  readonly slope: Float64Array;
  /** Slope times pull and width: `[k * LOAD_COUNT + resource]` for the k-th group. */
  readonly pulls: Float64Array;
  readonly widths: Float64Array;
  /** By resource: the least and the most pull of any group, and one over the smallest capacity. */
  readonly leastPull: Float64Array;
  readonly mostPull: Float64Array;
  readonly mostShare: Float64Array;
}

/** A group that an instance is not in. */
export const ELSEWHERE = -1;

const FIELDS = [F.LOAD_CPU, F.LOAD_MEM, F.LOAD_DISK, F.LOAD_NET];

export class GroupLoads {
  /** Groups that count: those with an online node. */
  readonly groups: readonly number[];
  /** Capacity, load, and load over capacity, 0 where there is none: `[group * LOAD_COUNT + resource]`. */
  private readonly capacity: Float64Array;
  private readonly load: Float64Array;
  private readonly density: Float64Array;
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
    this.density = new Float64Array(snapshot.groups.length * LOAD_COUNT);
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
      for (let r = 0; r < LOAD_COUNT; r++) {
        const capacity = this.capacity[group * LOAD_COUNT + r]!;
        this.totalCapacity[r]! += capacity;
        if (!(capacity > 0)) this.without[r]!++;
      }
      this.readLoad(group);
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
      const at = group * LOAD_COUNT + r;
      this.load[at] = sum;
      this.density[at] = this.densityWith(at, 0);
    }
  }

  /** The density at that place with some more load. */
  private densityWith(at: number, change: number): number {
    const capacity = this.capacity[at]!;
    return capacity > 0 ? (this.load[at]! + change) / capacity : 0;
  }

  /** Relative load; 1 where nothing is loaded, or there is no capacity. */
  private relative(group: number, r: number): number {
    const mean = this.totalLoad[r]! / this.totalCapacity[r]!;
    const at = group * LOAD_COUNT + r;
    return this.capacity[at]! > 0 && mean > 0 ? this.density[at]! / mean : 1;
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
    if (r !== DISK || state.secondary[instance] === NO_NODE) return once;
    const isHome = state.groupOf[state.primary[instance]!] === group;
    return isHome && state.isOffline[state.secondary[instance]!] ? once : once + once;
  }

  /** What an instance weighs in a group, by resource. */
  weightsIn(group: number, instance: number): number[] {
    return LOAD_RESOURCES.map((_, r) => this.amount(instance, group, r));
  }

  /** Spread over the groups, were an instance moved from one to each of some. */
  scoresAfter(instance: number, from: number, targets: readonly number[]): Float64Array {
    const scores = new Float64Array(targets.length);
    const { state } = this.cluster;
    const home = state.groupOf[state.primary[instance]!]!;
    for (let r = 0; r < LOAD_COUNT; r++) {
      const away = this.amount(instance, ELSEWHERE, r);
      const left = this.amount(instance, from, r);
      const fromBefore = this.density[from * LOAD_COUNT + r]!;
      const fromAfter = this.densityWith(from * LOAD_COUNT + r, -left);
      const sumWithout = this.sums[r]! + fromAfter - fromBefore;
      const squaresWithout = this.squares[r]! + fromAfter * fromAfter - fromBefore * fromBefore;
      for (let k = 0; k < targets.length; k++) {
        const to = targets[k]!;
        const came = to === home ? this.amount(instance, to, r) : away;
        const before = this.density[to * LOAD_COUNT + r]!;
        const after = this.densityWith(to * LOAD_COUNT + r, came);
        const sum = sumWithout + after - before;
        const squares = squaresWithout + after * after - before * before;
        scores[k]! += this.deviation(r, sum, squares, this.totalLoad[r]! + came - left);
      }
    }
    return scores;
  }

  /** What instances do to some groups, as the loads are. */
  openings(groups: readonly number[]): Openings {
    const count = this.groups.length;
    const each = (value: number) => new Float64Array(LOAD_COUNT).fill(value);
    const openings = {
      mean: each(0),
      slope: each(0),
      pulls: new Float64Array(groups.length * LOAD_COUNT),
      widths: new Float64Array(groups.length * LOAD_COUNT),
      leastPull: each(Number.POSITIVE_INFINITY),
      mostPull: each(Number.NEGATIVE_INFINITY),
      mostShare: each(0),
    };
    const { mean, slope, pulls, widths, leastPull, mostPull, mostShare } = openings;
    for (let r = 0; r < LOAD_COUNT; r++) {
      const overall = this.totalLoad[r]! / this.totalCapacity[r]!;
      mean[r] = (this.sums[r]! + this.without[r]! * overall) / count;
      const now = this.deviation(r, this.sums[r]!, this.squares[r]!, this.totalLoad[r]!);
      slope[r] = now > 0 ? 1 / (2 * count * now * overall * overall) : 0;
      groups.forEach((group, k) => {
        const capacity = this.capacity[group * LOAD_COUNT + r]!;
        const share = capacity > 0 ? 1 / capacity : 0;
        const pull = 2 * share * (this.density[group * LOAD_COUNT + r]! - mean[r]!);
        const width = share * share * (1 - 1 / count);
        pulls[k * LOAD_COUNT + r] = slope[r]! * pull;
        widths[k * LOAD_COUNT + r] = slope[r]! * width;
        leastPull[r] = Math.min(leastPull[r]!, pull);
        mostPull[r] = Math.max(mostPull[r]!, pull);
        mostShare[r] = Math.max(mostShare[r]!, share);
      });
    }
    return openings;
  }

  /** The lowest sum of the rises of one group, each by its slope: the same for all that weigh the same. */
  leastTogether(instance: number, { pulls, widths }: Openings): number {
    const weight = this.weightsIn(ELSEWHERE, instance);
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < pulls.length; k += LOAD_COUNT) {
      let sum = 0;
      for (let r = 0; r < LOAD_COUNT; r++) sum += weight[r]! * (pulls[k + r]! + weight[r]! * widths[k + r]!);
      least = Math.min(least, sum);
    }
    return least;
  }

  /**
   * None of those groups has a lower score in `scoresAfter`. Deviations are roots of sums to which the rise
   * is added, so between the lowest and the highest rise they lie above the chord. The slopes of the chords
   * are next to those of the openings, for which the group with the lowest sum is known.
   * @param together `leastTogether` of the instance
   */
  leastAfter(instance: number, from: number, openings: Openings, together: number): number {
    const { mean, slope, leastPull, mostPull, mostShare } = openings;
    const count = this.groups.length;
    let score = together;
    for (let r = 0; r < LOAD_COUNT; r++) {
      const came = this.amount(instance, ELSEWHERE, r);
      const left = this.amount(instance, from, r);
      const overall = (this.totalLoad[r]! + came - left) / this.totalCapacity[r]!;
      const before = this.density[from * LOAD_COUNT + r]!;
      const after = this.densityWith(from * LOAD_COUNT + r, -left);
      const fixed = this.without[r]! * overall;
      const meanAfter = (this.sums[r]! + after - before + fixed) / count;
      const squares = this.squares[r]! + after * after - before * before;
      const whole = squares * (1 - ROUNDING) + fixed * overall - count * meanAfter * meanAfter;
      // The rises were told by another mean.
      const most = came * mostShare[r]!;
      const shift = 2 * most * Math.abs(meanAfter - mean[r]!);
      const low = Math.max(came * leastPull[r]! - shift, -whole);
      const high = Math.max(came * mostPull[r]! + most * most + shift, low);
      const unit = overall > 0 ? 1 / (Math.sqrt(count) * overall) : 0;
      const lowest = unit * Math.sqrt(whole + low);
      const chord = high > low ? (unit * Math.sqrt(whole + high) - lowest) / (high - low) : 0;
      const steeper = chord - slope[r]!;
      score += lowest - chord * low - slope[r]! * shift + Math.min(steeper * low, steeper * high);
    }
    return score;
  }

  /** What an instance weighs by resource: in any other group, then in its own. `WEIGHTS` figures. */
  weightsOf(instance: number, home: number): number[] {
    return [ELSEWHERE, home].flatMap((group) => this.weightsIn(group, instance));
  }

  /**
   * Counts an instance in another group, in these books alone, until refresh reads the state again.
   * @param weights `weightsOf` the instance, from `at` on
   */
  shift(weights: Float64Array, at: number, home: number, from: number, to: number): void {
    const leaves = from === home ? at + LOAD_COUNT : at;
    const comes = to === home ? at + LOAD_COUNT : at;
    for (let r = 0; r < LOAD_COUNT; r++) {
      const left = weights[leaves + r]!;
      const came = weights[comes + r]!;
      this.totalLoad[r]! += came - left;
      this.add(from * LOAD_COUNT + r, r, -left);
      this.add(to * LOAD_COUNT + r, r, came);
    }
  }

  private add(at: number, r: number, change: number): void {
    const before = this.density[at]!;
    const after = this.densityWith(at, change);
    this.load[at]! += change;
    this.density[at] = after;
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
        const density = this.density[group * LOAD_COUNT + r]!;
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
