import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import type { Instance, Snapshot } from '../../../../../src/htools/cluster/snapshot.ts';
import { requiredNodes } from '../../../../../src/htools/cluster/templates.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { Allocator } from '../../../../../src/htools/planners/allocate/choose/allocator.ts';
import { type AllocNodes, allocNodes } from '../../../../../src/htools/planners/allocate/solution.ts';
import { placeForGood } from '../../../../../src/htools/planners/allocate/tentative-placement.ts';
import { randomCluster } from '../../../../builders/random-cluster.ts';
import { forSeeds } from '../../../../builders/seeds.ts';
import { instanceFrom, smallCluster, times } from '../../../../builders/small-cluster.ts';
import { imageOf } from '../../../../builders/state-image.ts';
import { allocateByTheBook } from '../by-the-book.ts';

const allOf = (snapshot: Snapshot): number[] => [...snapshot.nodes.keys()];

/** Something to place: like one of the cluster's own, smaller or larger, with the same tags. */
function wantedInstance(snapshot: Snapshot, random: Random): Instance {
  const model = snapshot.instances.length > 0 ? random.pick(snapshot.instances) : instanceFrom({}, 0);
  const factor = random.pick([0.3, 1, 2]);
  const memMib = Math.max(1, Math.round(model.memMib * factor));
  const isForthcoming = random.chance(0.2);
  return { ...model, index: -1, name: 'new', memMib, primary: -1, secondary: -1, isForthcoming };
}

describe('an allocator', () => {
  it('chooses and counts as trying every candidate by the book does, and changes nothing', () => {
    const seen = { pairs: 0, singles: 0 };
    forSeeds(150, (seed) => {
      const random = new Random(seed, 'allocate');
      const snapshot = randomCluster(seed);
      const wanted = wantedInstance(snapshot, random);
      const state = new ClusterState(snapshot, { toAdd: [wanted] });
      const nodes = allOf(snapshot);
      const candidates = allocNodes(snapshot, requiredNodes(wanted.diskTemplate), nodes);
      if (candidates.kind !== 'pairs' && candidates.kind !== 'singles') return;
      const ignoreSoftErrors = random.chance(0.3);
      const before = imageOf(state);
      const solution = new Allocator(state, nodes).allocate(wanted, candidates, { ignoreSoftErrors });
      expect(imageOf(state)).to.deep.equal(before);
      // Of pools without room the book knows nothing; that has a property of its own.
      if (solution.pool) return;
      const i = state.addInstance(wanted);
      expect(solution).to.deep.equal(allocateByTheBook(state, i, nodes, candidates, ignoreSoftErrors));
      if (solution.best) seen[candidates.kind]++;
    });
    expect(seen.pairs, 'pairs found').to.be.greaterThan(10);
    expect(seen.singles, 'single nodes found').to.be.greaterThan(10);
  });

  it('knows what was placed when it is told and asked again', () => {
    forSeeds(30, (seed) => {
      const random = new Random(seed, 'again');
      const snapshot = randomCluster(seed);
      const wanted = wantedInstance(snapshot, random);
      const state = new ClusterState(snapshot, { toAdd: [wanted, wanted, wanted] });
      const nodes = allOf(snapshot);
      const candidates = allocNodes(snapshot, requiredNodes(wanted.diskTemplate), nodes);
      if (candidates.kind !== 'pairs' && candidates.kind !== 'singles') return;
      const allocator = new Allocator(state, nodes);
      for (let k = 0; k < 3; k++) {
        const solution = allocator.allocate(wanted, candidates, { ignoreSoftErrors: false });
        const fresh = new Allocator(state, nodes).allocate(wanted, candidates, { ignoreSoftErrors: false });
        expect(solution).to.deep.equal(fresh);
        if (!solution.best) return;
        const { primary, secondary } = solution.best;
        placeForGood(state, wanted, solution.best);
        allocator.refresh(secondary < 0 ? [primary] : [primary, secondary]);
      }
    });
  });

  it('takes the last of equal pairs on an empty cluster of equal nodes', () => {
    const snapshot = smallCluster({ nodes: times(12, () => ({ group: 0 })) });
    const state = new ClusterState(snapshot);
    const nodes = allOf(snapshot);
    const candidates = allocNodes(snapshot, 2, nodes) as AllocNodes;
    const wanted = { ...instanceFrom({}, 0), primary: -1, secondary: -1 };
    const { best, successes } = new Allocator(state, nodes).allocate(wanted, candidates, {
      ignoreSoftErrors: false,
    });
    expect(successes).to.equal(12 * 11);
    expect([best!.primary, best!.secondary]).to.deep.equal([11, 10]);
  });

  it('tells every refusal and every score to who listens, and decides the same', () => {
    forSeeds(40, (seed) => {
      const random = new Random(seed, 'listen');
      const snapshot = randomCluster(seed);
      const wanted = wantedInstance(snapshot, random);
      const state = new ClusterState(snapshot, { toAdd: [wanted] });
      const nodes = allOf(snapshot);
      const candidates = allocNodes(snapshot, requiredNodes(wanted.diskTemplate), nodes);
      if (candidates.kind !== 'pairs' && candidates.kind !== 'singles') return;
      const allocator = new Allocator(state, nodes);
      let refused = 0;
      let scored = 0;
      const told = allocator.allocate(wanted, candidates, {
        ignoreSoftErrors: false,
        trace: {
          refused: ({ count }) => {
            refused += count;
          },
          scored: () => {
            scored++;
          },
        },
      });
      expect(told).to.deep.equal(allocator.allocate(wanted, candidates, { ignoreSoftErrors: false }));
      expect(scored).to.equal(told.successes);
      expect(refused).to.equal(told.refusals.reduce((sum, count) => sum + count, 0));
    });
  });
});

describe('the nodes to try', () => {
  const snapshot = smallCluster({
    groups: [{}, {}, { allocPolicy: 'unallocable' }],
    nodes: [{}, { isOffline: true }, {}, { group: 1 }, { group: 2 }, { group: 2 }],
  });
  const nodes = allOf(snapshot);

  it('are the online ones, paired within their groups', () => {
    expect(allocNodes(snapshot, 1, nodes)).to.deep.equal({ kind: 'singles', nodes: [0, 2, 3, 4, 5] });
    const pairs = [
      { primary: 0, secondaries: [2] },
      { primary: 2, secondaries: [0] },
      { primary: 4, secondaries: [5] },
      { primary: 5, secondaries: [4] },
    ];
    expect(allocNodes(snapshot, 2, nodes)).to.deep.equal({ kind: 'pairs', pairs });
  });

  it('leave out what a restriction does not name', () => {
    expect(allocNodes(snapshot, 1, nodes, ['node1', 'nobody'])).to.deep.equal({
      kind: 'singles',
      nodes: [0],
    });
  });

  it('are none where there is nothing to choose from', () => {
    expect(allocNodes(snapshot, 2, [0])).to.deep.equal({ kind: 'not-enough-online-nodes' });
    expect(allocNodes(snapshot, 1, [1])).to.deep.equal({ kind: 'no-online-nodes' });
    expect(allocNodes(snapshot, 3, nodes)).to.deep.equal({ kind: 'unsupported-node-count' });
  });
});
