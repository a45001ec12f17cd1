import { expect } from 'chai';
import type { Snapshot } from '../../../../src/htools/cluster/snapshot.ts';
import { FAILOVER } from '../../../../src/htools/model/moves/kinds.ts';
import { Scorer } from '../../../../src/htools/model/score/scorer.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { buildReplica } from '../../../../src/htools/plan/checker/built-replica.ts';
import { FullScore } from '../../../../src/htools/plan/checker/full-score.ts';
import { replayMove } from '../../../../src/htools/plan/checker/replay-step.ts';
import { nodesByGroup, randomCluster } from '../../../builders/random-cluster.ts';
import { forSeeds } from '../../../builders/seeds.ts';
import { smallCluster } from '../../../builders/small-cluster.ts';

const scoreOfAll = (start: Snapshot): number => {
  const { nodes } = buildReplica(start);
  return new FullScore(nodes, [...nodes.keys()], start.weights).score();
};

describe("the checker's score", () => {
  it('leaves nodes without storage of their own out of the metrics of disks, even where a single node has any', () => {
    const start = smallCluster({
      nodes: [{ storagePools: ['internal/lvm'] }, { storagePools: ['external/nas'], totalDiskMib: 1000 }],
      instances: [{ diskTemplate: 'plain' }],
    });
    expect(scoreOfAll(start)).to.be.closeTo(new Scorer(new ClusterState(start), [0, 1]).score, 1e-9);
  });

  it("is the model's, in each group of every kind of cluster", () => {
    forSeeds(60, (seed) => {
      const start = randomCluster(seed);
      const replica = buildReplica(start);
      const state = new ClusterState(start);
      for (const group of nodesByGroup(start)) {
        const score = new FullScore(replica.nodes, group, start.weights).score();
        const expected = new Scorer(state, group).score;
        if (Number.isNaN(expected)) expect(score, `seed ${seed}`).to.be.NaN;
        else expect(score, `seed ${seed}`).to.be.closeTo(expected, 1e-6 * Math.max(1, expected));
      }
    });
  });

  it('is, after moves, that of counting all anew', () => {
    forSeeds(250, (seed) => {
      const start = randomCluster(seed);
      const all = [...start.nodes.keys()];
      const replica = buildReplica(start);
      const score = new FullScore(replica.nodes, all, start.weights);
      start.instances.forEach(({ primary, secondary }, i) => {
        if (primary < 0 || secondary < 0) return;
        replayMove(replica, i, FAILOVER, -1, true);
        score.refresh([primary, secondary, secondary, primary]);
      });
      const anew = new FullScore(replica.nodes, all, start.weights).score();
      if (Number.isNaN(anew)) expect(score.score(), `seed ${seed}`).to.be.NaN;
      else expect(score.score(), `seed ${seed}`).to.be.closeTo(anew, 1e-9 * Math.max(1, anew));
    });
  });
});
