import { expect } from 'chai';
import { METRIC_TABLE } from '../../../../src/htools/cluster/metric-table.ts';
import { METRICS } from '../../../../src/htools/model/score/metrics.ts';
import { optimalScore, Scorer, scoreOf } from '../../../../src/htools/model/score/scorer.ts';
import { smallState, times } from '../../../builders/small-cluster.ts';

describe('the score', () => {
  it('is the sum of the metrics by their weights', () => {
    const state = smallState({
      nodes: [{}, {}, { isOffline: true }],
      instances: [{}, { primary: 2, secondary: 0 }],
    });
    const scorer = new Scorer(state, [0, 1, 2]);
    let expected = 0;
    for (const [m, { name }] of METRICS.entries()) expected += METRIC_TABLE[name].weight * scorer.values[m]!;
    expect(scorer.score).to.equal(expected);
    expect(scorer.score).to.be.above(16 + 4);
  });

  it('is zero where no node is online', () => {
    const state = smallState({ nodes: times(2, () => ({ isOffline: true })), instances: [{}] });
    const scorer = new Scorer(state, [0, 1]);
    expect(scorer.score).to.equal(0);
    expect(scorer.isEmpty).to.equal(true);
  });

  it('sees the given nodes only', () => {
    const state = smallState({
      groups: [{}, {}],
      nodes: [{}, {}, { group: 1 }, { group: 1 }],
      instances: [{ diskTemplate: 'plain' }],
    });
    expect(scoreOf(state, [0, 1])).to.be.above(1);
    expect(scoreOf(state, [2, 3])).to.equal(0);
  });

  it('adds up crowding over several groups, since a location may reach across them', () => {
    const tags = ['rack:1'];
    const state = smallState({
      tags: ['htools:nlocation:rack', 'htools:iextags:service'],
      groups: [{}, {}],
      nodes: [{ tags }, { tags, group: 1 }],
      instances: [0, 1].map((primary) => ({
        primary,
        diskTemplate: 'plain' as const,
        tags: ['service:web'],
      })),
    });
    const crowding = METRICS.findIndex(({ name }) => name === 'location_exclusion_score');
    expect(new Scorer(state, [0]).values[crowding]).to.equal(0);
    expect(new Scorer(state, [0, 1]).values[crowding]).to.equal(1);
  });
});

describe('the lower bound of the score', () => {
  it('is what the reservations weigh when the largest node is left out, less what they weigh with it', () => {
    const state = smallState({
      nodes: [{ totalMemMib: 32768 }, {}, {}],
      instances: [{ memMib: 2048 }, { memMib: 1024, primary: 1, secondary: 2 }],
    });
    expect(optimalScore(state, [0, 1, 2])).to.equal(0.25 * (3072 / 32768 - 3072 / 65536));
  });

  it('adds up all reservations of a node, not its largest alone', () => {
    const state = smallState({
      nodes: times(3, () => ({})),
      instances: [
        { primary: 0, secondary: 2 },
        { primary: 1, secondary: 2 },
      ],
    });
    expect(optimalScore(state, [0, 1, 2])).to.equal(0.25 * (2048 / 32768 - 2048 / 49152));
  });

  it('is zero for one node, and where only the largest has memory', () => {
    const state = smallState({ nodes: [{}, { totalMemMib: 0, nodeMemMib: 0 }], instances: [{}] });
    expect(optimalScore(state, [0])).to.equal(0);
    expect(optimalScore(state, [0, 1])).to.equal(0);
  });
});
