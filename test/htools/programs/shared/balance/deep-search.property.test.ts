import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { checkPlan } from '../../../../../src/htools/plan/checker/check.ts';
import { NO_CAPS } from '../../../../../src/htools/plan/plan.ts';
import { planPrice } from '../../../../../src/htools/plan/price.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../../src/htools/planners/balance/options.ts';
import { balanceSteps } from '../../../../../src/htools/planners/balance/steps/balance.ts';
import { StepSearch } from '../../../../../src/htools/planners/balance/steps/step-search.ts';
import { LOWEST, pick } from '../../../../../src/htools/planners/search/pick.ts';
import { stepsTo } from '../../../../../src/htools/planners/search/plans.ts';
import { planLimitsOf } from '../../../../../src/htools/programs/shared/balance/balance-options.ts';
import { searchDeep } from '../../../../../src/htools/programs/shared/balance/deep-search.ts';
import { nodesByGroup, randomCluster } from '../../../../builders/random-cluster.ts';
import { randomOptions } from '../../../../builders/random-moves.ts';
import { roundCluster } from '../../../../builders/round-cluster.ts';
import { forSeedsAsync } from '../../../../builders/seeds.ts';
import { smallState } from '../../../../builders/small-cluster.ts';
import { limitedByWork } from '../../../../builders/work-limit.ts';

const CANDIDATES = 60_000;
const ROUNDING = 1e-6;

describe('the deep search', () => {
  const seen = { clusters: 0, better: 0 };

  it('makes plans that the checker accepts, never worse than greedy at any price, under every option', async () => {
    await forSeedsAsync(5, async (seed) => {
      const random = new Random(seed, 'deep');
      const snapshot = seed % 2 === 0 ? roundCluster(seed) : randomCluster(seed);
      const options = randomOptions(random);
      for (const nodes of nodesByGroup(snapshot)) {
        const state = new ClusterState(snapshot);
        const search = new StepSearch(state, nodes, options);
        const initialScore = search.scorer.score;
        if (!Number.isFinite(initialScore)) continue;
        const greedy = [...balanceSteps(state, nodes, options, search)];
        const migrations = random.chance(0.3) ? random.between(0, 5) : Number.POSITIVE_INFINITY;
        const { task, offer } = await searchDeep(
          snapshot,
          nodes,
          options,
          limitedByWork(seed, CANDIDATES, { caps: { ...NO_CAPS, migrations } }),
        );
        seen.clusters++;
        for (let k = 0; k <= greedy.length; k++) {
          const price = planPrice({ start: snapshot, steps: greedy.slice(0, k) }, options.rates);
          const score = k === 0 ? initialScore : greedy[k - 1]!.score;
          const best = pick(offer.curve, LOWEST, ({ total }) => total.price <= price + ROUNDING);
          expect(best.score).to.be.at.most(score + ROUNDING);
          if (best.score < score - ROUNDING) seen.better++;
        }
        for (const point of [offer.curve.at(-1)!, random.pick([...offer.curve])]) {
          const steps = stepsTo(task, offer, point);

          const finalScore = steps.at(-1)?.score ?? initialScore;
          expect(steps.length).to.equal(point.steps);
          expect(finalScore).to.be.closeTo(point.score, ROUNDING);
          const plan = {
            start: snapshot,
            nodes,
            limits: planLimitsOf(options),
            initialScore,
            finalScore,
            steps,
          };
          expect(checkPlan(plan)).to.deep.equal([]);
        }
      }
    });
  });

  it('was held against clusters on which it is better', () => {
    expect(seen.clusters).to.be.above(5);
    expect(seen.better).to.be.above(1);
  });

  it('gives the same answer for any number of threads when its work is limited', async () => {
    const snapshot = randomCluster(7, { fewestNodes: 6, mostNodes: 9, mostInstancesPerNode: 5 });
    const nodes = nodesByGroup(snapshot)[0]!;
    const search = (threads: number) =>
      searchDeep(
        snapshot,
        nodes,
        randomOptions(new Random(3, 'threads')),
        limitedByWork(5, CANDIDATES, { threads }),
      );
    const [one, two] = [await search(1), await search(2)];
    expect(two.offer).to.deep.equal(one.offer);
  });

  it('looks at no more than 100,000 candidates for each of few instances, and at four million for more', async () => {
    const candidatesFor = async (instances: number): Promise<number> => {
      const { snapshot } = smallState({
        nodes: [{}, {}, {}],
        instances: Array.from({ length: instances }, () => ({ memMib: 64 })),
      });
      const stop = Int32Array.of(1);
      const { problem } = await searchDeep(snapshot, [0, 1, 2], DEFAULT_BALANCE_OPTIONS, {
        ...limitedByWork(1, 0, { candidates: undefined, stop }),
      });
      return problem.lanes[0]!.candidates / problem.lanes[0]!.weight;
    };
    const [few, more, many] = [await candidatesFor(2), await candidatesFor(40), await candidatesFor(80)];
    expect(more / few).to.be.closeTo(20, 0.01);
    expect(many).to.equal(more);
  });
});
