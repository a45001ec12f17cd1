/**
 * Secondaries for the primaries of a group whose pairs may score little, without looking at all pairs: of
 * each location those that bring the least come first, and of nodes that are alike one is enough.
 */
import { groupedBy } from '../../../../kit/grouped.ts';
import { kept } from '../../../../kit/kept.ts';
import type { PeerRow } from '../../../model/state/peer-rows.ts';
import type { LikeNodes } from '../choose/like-nodes.ts';
import type { PairBounds } from './pair-bounds.ts';

export class Partners {
  private readonly isSecond: ReadonlySet<number>;
  /** By locations, then by class of alike nodes: the least figure first, of a class the last node. */
  private readonly byLocations: readonly (readonly (readonly number[])[])[];
  /** By the locations of a primary. */
  private readonly leastOf = new Map<number, number>();
  /** By class of primaries: the first nodes of the classes that one of them is paired with. */
  private readonly taken = new Map<number, Set<number>>();

  /** @param row open for the primary that is asked about: what nodes reserve for it tells them apart */
  constructor(
    private readonly bounds: PairBounds,
    private readonly like: LikeNodes,
    private readonly row: PeerRow,
    seconds: readonly number[],
  ) {
    const { second, locationClassOf } = bounds;
    this.isSecond = new Set(seconds);
    const kinds = [...groupedBy(seconds.toReversed(), (s) => like.classOf(s)).values()];
    kinds.sort((a, b) => second[a[0]!]! - second[b[0]!]!);
    this.byLocations = [...groupedBy(kinds, (kind) => locationClassOf[kind[0]!]!).values()];
  }

  /** The least that a secondary brings to a pair with the primary, and what both have in common. */
  leastFor(primary: number): number {
    const { bounds, byLocations } = this;
    return kept(this.leastOf, bounds.locationClassOf[primary]!, () => {
      let least = Number.POSITIVE_INFINITY;
      for (const kinds of byLocations) {
        const nearest = kinds[0]![0]!;
        if (bounds.second[nearest]! >= least) break;
        least = Math.min(least, bounds.second[nearest]! + bounds.locationScore(primary, nearest));
      }
      return least;
    });
  }

  /**
   * The secondaries whose pairs with a primary may score that little. Of pairs that are alike the last alone,
   * as equal nodes have as many as there are pairs: primaries that are alike come from the last to the first.
   * @param peers what each node reserves for it
   */
  of(primary: number, peers: Float64Array, most: number): number[] {
    const { bounds, isSecond } = this;
    const first = bounds.first[primary]!;
    const { second } = bounds;
    const found: number[] = [];
    for (const s of this.row.reserving) if (first + second[s]! <= most && isSecond.has(s)) found.push(s);
    const taken = kept(this.taken, this.like.classOf(primary), () => new Set());
    for (const kinds of this.byLocations) {
      const nearest = kinds[0]![0]!;
      if (first + second[nearest]! > most) break;
      const bound = first + bounds.locationScore(primary, nearest);
      for (const kind of kinds) {
        if (bound + second[kind[0]!]! > most) break;
        if (taken.has(kind[0]!)) continue;
        const last = kind.find((s) => s !== primary && peers[s] === 0);
        if (last === undefined) continue;
        taken.add(kind[0]!);
        found.push(last);
      }
    }
    return found;
  }
}
