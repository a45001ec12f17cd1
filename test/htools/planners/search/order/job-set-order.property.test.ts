import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { inJobSets, involvedNodes, jobSets } from '../../../../../src/htools/plan/jobs.ts';
import { balanceSteps } from '../../../../../src/htools/planners/balance/steps/balance.ts';
import { StepSearch } from '../../../../../src/htools/planners/balance/steps/step-search.ts';
import { nodesByGroup, randomCluster } from '../../../../builders/random-cluster.ts';
import { randomOptions } from '../../../../builders/random-moves.ts';
import { forSeeds } from '../../../../builders/seeds.ts';

describe('steps put into few job sets', () => {
  const seen = { reordered: 0, fewer: 0 };

  it('are the same steps, in no more sets, and those with a common node in the same order', () => {
    forSeeds(60, (seed) => {
      const snapshot = randomCluster(seed, { fewestNodes: 5, mostNodes: 12, mostInstancesPerNode: 4 });
      const random = new Random(seed, 'job-sets');
      const options = randomOptions(random);
      for (const nodes of nodesByGroup(snapshot)) {
        const state = new ClusterState(snapshot);
        const steps = [...balanceSteps(state, nodes, options, new StepSearch(state, nodes, options))];
        const ordered = inJobSets(snapshot, steps, random.between(1, 12));
        expect(steps.every((step) => ordered.includes(step))).to.equal(true);
        expect(ordered).to.have.length(steps.length);
        const before = jobSets(snapshot, steps).length;
        const after = jobSets(snapshot, ordered).length;
        expect(after).to.be.at.most(before);
        if (after < before) seen.fewer++;
        if (ordered.some((step, k) => step !== steps[k])) seen.reordered++;
        const withNode = (list: typeof steps, node: number) =>
          list.filter((step) => involvedNodes(snapshot, step).includes(node));
        for (const node of nodes) expect(withNode(ordered, node)).to.deep.equal(withNode(steps, node));
      }
    });
    expect(seen.reordered).to.be.above(5);
    expect(seen.fewer).to.be.above(1);
  });
});
