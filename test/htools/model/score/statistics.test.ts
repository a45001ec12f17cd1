import { expect } from 'chai';
import { Random } from '../../../../bench/generate/random.ts';
import { rowWithPrimary } from '../../../../src/htools/model/moves/arrival-rows.ts';
import { addPrimary } from '../../../../src/htools/model/moves/transitions.ts';
import { ascendingPlaces } from '../../../../src/htools/model/score/ascending.ts';
import { METRIC_COUNT } from '../../../../src/htools/model/score/metrics.ts';
import { Scorer, scoreOf } from '../../../../src/htools/model/score/scorer.ts';
import { Statistics, updatedVariance } from '../../../../src/htools/model/score/statistics.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { nodesByGroup, randomCluster } from '../../../builders/random-cluster.ts';
import { forSeeds } from '../../../builders/seeds.ts';

/** Variance of numbers, from nothing. */
function varianceOf(values: readonly number[]): number {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  return values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length;
}

describe('updated statistics', () => {
  it('have the variance of the changed list', () => {
    const values = [3, 1, 4, 1, 5];
    const updated = updatedVariance(5, 14, varianceOf(values), 4, 9);
    expect(updated).to.be.closeTo(varianceOf([3, 1, 9, 1, 5]), 1e-12);
  });

  it('never have a negative variance, and none that is not a number', () => {
    expect(updatedVariance(2, 2, 0, 1, 1)).to.equal(0);
    expect(updatedVariance(2, 0.3, 1e-17, 0.1, 0.2)).to.be.at.least(0);
    expect(updatedVariance(2, Number.NaN, 1, 1, 2)).to.equal(0);
  });

  it('begin with the exact score of their nodes', () => {
    forSeeds(60, (seed) => {
      const state = new ClusterState(randomCluster(seed));
      for (const nodes of nodesByGroup(state.snapshot)) {
        if (nodes.every((n) => state.isOffline[n])) continue;
        const scorer = new Scorer(state, nodes);
        expect(scorer.now.score(scorer.crowding())).to.deep.equal(scoreOf(state, nodes));
      }
    });
  });

  it('stay within their tolerance of the exact score when an instance comes to a node', () => {
    forSeeds(80, (seed) => {
      const random = new Random(seed, 'incremental');
      const snapshot = randomCluster(seed);
      const state = new ClusterState(snapshot);
      const [nodes] = nodesByGroup(snapshot);
      const scorer = new Scorer(state, nodes!);
      if (snapshot.instances.length === 0 || scorer.isUndefined) return;
      const record = { ...random.pick(snapshot.instances), primary: -1, secondary: -1 };
      const i = state.addInstance(record);
      const node = random.pick(nodes!.filter((n) => !state.isOffline[n]));
      const rows = new Float64Array(state.nodeCount * METRIC_COUNT);
      rowWithPrimary(state, i, node, 0, rows, node * METRIC_COUNT);
      const trial = new Statistics(state);
      trial.copyFrom(scorer.now);
      trial.replace(true, scorer.rows, node * METRIC_COUNT, rows, node * METRIC_COUNT);
      const tolerance = scorer.tolerance([rows], [node]);
      addPrimary(state, i, node, 0);
      const exact = scoreOf(state, nodes!);
      expect(Math.abs(trial.score(scorer.crowding()) - exact)).to.be.at.most(tolerance);
    });
  });
});

describe('the order by score', () => {
  it('puts the last of equal scores first', () => {
    expect(ascendingPlaces([2, 1, 1, 3])).to.deep.equal([2, 1, 0, 3]);
  });

  it('leaves scores that are all no numbers in their order', () => {
    expect(ascendingPlaces([Number.NaN, Number.NaN, Number.NaN])).to.deep.equal([0, 1, 2]);
  });

  it('keeps every place when some scores are no numbers', () => {
    const order = ascendingPlaces([5, Number.NaN, 2, Number.NaN, 1]);
    expect([...order].sort((a, b) => a - b)).to.deep.equal([0, 1, 2, 3, 4]);
  });
});
