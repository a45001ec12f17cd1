import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import type { Snapshot } from '../../../../../src/htools/cluster/snapshot.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { NO_CAPS } from '../../../../../src/htools/plan/plan.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../../src/htools/planners/balance/options.ts';
import { lowerBound } from '../../../../../src/htools/planners/search/bound/lower-bound.ts';
import { pricedBound } from '../../../../../src/htools/planners/search/bound/priced-bound.ts';
import { makeLayout } from '../../../../../src/htools/planners/search/kernel/layout.ts';
import { searchDeep } from '../../../../../src/htools/programs/shared/balance/deep-search.ts';
import { nodesByGroup, randomCluster } from '../../../../builders/random-cluster.ts';
import { roundCluster } from '../../../../builders/round-cluster.ts';
import { forSeedsUntil, halved } from '../../../../builders/seeds.ts';
import { limitedByWork } from '../../../../builders/work-limit.ts';
import { exactCurve } from './exact.ts';

/** The judge knows the rules of moves, not the guard. */
const OPTIONS = { ...DEFAULT_BALANCE_OPTIONS, n1Guard: false };
const JUDGED = halved(3);
/** `JUDGE_STATES`: judges larger clusters, for a run at the desk. */
const MOST_STATES = Number(process.env.JUDGE_STATES ?? 2_000);
/** Clusters that tell how sharp the bound is: a hundredth of the optimum of some, nearly all of others. */
const ENOUGH_TO_TELL = 8;
const CANDIDATES = 50_000;
const NEAR = 1.01;
const ROUNDING = 1e-6;
const WANTED_SHARE = 0.95;

function clusterOf(seed: number): Snapshot {
  const random = new Random(seed, 'judge');
  return random.chance(0.5)
    ? roundCluster(seed, { instancesPerNode: random.pick([1, 1.5, 2]) })
    : randomCluster(seed, { fewestNodes: 3, mostNodes: 5, mostInstancesPerNode: 2 });
}

describe('the deep search before the exact judge', () => {
  const seen = {
    clusters: 0,
    unlike: 0,
    tooMany: 0,
    near: 0,
    free: 0,
    freeOptimal: 0,
    positive: 0,
    priced: 0,
    needless: 0,
  };
  const shares: number[] = [];
  let judged = 0;

  /** Judges the groups of a cluster. @returns how many of them were judged */
  async function judge(seed: number): Promise<number> {
    const snapshot = clusterOf(seed);
    let counted = 0;
    seen.clusters++;
    for (const nodes of nodesByGroup(snapshot)) {
      const layout = makeLayout(new ClusterState(snapshot), nodes, OPTIONS);
      if (layout.uncovered > 0 || layout.movable.length === 0 || layout.targets.length < 2) {
        seen.unlike++;
        continue;
      }
      const find = (copiedGib: number) =>
        searchDeep(
          snapshot,
          nodes,
          OPTIONS,
          limitedByWork(seed, CANDIDATES, { caps: { ...NO_CAPS, copiedGib } }),
        );
      const lowestFree = exactCurve(snapshot, layout, true, MOST_STATES)?.at(-1)?.score;
      if (lowestFree !== undefined && Number.isFinite(lowestFree)) {
        const { offer } = await find(0);
        const free = Math.min(
          offer.initialScore,
          ...offer.plans.flatMap((steps) =>
            steps.filter(({ total }) => total.copiedGib === 0).map(({ score }) => score),
          ),
        );
        seen.free++;
        if (free <= lowestFree + ROUNDING) seen.freeOptimal++;
      }
      const exact = exactCurve(snapshot, layout, false, MOST_STATES);
      const { price, score: lowest } = exact?.at(-1) ?? { price: 0, score: Infinity };
      if (exact === undefined || !Number.isFinite(lowest)) {
        seen.tooMany++;
        continue;
      }
      // From the best placement, from a good and from a bad one.
      const bounds = [lowest, 1.3 * lowest, lowest + 20].map((reached) => lowerBound(layout, reached)!);
      for (const bound of bounds) expect(bound).to.be.at.most(lowest + ROUNDING);
      if (bounds[1]! > 0) seen.positive++;
      for (const share of [0.25, 0.5, 1]) {
        const most = share * price + ROUNDING;
        const { score: best } = exact.findLast((one) => one.price <= most)!;
        const reached = best + 0.3 * (exact[0]!.score - best);
        const proven = pricedBound(layout, { price: most, score: reached }, exact[0]!.score - reached);
        expect(proven.score).to.be.at.most(best + ROUNDING);
        expect(proven.price).to.be.at.most(exact.find(({ score }) => score <= reached)!.price + ROUNDING);
        if (proven.score > bounds[2]! + ROUNDING || proven.price > ROUNDING) seen.priced++;
      }
      if (lowest > ROUNDING) shares.push(bounds[1]! / lowest);
      const { curve } = (await find(Number.POSITIVE_INFINITY)).offer;
      counted++;
      const isNear = [0.25, 0.5, 1].every((share) => {
        const most = share * price + ROUNDING;
        const best = exact.findLast((one) => one.price <= most)!.score;
        return curve.findLast(({ total }) => total.price <= most)!.score <= NEAR * best + ROUNDING;
      });
      if (isNear) seen.near++;
      const end = curve.at(-1)!;
      const needed = exact.find(({ score }) => score <= end.score + ROUNDING)?.price ?? price;
      if (end.total.price > NEAR * needed + ROUNDING) seen.needless++;
    }
    return counted;
  }

  it('has a bound that is never above the optimum', async function () {
    this.timeout(0);
    judged = await forSeedsUntil(JUDGED, judge);
    expect(seen.positive).to.be.at.least(0.8 * judged);
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    if (shares.length >= ENOUGH_TO_TELL) expect(mean).to.be.above(0.3);
    if (process.env.JUDGE_SAYS) console.log(JSON.stringify({ judged, ...seen, boundIsShareOfOptimum: mean }));
  });

  it('comes within a percent of what each price buys in most cases, and to that where nothing is copied', () => {
    expect(seen.near).to.be.at.least(WANTED_SHARE * judged);
    expect(seen.needless).to.be.at.most((1 - WANTED_SHARE) * judged);
    expect(seen.free).to.be.at.least(judged);
    expect(seen.freeOptimal).to.be.at.least(WANTED_SHARE * seen.free);
  });
});
