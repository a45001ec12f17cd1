/**
 * The move that spreads load most evenly; of equal ones the cheapest, then the first by instance and group.
 * Instances of one group that weigh the same and may go to the same groups are one kind, and are asked once a
 * target. Scores are kept until a move is made.
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
  /** What is left of it: the cheapest first, of equal ones in order. */
  readonly members: number[];
}

/** The highest score that counts as equal. */
const equalTo = (score: number): number => score + EQUAL_SHARE * Math.max(1, score);

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
    this.prices = Float64Array.from(cluster.snapshot.instances, (_, i) => cluster.priceOfLeaving(i));
    const { prices } = this;
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
    const { cluster, refused, prices } = this;
    let lowest = Number.POSITIVE_INFINITY;
    const moves: SpreadMove[] = [];
    for (const kind of this.kinds) {
      if (kind.members.length === 0) continue;
      const { from, open, members } = kind;
      const scores = this.scoresOf(kind);
      open.forEach((to, place) => {
        const score = scores[place]!;
        if (!(equalTo(score) < before && score <= equalTo(lowest))) return;
        if (cluster.isLastResort(to) !== isLastResort) return;
        const instance = members.find((i) => !refused[to]!.has(i));
        if (instance === undefined) return;
        lowest = Math.min(lowest, score);
        moves.push({ instance, from, to, score });
      });
    }
    return moves
      .filter(({ score }) => score <= equalTo(lowest))
      .sort((a, b) => prices[a.instance]! - prices[b.instance]! || a.instance - b.instance)[0];
  }

  private scoresOf(kind: Kind): Float64Array {
    const { from, open, members } = kind;
    return kept(this.scores, kind, () => this.loads.scoresAfter(members[0]!, from, open));
  }
}
