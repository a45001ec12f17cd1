/**
 * The move that spreads load most evenly; of equal ones the cheapest, then the first by instance and group.
 * Instances of one group that weigh the same and may go to the same groups are one kind, whose scores are
 * computed once and kept until a move is made.
 */
import { kept } from '../../../../kit/kept.ts';
import type { GroupRules } from '../homes/leaving.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import type { GroupLoads } from './group-load.ts';

/** Scores that differ by less than this share of them count as equal: the sums behind them are rounded. */
const EQUAL_SHARE = 1e-9;

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
}

const marginOf = (score: number): number => EQUAL_SHARE * Math.max(1, score);

export class BestMoves {
  /** Of all that may still be moved, by instance, in order. */
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
    this.prices = Float64Array.from(cluster.snapshot.instances, (_, i) => cluster.priceOfLeaving(i));
    const kinds = new Map<string, Kind>();
    const numbers = new Map<readonly number[], number>();
    for (const instance of [...movable].sort((a, b) => a - b)) {
      const primary = state.primary[instance]!;
      // What a dead node ran is no load now, and its way out is hredist's matter.
      if (state.isOffline[primary]) continue;
      const from = state.groupOf[primary]!;
      const allowed = rules.openTo(instance);
      const groups = kept(numbers, allowed, () => numbers.size);
      const kind = kept(kinds, `${from};${groups};${loads.weightOf(instance)}`, () => {
        const open = allowed.filter((to) => targets.has(to) && to !== from);
        return { from, open };
      });
      this.kindOf.set(instance, kind);
    }
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
    this.kindOf.delete(instance);
    this.refused[from]!.clear();
    this.scores.clear();
  }

  /** The best move to groups of last resort, or to others, that scores less than `before` beyond rounding. */
  find(before: number, isLastResort: boolean): SpreadMove | undefined {
    let best: SpreadMove | undefined;
    for (const [instance, kind] of this.kindOf) {
      const scores = this.scoresOf(kind, instance);
      for (const [place, to] of kind.open.entries()) {
        const score = scores[place]!;
        if (!(score + marginOf(score) < before) || !this.isPreferred(instance, score, best)) continue;
        if (this.cluster.isLastResort(to) !== isLastResort || this.refused[to]!.has(instance)) continue;
        best = { instance, from: kind.from, to, score };
      }
    }
    return best;
  }

  private scoresOf(kind: Kind, instance: number): Float64Array {
    return kept(this.scores, kind, () => this.loads.scoresAfter(instance, kind.from, kind.open));
  }

  /** Better, or as good and cheaper. */
  private isPreferred(instance: number, score: number, best: SpreadMove | undefined): boolean {
    if (best === undefined) return true;
    const margin = marginOf(best.score);
    if (score < best.score - margin) return true;
    return score <= best.score + margin && this.prices[instance]! < this.prices[best.instance]!;
  }
}
