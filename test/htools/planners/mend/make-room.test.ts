import { expect } from 'chai';
import { DEFAULT_POLICY } from '../../../../src/htools/cluster/policy.ts';
import { ALLOWED } from '../../../../src/htools/cluster/refusal.ts';
import { applyMove } from '../../../../src/htools/model/moves/apply.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../src/htools/planners/balance/options.ts';
import { mend } from '../../../../src/htools/planners/mend/mend.ts';
import { smallCluster, times } from '../../../builders/small-cluster.ts';

const TAGGED = { tags: ['service:dns'], exclusionTags: ['service:dns'] };

/**
 * Two instances that exclude each other on one node, which has some spindles in use beyond its limit and so
 * takes nothing back; their secondaries are on nodes where another one with the tag has to stay. One of them
 * can leave only once others have left the node.
 */
const clusterOf = (beyond: number) =>
  smallCluster({
    tags: ['htools:iextags:service'],
    groups: [{ policy: { ...DEFAULT_POLICY, spindleRatio: 10 } }],
    nodes: times(6, () => ({ totalMemMib: 32768 })),
    instances: [
      { ...TAGGED, primary: 0, secondary: 1 },
      { ...TAGGED, primary: 0, secondary: 2 },
      { ...TAGGED, primary: 1, secondary: 3, isMovable: false },
      { ...TAGGED, primary: 2, secondary: 4, isMovable: false },
      ...times(8 + beyond, (k) => ({ primary: 3 + (k % 3), secondary: 0 })),
    ],
  });

describe('making room for a move that mends', () => {
  for (const beyond of [1, 2, 4])
    it(`takes off a node what is too much on it: ${beyond}`, () => {
      const snapshot = clusterOf(beyond);
      const state = new ClusterState(snapshot);
      const found = mend(state, [...snapshot.nodes.keys()], DEFAULT_BALANCE_OPTIONS, { tries: 1 });
      expect([found.before, found.after]).to.deep.equal([1, 0]);
      expect(found.moves).to.have.length(beyond + 1);
      expect(new Set(found.moves.map(({ instance }) => instance)).size).to.equal(beyond + 1);
      for (const { instance, kind, target } of found.moves)
        expect(applyMove(state, instance, kind, target, false)).to.equal(ALLOWED);
    });
});
