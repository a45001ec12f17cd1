import { expect } from 'chai';
import { makeCluster } from '../../../../bench/generate/cluster.ts';
import { PLAIN_SHAPE } from '../../../../bench/generate/shape.ts';
import { clusterText } from '../../../../bench/generate/text.ts';
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import { GroupParts } from '../../../../src/htools/model/state/group-parts.ts';
import { groupScope } from '../../../../src/htools/model/state/scope.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { planCost } from '../../../../src/htools/plan/cost.ts';
import type { PlanStep } from '../../../../src/htools/plan/plan.ts';
import { balanceSteps } from '../../../../src/htools/planners/balance/steps/balance.ts';
import { StepSearch } from '../../../../src/htools/planners/balance/steps/step-search.ts';
import { choosePlan } from '../../../../src/htools/programs/hbal/plan-search.ts';
import { balanceOptionsOf } from '../../../../src/htools/programs/shared/balance/balance-options.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';
import { parseFor } from '../../../builders/command-line.ts';
import { forSeedsAsync } from '../../../builders/seeds.ts';

describe('hbal -E with the deep search', () => {
  it('leaves no more behind than greedy steps, and copies no more for that', async () => {
    let emptied = 0;
    await forSeedsAsync(1, async (seed) => {
      const shape = {
        ...PLAIN_SHAPE,
        seed,
        nodesPerGroup: 6,
        instancesPerNode: 5,
        memoryFill: 0.6,
        manualShare: 0,
      };
      const read = prepareSnapshot(parseText(clusterText(makeCluster(shape)), 'test'), {}).snapshot;
      const { name } = read.nodes[1]!;
      const snapshot = {
        ...read,
        nodes: read.nodes.map((node) => (node.name === name ? { ...node, isOffline: true } : node)),
      };
      const { nodes } = groupScope(snapshot, 0);
      const parsed = parseFor('hbal', ['-E', '--search=deep', '--effort', '0.005', '--jobs', '1']);
      if (parsed.kind !== 'run') throw new Error('not parsed');
      const limits = balanceOptionsOf(parsed.options);
      const state = new ClusterState(snapshot);
      const greedy = [...balanceSteps(state, nodes, limits, new StepSearch(state, nodes, limits))];
      const { steps } = await choosePlan(new GroupParts(snapshot).of(0), limits, parsed.options);
      const leftAfter = (list: readonly PlanStep[]): number => {
        const places = snapshot.instances.map(({ primary, secondary }) => [primary, secondary]);
        for (const { instance, toPrimary, toSecondary } of list) places[instance] = [toPrimary, toSecondary];
        return places.filter((place) => place.includes(1)).length;
      };
      const copied = (list: readonly PlanStep[]): number =>
        planCost({ start: snapshot, steps: list }).copiedMib;
      expect(leftAfter(steps)).to.be.at.most(leftAfter(greedy));
      if (leftAfter(steps) === leftAfter(greedy)) expect(copied(steps)).to.be.at.most(copied(greedy));
      if (leftAfter(steps) === 0) emptied++;
    });
    expect(emptied).to.be.above(0);
  });
});
