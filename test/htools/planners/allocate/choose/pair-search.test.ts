import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { ScopeStatistics } from '../../../../../src/htools/model/score/incremental.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { allocNodes } from '../../../../../src/htools/planners/allocate/by-group/usable-nodes.ts';
import { Allocator } from '../../../../../src/htools/planners/allocate/choose/allocator.ts';
import { PairSearch } from '../../../../../src/htools/planners/allocate/choose/pair-search.ts';
import { RefusalTable } from '../../../../../src/htools/planners/allocate/choose/refusal-table.ts';
import { randomCluster } from '../../../../builders/random-cluster.ts';
import { forSeeds } from '../../../../builders/seeds.ts';
import { instanceFrom } from '../../../../builders/small-cluster.ts';

describe('the search for the best pair', () => {
  it('finds the pair that looking at all of them finds', () => {
    const seen = { found: 0, none: 0, notApplicable: 0 };
    forSeeds(150, (seed) => {
      const random = new Random(seed, 'pair search');
      const snapshot = randomCluster(seed);
      const memMib = random.pick([256, 1024, 8192, 65536]);
      const wanted = { ...instanceFrom({ memMib, primary: -1, secondary: -1 }, 0), name: 'new', index: -1 };
      const state = new ClusterState(snapshot, { toAdd: [wanted] });
      const nodes = [...snapshot.nodes.keys()];
      const targets = allocNodes(snapshot, 2, { nodes });
      if (targets.kind !== 'pairs') return;
      const online = nodes.filter((n) => !state.isOffline[n]);
      const table = new RefusalTable(state, targets);
      const search = new PairSearch(new ScopeStatistics(state, nodes), table.nodes, online);
      const { best } = new Allocator(state, nodes).allocate(wanted, targets, { ignoreSoftErrors: false });
      if (!search.isApplicable) {
        seen.notApplicable++;
        return;
      }
      const i = state.addInstance(wanted);
      table.update(i, table.nodes);
      search.update(i, online);
      const found = search.find(i, table);
      expect(found && [found.primary, found.secondary], `seed ${seed}`).to.deep.equal(
        best && [best.primary, best.secondary],
      );
      if (found) seen.found++;
      else seen.none++;
    });
    expect(seen.found).to.be.above(30);
    expect(seen.none).to.be.above(10);
    expect(seen.notApplicable).to.be.above(0);
  });
});
