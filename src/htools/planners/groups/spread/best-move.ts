/**
 * The move that spreads load most evenly; of equal ones the cheapest, then the first by instance and group.
 * Instances of one group that weigh the same leave the same loads behind, and are asked once a target; groups
 * whose bound is above what is found are not asked. Scores and bounds are kept until a move is made.
 */
import { kept } from '../../../../kit/kept.ts';
import type { GroupRules } from '../homes/leaving.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { ELSEWHERE, type GroupLoads } from './group-load.ts';

/** Scores that differ by less than this share of them count as equal: the sums behind them are rounded. */
const EQUAL_SHARE = 1e-9;

export interface SpreadMove {
  readonly instance: number;
  readonly from: number;
  readonly to: number;
  readonly score: number;
}

/** Instances that may go to the same groups. */
interface Kind {
  /** Places in the list of targets. */
  readonly open: readonly number[];
  /** What is left of it: the cheapest first, of equal ones in order. */
  readonly members: number[];
  /** By place of a target: so many of the first are known to be refused there. */
  readonly refused: Map<number, number>;
}

/** Instances of one group that weigh the same. */
interface Source {
  readonly from: number;
  /** One of them. */
  readonly instance: number;
  /** By the groups that they may go to. */
  readonly kinds: Map<readonly number[], Kind>;
  /** Number of what they weigh in any other group. */
  readonly weight: number;
}

function isUsedUp({ kinds }: Source): boolean {
  for (const { members } of kinds.values()) if (members.length > 0) return false;
  return true;
}

/** The highest score that counts as equal. */
const equalTo = (score: number): number => score + EQUAL_SHARE * Math.max(1, score);

export class BestMoves {
  private readonly sources: readonly Source[];
  /** Numbers of weights in other groups. */
  private readonly weights = new Map<string, number>();
  private readonly kindOf = new Map<number, Kind>();
  /** What moving an instance counts. */
  private readonly prices: Float64Array;
  /** By group: what it has refused since it last lost an instance; what comes makes no room there. */
  private readonly refused: Set<number>[];
  private readonly targets: readonly number[];
  /** By target, until a move is made. */
  private readonly scores = new Map<Source, Float64Array>();
  /** By whether the target is of last resort, until a move is made: of each source, no score is lower. */
  private readonly bounds = new Map<boolean, Float64Array>();

  constructor(
    private readonly cluster: SuperCluster,
    private readonly loads: GroupLoads,
    rules: GroupRules,
    movable: readonly number[],
    targets: ReadonlySet<number>,
  ) {
    const { state } = cluster;
    this.refused = cluster.members.map(() => new Set());
    this.prices = Float64Array.from(cluster.snapshot.instances, (_, i) => cluster.priceOfLeaving(i));
    this.targets = [...targets];
    const { prices } = this;
    const placeOf = new Map(this.targets.map((to, place) => [to, place]));
    const sources = new Map<string, Source>();
    for (const instance of [...movable].sort((a, b) => prices[a]! - prices[b]! || a - b)) {
      const primary = state.primary[instance]!;
      // What a dead node ran is no load now, and its way out is hredist's matter.
      if (state.isOffline[primary]) continue;
      const from = state.groupOf[primary]!;
      const elsewhere = loads.weightsIn(ELSEWHERE, instance).join();
      const weight = kept(this.weights, elsewhere, () => this.weights.size);
      const source = kept(sources, `${from};${loads.weightsIn(from, instance).join()};${weight}`, () => ({
        from,
        instance,
        weight,
        kinds: new Map(),
      }));
      const open = rules.openTo(instance);
      const kind = kept(source.kinds, open, () => ({
        open: open.filter((to) => placeOf.has(to) && to !== from).map((to) => placeOf.get(to)!),
        members: [],
        refused: new Map(),
      }));
      kind.members.push(instance);
      this.kindOf.set(instance, kind);
    }
    this.sources = [...sources.values()];
  }

  /** Whether any group has refused an instance since it last lost one. */
  get hasRefused(): boolean {
    return this.refused.some((set) => set.size > 0);
  }

  refuse({ instance, to }: SpreadMove): void {
    this.refused[to]!.add(instance);
  }

  /** A move was made: nothing is copied twice, and the group that it left has more room. */
  take({ instance, from }: SpreadMove): void {
    const { members, refused } = this.kindOf.get(instance)!;
    members.splice(members.indexOf(instance), 1);
    refused.clear();
    if (this.refused[from]!.size > 0) this.forgetRefusals(from);
    this.scores.clear();
    this.bounds.clear();
  }

  private forgetRefusals(group: number): void {
    this.refused[group]!.clear();
    const place = this.targets.indexOf(group);
    for (const { kinds } of this.sources) for (const { refused } of kinds.values()) refused.delete(place);
  }

  /** The best move to groups of last resort, or to others, that scores less than `before` beyond rounding. */
  find(before: number, isLastResort: boolean): SpreadMove | undefined {
    const { cluster, targets, prices, sources } = this;
    const bounds = kept(this.bounds, isLastResort, () => this.boundsFor(isLastResort));
    let lowest = Number.POSITIVE_INFINITY;
    const moves: SpreadMove[] = [];
    const look = (source: Source): void => {
      const { from, instance: sample, kinds } = source;
      const scores = kept(this.scores, source, () => this.loads.scoresAfter(sample, from, targets));
      for (const kind of kinds.values()) {
        if (kind.members.length === 0) continue;
        for (const place of kind.open) {
          const score = scores[place]!;
          const to = targets[place]!;
          if (!(equalTo(score) < before && score <= equalTo(lowest))) continue;
          if (cluster.isLastResort(to) !== isLastResort) continue;
          const instance = this.cheapestOf(kind, place);
          if (instance === undefined) continue;
          lowest = Math.min(lowest, score);
          moves.push({ instance, from, to, score });
        }
      }
    };
    // What promises most comes first, so that few others have to be looked at.
    const first = bounds.indexOf(bounds.reduce((least, bound) => Math.min(least, bound), Infinity));
    if (first >= 0) look(sources[first]!);
    for (const [k, source] of sources.entries())
      if (k !== first && bounds[k]! < before && bounds[k]! <= equalTo(lowest)) look(source);
    return moves
      .filter(({ score }) => score <= equalTo(lowest))
      .sort((a, b) => prices[a.instance]! - prices[b.instance]! || a.instance - b.instance)[0];
  }

  /** The first of a kind that the target has not refused. */
  private cheapestOf({ members, refused }: Kind, place: number): number | undefined {
    const refusing = this.refused[this.targets[place]!]!;
    const known = refused.get(place) ?? 0;
    let next = known;
    while (next < members.length && refusing.has(members[next]!)) next++;
    if (next > known) refused.set(place, next);
    return members[next];
  }

  private boundsFor(isLastResort: boolean): Float64Array {
    const { loads, sources } = this;
    const bounds = new Float64Array(sources.length).fill(Number.POSITIVE_INFINITY);
    const open = this.targets.filter((to) => this.cluster.isLastResort(to) === isLastResort);
    if (open.length === 0) return bounds;
    const openings = loads.openings(open);
    const together = new Float64Array(this.weights.size).fill(Number.NaN);
    sources.forEach((source, k) => {
      if (isUsedUp(source)) return;
      const { from, instance, weight } = source;
      if (Number.isNaN(together[weight])) together[weight] = loads.leastTogether(instance, openings);
      bounds[k] = loads.leastAfter(instance, from, openings, together[weight]!);
    });
    return bounds;
  }
}
