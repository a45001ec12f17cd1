import { expect } from 'chai';
import { makeCluster } from '../../../../bench/generate/cluster.ts';
import { PLAIN_SHAPE } from '../../../../bench/generate/shape.ts';
import { clusterText } from '../../../../bench/generate/text.ts';
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import type { Snapshot } from '../../../../src/htools/cluster/snapshot.ts';
import { applyMove } from '../../../../src/htools/model/moves/apply.ts';
import { movedSnapshot } from '../../../../src/htools/model/state/moved-snapshot.ts';
import { groupScope } from '../../../../src/htools/model/state/scope.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import type { PlanStep } from '../../../../src/htools/plan/plan.ts';
import { planPrice } from '../../../../src/htools/plan/price.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../src/htools/planners/balance/options.ts';
import { kneeOf, pick } from '../../../../src/htools/planners/search/pick.ts';
import { stepsTo } from '../../../../src/htools/planners/search/plans.ts';
import { Prices } from '../../../../src/htools/planners/search/walk/prices.ts';
import { searchDeep } from '../../../../src/htools/programs/shared/balance/deep-search.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';
import { forSeedsAsync, inLongRun } from '../../../builders/seeds.ts';
import { limitedByWork } from '../../../builders/work-limit.ts';

const [CANDIDATES = 100_000] = inLongRun(300_000);

const priceOf = (start: Snapshot, steps: readonly PlanStep[]): number =>
  planPrice({ start, steps }, DEFAULT_BALANCE_OPTIONS.rates);

async function kneePlan(snapshot: Snapshot) {
  const { nodes } = groupScope(snapshot, 0);
  const found = await searchDeep(snapshot, nodes, DEFAULT_BALANCE_OPTIONS, limitedByWork(1, CANDIDATES));
  const { whole } = new Prices(found.problem.layout);
  const point = pick(found.offer.curve, kneeOf(whole));
  const steps = stepsTo(found.task, found.offer, point);
  return { steps, price: priceOf(snapshot, steps), point, curve: found.offer.curve };
}

function snapshotAfter(snapshot: Snapshot, steps: readonly PlanStep[]): Snapshot {
  const state = new ClusterState(snapshot);
  for (const { instance, kind, target } of steps) applyMove(state, instance, kind, target, false);
  return movedSnapshot(state);
}

/** Where instances are after steps, of those that these move. */
const endsOf = (steps: readonly PlanStep[]) =>
  new Map(steps.map((one) => [one.instance, [one.toPrimary, one.toSecondary].join()]));

describe('plans made anew', () => {
  it('find next to nothing worth its price where a plan has ended, and go on half way for what is left of it', async () => {
    const seen = { clusters: 0, restless: 0, steps: 0, price: 0, wayPrice: 0, turnedBack: 0 };
    await forSeedsAsync(1, async (seed) => {
      const shape = { ...PLAIN_SHAPE, seed, nodesPerGroup: 7, instancesPerNode: 8 };
      const { snapshot } = prepareSnapshot(parseText(clusterText(makeCluster(shape)), 'test'), {});
      const plan = await kneePlan(snapshot);
      const half = plan.steps.slice(0, Math.ceil(plan.steps.length / 2));
      const halfWay = snapshotAfter(snapshot, half);
      const rest = await kneePlan(halfWay);
      const ends = endsOf(rest.steps);
      const homes = snapshot.instances.map((one) => [one.primary, one.secondary].join());
      seen.steps += half.length;
      seen.price += plan.price;
      const again = await kneePlan(snapshotAfter(snapshot, plan.steps));
      seen.clusters++;
      if (again.price > 0.02 * plan.price) seen.restless++;
      seen.wayPrice += priceOf(snapshot, half) + rest.price;
      const turned = [...endsOf(half).keys()].filter((i) => ends.get(i) === homes[i]);
      seen.turnedBack += turned.length;
      if (turned.length === 0) return;
      // What is turned back pays, or nearly: where it has to stay, as low a score costs more or is not found.
      const held = halfWay.instances.map((one, i) =>
        turned.includes(i) ? { ...one, isMovable: false } : one,
      );
      const { curve } = await kneePlan({ ...halfWay, instances: held });
      const asLow = curve.find(({ score }) => score <= rest.point.score);
      expect(asLow?.total.price ?? Number.POSITIVE_INFINITY).to.be.above(0.9 * rest.point.total.price);
    });
    expect(seen.steps).to.be.above(5 * seen.clusters);
    expect(seen.restless).to.be.at.most(0.1 * seen.clusters);
    expect(seen.wayPrice).to.be.at.most(1.2 * seen.price);
    expect(seen.turnedBack).to.be.at.most(0.02 * seen.steps);
  });
});
