/**
 * The move that spreads load most evenly; of equal ones the cheapest, then the first by instance and group.
 * Instances of one group that weigh the same and may go to the same groups are one kind, and are asked once a
 * target. Scores are kept until a move is made. The choice is that of asking all of them in turn.
 */
import { kept } from '../../../../kit/kept.ts';
import type { GroupRules } from '../homes/leaving.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import type { GroupLoads } from './group-load.ts';

/** Scores that differ by less than this share of them count as equal: the sums behind them are rounded. */
const TIE_SHARE = 1e-9;

/** A gap of that many margins parts scores: what lies above it has no part in a choice among those below. */
const GAP = 3;

/** Margins above the lowest score within which a gap is looked for first. */
const WINDOW = 1000;

export interface SpreadMove {
  readonly instance: number;
  readonly from: number;
  readonly to: number;
  readonly score: number;
}

/** What scores the same. */
interface Kind {
  readonly from: number;
  readonly open: readonly number[];
  /** What is left of it: the cheapest first, of equal ones in order. */
  readonly members: number[];
}

interface Scored {
  readonly kind: Kind;
  readonly to: number;
  readonly score: number;
}

const marginOf = (score: number): number => TIE_SHARE * Math.max(1, score);

export class BestMoves {
  private readonly kinds: readonly Kind[];
  private readonly kindOf = new Map<number, Kind>();
  /** What moving an instance counts. */
  private readonly prices: Float64Array;
  /** By group: what it has refused since it last lost an instance; what comes makes no room there. */
  private readonly refused: Set<number>[];
  /** Of kinds, until a move is made. */
  private readonly scores = new Map<Kind, Float64Array>();

  constructor(
    private readonly cluster: SuperCluster,
    private readonly loads: GroupLoads,
    rules: GroupRules,
    movable: readonly number[],
    targets: ReadonlySet<number>,
  ) {
    const { state } = cluster;
    this.refused = cluster.members.map(() => new Set());
    const prices = Float64Array.from(cluster.snapshot.instances, (_, i) => cluster.priceOfLeaving(i));
    this.prices = prices;
    const kinds = new Map<string, Kind>();
    const numbers = new Map<readonly number[], number>();
    for (const instance of [...movable].sort((a, b) => prices[a]! - prices[b]! || a - b)) {
      const primary = state.primary[instance]!;
      // What a dead node ran is no load now, and its way out is hredist's matter.
      if (state.isOffline[primary]) continue;
      const from = state.groupOf[primary]!;
      const open = rules.openTo(instance);
      const groups = kept(numbers, open, () => numbers.size);
      const key = `${from};${groups};${loads.weightOf(instance)}`;
      const kind = kept(kinds, key, () => ({
        from,
        open: open.filter((to) => targets.has(to) && to !== from),
        members: [],
      }));
      kind.members.push(instance);
      this.kindOf.set(instance, kind);
    }
    this.kinds = [...kinds.values()];
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
    const { members } = this.kindOf.get(instance)!;
    members.splice(members.indexOf(instance), 1);
    this.refused[from]!.clear();
    this.scores.clear();
  }

  /** The best move to groups of last resort, or to others, that scores less than `before` beyond rounding. */
  find(before: number, isLastResort: boolean): SpreadMove | undefined {
    const near =
      this.closest(before, isLastResort, WINDOW) ??
      this.closest(before, isLastResort, Number.POSITIVE_INFINITY)!;
    const lowest = near[0]?.score ?? 0;
    const areEqual = near.every(({ score }) => score < lowest + marginOf(lowest) / 2);
    const moves = near.flatMap(({ kind, to, score }): SpreadMove[] => {
      const willing = (instance: number): boolean => !this.refused[to]!.has(instance);
      // Where all score the same only the cheapest of a kind can be chosen.
      const members = areEqual ? [kind.members.find(willing)!] : kind.members.filter(willing);
      return members.map((instance) => ({ instance, from: kind.from, to, score }));
    });
    const placeOf = ({ instance, to }: SpreadMove): number => this.kindOf.get(instance)!.open.indexOf(to);
    moves.sort((a, b) => a.instance - b.instance || placeOf(a) - placeOf(b));
    let best: SpreadMove | undefined;
    for (const move of moves) if (this.isPreferred(move, best)) best = move;
    return best;
  }

  /** By score, all up to the first gap; undefined without one up to so many margins above the lowest. */
  private closest(before: number, isLastResort: boolean, margins: number): readonly Scored[] | undefined {
    const { cluster, refused } = this;
    let limit = Number.POSITIVE_INFINITY;
    const found: Scored[] = [];
    for (const kind of this.kinds) {
      if (kind.members.length === 0) continue;
      const scores = this.scoresOf(kind);
      kind.open.forEach((to, place) => {
        const score = scores[place]!;
        if (!(score + marginOf(score) < before && score <= limit)) return;
        if (cluster.isLastResort(to) !== isLastResort) return;
        if (kind.members.every((i) => refused[to]!.has(i))) return;
        limit = Math.min(limit, score + margins * marginOf(score));
        found.push({ kind, to, score });
      });
    }
    found.sort((a, b) => a.score - b.score);
    const end = found.findIndex(
      ({ score }, k) => score > (found[k - 1]?.score ?? score) + GAP * marginOf(score),
    );
    const near = end < 0 ? found : found.slice(0, end);
    const highest = near.at(-1)?.score ?? 0;
    return highest + GAP * marginOf(highest) > limit ? undefined : near;
  }

  private scoresOf(kind: Kind): Float64Array {
    const { from, open, members } = kind;
    return kept(this.scores, kind, () => this.loads.scoresAfter(members[0]!, from, open));
  }

  /** Better, or as good and cheaper. */
  private isPreferred({ instance, score }: SpreadMove, best: SpreadMove | undefined): boolean {
    if (best === undefined) return true;
    const margin = marginOf(best.score);
    if (score < best.score - margin) return true;
    return score <= best.score + margin && this.prices[instance]! < this.prices[best.instance]!;
  }
}
