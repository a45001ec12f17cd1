/**
 * The best pair of nodes for one instance after the other, without looking at all pairs: the same pair as the
 * full scan (Allocator) finds.
 *
 * Bounds by node and by group (pair-bounds.ts) leave a few pairs, which cost a few roots each. Those that
 * these figures cannot tell apart are scored by PairScan, in stock's order of operations, for the last bit.
 */
import { ALLOWED } from '../../../cluster/refusal.ts';
import { failsWith } from '../../../model/rules/n-plus-one.ts';
import { METRIC_COUNT, OFFLINE_ALL_CNT } from '../../../model/score/metrics.ts';
import type { Scorer } from '../../../model/score/scorer.ts';
import * as F from '../../../model/state/node-fields.ts';
import { PeerRow } from '../../../model/state/peer-rows.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import { LikeNodes } from '../choose/like-nodes.ts';
import { PairScan } from '../choose/pair-scan.ts';
import type { RefusalTable } from '../choose/refusal-table.ts';
import type { Placement } from '../solution.ts';
import { type GroupPairs, PairBounds } from './pair-bounds.ts';
import { Partners } from './partners.ts';
import { followsLocations } from './role-changes.ts';

/** Order in which stock visits pairs; of equal scores the last one wins. */
const byPlace = (a: Placement, b: Placement): number => a.primary - b.primary || a.secondary - b.secondary;

export class PairSearch {
  private readonly state: ClusterState;
  private readonly scan: PairScan;
  private readonly like: LikeNodes;
  private readonly bounds: PairBounds;
  private readonly peerRow: PeerRow;

  // What one search has found: pairs with the least that they may score, and the most that the best may.
  private found: { readonly home: Placement; readonly least: number }[] = [];
  private limit = Number.POSITIVE_INFINITY;
  private groupLimit = Number.POSITIVE_INFINITY;

  /** @param candidates nodes that pairs are made of; those of a group all go together */
  constructor(scorer: Scorer, candidates: readonly number[]) {
    this.state = scorer.state;
    this.bounds = new PairBounds(scorer, candidates);
    const { primary, secondary } = this.bounds.changes;
    this.scan = new PairScan(scorer, {
      asPrimary: primary.rows,
      asSecondary: secondary.rows,
      crowdingWith: new Float64Array(this.state.nodeCount),
    });
    this.like = new LikeNodes(this.scan);
    this.peerRow = new PeerRow(this.state);
  }

  /**
   * Takes over what changed on these nodes, which the table has heard of. Returns whether the bounds hold: no
   * metric is undefined, and of locations only those that both nodes have in common count.
   * @param isAll whether nothing of the others was about an instance of this size
   */
  update(i: number, changed: readonly number[], isAll: boolean, table: RefusalTable): boolean {
    this.bounds.update(i, changed, isAll, table);
    if (isAll) this.like.forgetAll();
    else this.like.forget(changed);
    return this.bounds.areDefined && !followsLocations(this.state, i);
  }

  /** The best allowed pair, of equal ones the last; undefined when there is none. */
  find(i: number, table: RefusalTable): Placement | undefined {
    const { bounds } = this;
    this.found = [];
    this.limit = Number.POSITIVE_INFINITY;
    const least = new Map<GroupPairs, number>();
    for (let group = bounds.take(this.limit); group; group = bounds.take(this.limit))
      least.set(group, this.openGroup(group, table));
    for (const [group, score] of least) bounds.putBack(group, score);
    return this.decide(i);
  }

  /**
   * Notes the pairs of a group that are near the best. Its own best is found in any case: no bound is closer.
   * A good pair early rules out most of the others. Returns what they score at least.
   */
  private openGroup(group: GroupPairs, table: RefusalTable): number {
    const { first, second } = this.bounds;
    const { open, seconds, leastFirst, error } = group;
    this.groupLimit = Number.POSITIVE_INFINITY;
    const likeliest = open.find((p) => first[p] === leastFirst)!;
    this.openPrimary(group, likeliest, (peers) => this.like.lastOfEach(likeliest, seconds, peers), table);
    const mayHold = (least: number): boolean => least - error <= this.groupLimit;
    const close = seconds.filter((s) => mayHold(leastFirst + second[s]!));
    const partners = new Partners(this.bounds, this.like, this.peerRow, close);
    const leastOf = (p: number): number => first[p]! + partners.leastFor(p);
    const near = open.filter((p) => p !== likeliest && mayHold(leastOf(p)));
    // Of nodes that are alike, which have the same figure, the last comes first: of their pairs it wins.
    near.sort((a, b) => leastOf(a) - leastOf(b) || b - a);
    for (const p of near) {
      if (!mayHold(leastOf(p))) break;
      const most = this.groupLimit + error;
      this.openPrimary(group, p, (peers) => partners.of(p, peers, most), table);
    }
    this.limit = Math.min(this.limit, this.groupLimit);
    return this.groupLimit - 2 * error;
  }

  /**
   * Notes the pairs of a primary that are near the best.
   * @param secondsOf the secondaries to look at, by what each node reserves for it
   */
  private openPrimary(
    { shared, error }: GroupPairs,
    primary: number,
    secondsOf: (peers: Float64Array) => readonly number[],
    table: RefusalTable,
  ): void {
    const { weights, primaryScore, secondaryScore, primaryShift, secondaryShift, first, second, changes } =
      this.bounds;
    const { variances, counts } = changes;
    const { change: firstChange } = changes.primary;
    const { change: secondChange } = changes.secondary;
    const peers = this.peerRow.open(primary);
    const bound = first[primary]! - error;
    for (const s of secondsOf(peers)) {
      const common = this.bounds.locationScore(primary, s);
      if (bound + second[s]! + common > this.groupLimit || s === primary) continue;
      const peer = peers[s]!;
      if (peer > 0 && table.secondaryCode(primary, s) !== ALLOWED) continue;
      let score =
        primaryScore[primary]! + (peer > 0 ? this.scoreWithPeer(s, peer) : secondaryScore[s]!) + common;
      for (const m of shared) {
        const product = (2 * firstChange[m]![primary]! * secondChange[m]![s]!) / (counts[m]! * counts[m]!);
        const variance = variances[m]! + primaryShift[m]![primary]! + secondaryShift[m]![s]! - product;
        if (variance > 0) score += weights[m]! * Math.sqrt(variance);
      }
      this.groupLimit = Math.min(this.groupLimit, score + error);
      if (score - error <= this.limit && score - error <= this.groupLimit)
        this.found.push({ home: { primary, secondary: s }, least: score - error });
    }
  }

  /** What a secondary's reservation scores when it reserves that much for the primary already. */
  private scoreWithPeer(s: number, peer: number): number {
    const { state, bounds } = this;
    const at = s * F.NODE_STRIDE;
    const reserved = peer + bounds.reservation;
    if (reserved <= state.nodeFields[at + F.RESERVED_MEM]!) return bounds.secondaryScore[s]!;
    const fails = failsWith(state.nodeFields[at + F.FREE_MEM]!, reserved);
    const failing = fails ? bounds.changes.secondary.rows[s * METRIC_COUNT + OFFLINE_ALL_CNT]! : 0;
    return bounds.reservedScore(s, reserved / state.totalMem[s]!, failing);
  }

  /** Scores exactly what rounding cannot tell from the best. */
  private decide(i: number): Placement | undefined {
    const { scan } = this;
    const close = this.found.filter(({ least }) => least <= this.limit).map(({ home }) => home);
    if (close.length <= 1) return close[0];
    const homes = close.toSorted(byPlace);
    scan.prepare(
      i,
      [...new Set(homes.map((home) => home.primary))],
      [...new Set(homes.map((home) => home.secondary))],
    );
    const { primary, secondary } = scan.best(homes)!;
    return { primary, secondary };
  }
}
