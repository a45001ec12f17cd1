import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { PLAIN_SHAPE } from '../../../../../bench/generate/shape.ts';
import { ScopeStatistics } from '../../../../../src/htools/model/score/incremental.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { allocNodes } from '../../../../../src/htools/planners/allocate/by-group/usable-nodes.ts';
import { Allocator } from '../../../../../src/htools/planners/allocate/choose/allocator.ts';
import { RefusalTable } from '../../../../../src/htools/planners/allocate/choose/refusal-table.ts';
import { PairSearch } from '../../../../../src/htools/planners/allocate/search/pair-search.ts';
import { clusterOfShape, randomCluster } from '../../../../builders/random-cluster.ts';
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
      const search = new PairSearch(new ScopeStatistics(state, nodes), table.nodes);
      const { best } = new Allocator(state, nodes).allocate(wanted, targets, { ignoreSoftErrors: false });
      const i = state.addInstance(wanted);
      table.update(i);
      if (!search.update(i, online, true, table)) {
        seen.notApplicable++;
        return;
      }
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

  it('finds the same while one instance after the other comes to groups that it keeps the bounds of', () => {
    forSeeds(12, (seed) => {
      const shape = { ...PLAIN_SHAPE, seed, groupCount: 6, nodesPerGroup: 8, instancesPerNode: 3 };
      const snapshot = clusterOfShape({ ...shape, memoryFill: 0.4 });
      const state = new ClusterState(snapshot);
      const nodes = [...snapshot.nodes.keys()];
      const statistics = new ScopeStatistics(state, nodes);
      const targets = allocNodes(snapshot, 2, { nodes });
      if (targets.kind !== 'pairs') throw new Error('pairs were asked for');
      const table = new RefusalTable(state, targets);
      const search = new PairSearch(statistics, table.nodes);
      const allocator = new Allocator(state, nodes);
      const wanted = {
        ...instanceFrom({ memMib: 512, primary: -1, secondary: -1 }, 0),
        name: 'new',
        index: -1,
      };
      let changed = nodes;
      for (let count = 0; count < 25; count++) {
        const i = state.addInstance(wanted);
        table.touch(changed);
        table.update(i);
        expect(search.update(i, changed, count === 0, table)).to.equal(true);
        const found = search.find(i, table);
        state.dropLastInstance();
        const { best } = allocator.allocate(wanted, targets, { ignoreSoftErrors: false });
        expect(found && [found.primary, found.secondary], `seed ${seed}, ${count}`).to.deep.equal(
          best && [best.primary, best.secondary],
        );
        if (!found) break;
        changed = [found.primary, found.secondary];
        allocator.commit(wanted, found);
        statistics.refresh(changed);
      }
    });
  });
});
