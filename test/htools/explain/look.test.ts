import { expect } from 'chai';
import { Look } from '../../../src/htools/explain/look.ts';
import { groupScope } from '../../../src/htools/model/state/scope.ts';
import { ClusterState } from '../../../src/htools/model/state/state.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../src/htools/planners/balance/options.ts';
import { forSeeds } from '../../builders/seeds.ts';
import { randomSuperCluster } from '../../builders/super-cluster.ts';

describe('what would lift a refusal', () => {
  it('is looked for on the nodes of the move and what is on them, also where nodes list their pools', () => {
    const seen = { refused: 0, records: 0, all: 0 };
    forSeeds(10, (seed) => {
      const size = { groupCount: 6, nodesPerGroup: 5, poolCount: 3 };
      const snapshot = randomSuperCluster(seed, { groups: [6, 6], nodes: [5, 5] }, size);
      const state = new ClusterState(snapshot);
      expect(state.storage?.isBinding).to.equal(true);
      const { instanceRecord } = state;
      state.instanceRecord = (i) => {
        seen.records++;
        return instanceRecord.call(state, i);
      };
      const look = new Look(state, groupScope(snapshot, 0).nodes, DEFAULT_BALANCE_OPTIONS);
      const refused = look.refusedBelow(Number.POSITIVE_INFINITY).length;
      seen.refused += refused;
      seen.all += refused * snapshot.instances.length;
    });
    expect(seen.refused).to.be.above(20);
    expect(seen.records).to.be.below(seen.all / 4);
  });
});
