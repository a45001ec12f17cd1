import { expect } from 'chai';
import { Random } from '../../../../bench/generate/random.ts';
import { ClusterState } from '../../../../src/model/state/state.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../src/planners/balance/options.ts';
import { lowerBound, type SolveProgramme } from '../../../../src/planners/search/bound/lower-bound.ts';
import { leastDeviation } from '../../../../src/planners/search/bound/programme.ts';
import { makeLayout } from '../../../../src/planners/search/kernel/layout.ts';
import { searchDeep } from '../../../../src/programs/shared/balance/deep-search.ts';
import { loadSolver } from '../../../../src/programs/shared/balance/lp-solver.ts';
import { nodesByGroup, randomCluster } from '../../../builders/random-cluster.ts';
import { roundCluster } from '../../../builders/round-cluster.ts';
import { forSeedsAsync } from '../../../builders/seeds.ts';
import { lowestReachable } from './exact.ts';

/** The judge knows the rules of moves, not the guard. */
const OPTIONS = { ...DEFAULT_BALANCE_OPTIONS, n1Guard: false };
const CLUSTERS = 40;
const MOST_STATES = 2_000;
const CANDIDATES = 50_000;
const FREE_CANDIDATES = 50_000;
const NEAR = 1.01;
const ROUNDING = 1e-6;
const WANTED_SHARE = 0.95;

describe('the deep search before the exact judge', () => {
  let solve: SolveProgramme;
  const seen = { judged: 0, near: 0, free: 0, freeOptimal: 0, bounded: 0, positive: 0 };

  before(async () => {
    solve = await loadSolver();
  });

  it('has a bound that is never above the optimum', async function () {
    this.timeout(60_000);
    await forSeedsAsync(CLUSTERS, async (seed) => {
      const random = new Random(seed, 'judge');
      const snapshot =
        seed % 2 === 0
          ? roundCluster(seed, { instancesPerNode: random.pick([1, 1.5, 2]) })
          : randomCluster(seed, { fewestNodes: 3, mostNodes: 5, mostInstancesPerNode: 2 });
      for (const nodes of nodesByGroup(snapshot)) {
        const layout = makeLayout(new ClusterState(snapshot), nodes, OPTIONS);
        if (layout.uncovered > 0 || layout.movable.length === 0 || layout.targets.length < 2) continue;
        const find = (mostGib: number) =>
          searchDeep(snapshot, nodes, OPTIONS, {
            seed,
            candidates: mostGib === 0 ? FREE_CANDIDATES : CANDIDATES,
            mostGib,
            mostSteps: Number.POSITIVE_INFINITY,
            timeLimitS: undefined,
            threads: 1,
            onProgress: () => {},
          });
        const lowestFree = lowestReachable(layout, true, MOST_STATES);
        if (lowestFree !== undefined && Number.isFinite(lowestFree)) {
          const { offer } = await find(0);
          const free = offer.curve.findLast(({ gib }) => gib === 0)!;
          seen.free++;
          if (free.score <= lowestFree + ROUNDING) seen.freeOptimal++;
        }
        const lowest = lowestReachable(layout, false, MOST_STATES);
        if (lowest === undefined || !Number.isFinite(lowest)) continue;
        const bound = lowerBound(layout, solve);
        if (bound !== undefined) {
          seen.bounded++;
          if (bound > 0) seen.positive++;
          expect(bound).to.be.at.most(lowest + ROUNDING);
        }
        const { offer } = await find(Number.POSITIVE_INFINITY);
        seen.judged++;
        if (offer.curve.at(-1)!.score <= NEAR * lowest + ROUNDING) seen.near++;
      }
    });
    expect(seen.bounded).to.be.above(10);
    expect(seen.positive).to.be.above(5);
  });

  it('comes within a percent of the optimum in most cases, and to it where nothing is copied', () => {
    if (process.env.JUDGE_SAYS) console.log(JSON.stringify(seen));
    expect(seen.judged).to.be.above(10);
    expect(seen.near).to.be.at.least(WANTED_SHARE * seen.judged);
    expect(seen.free).to.be.above(15);
    expect(seen.freeOptimal).to.be.at.least(WANTED_SHARE * seen.free);
  });

  it('counts whole units: seven on three nodes deviate by what is left over', () => {
    expect(leastDeviation([0, 0, 0], 1, 7)).to.be.closeTo(Math.sqrt(2 / 9), 1e-12);
    expect(leastDeviation([3, 0, 0], 1, 6)).to.equal(0);
    expect(leastDeviation([0, 0], -2, 3)).to.equal(1);
  });
});
