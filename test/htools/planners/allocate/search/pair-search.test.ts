import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { PLAIN_SHAPE } from '../../../../../bench/generate/shape.ts';
import type { Snapshot } from '../../../../../src/htools/cluster/snapshot.ts';
import { Scorer } from '../../../../../src/htools/model/score/scorer.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { Allocator } from '../../../../../src/htools/planners/allocate/choose/allocator.ts';
import { RefusalTable } from '../../../../../src/htools/planners/allocate/choose/refusal-table.ts';
import { PairSearch } from '../../../../../src/htools/planners/allocate/search/pair-search.ts';
import { allocNodes } from '../../../../../src/htools/planners/allocate/solution.ts';
import { placeForGood } from '../../../../../src/htools/planners/allocate/tentative-placement.ts';
import { clusterOfShape, randomCluster } from '../../../../builders/random-cluster.ts';
import { forSeeds, halved } from '../../../../builders/seeds.ts';
import { instanceFrom, smallCluster } from '../../../../builders/small-cluster.ts';

describe('the search for the best pair', () => {
  it('finds the pair that looking at all of them finds', () => {
    const seen = { found: 0, none: 0, notApplicable: 0 };
    forSeeds(halved(150), (seed) => {
      const random = new Random(seed, 'pair search');
      const snapshot = randomCluster(seed);
      const memMib = random.pick([256, 1024, 8192, 65536]);
      const exclusionTags = random.pick([[], ['service:mail']]);
      const size = { memMib, primary: -1, secondary: -1, exclusionTags };
      const wanted = { ...instanceFrom(size, 0), name: 'new', index: -1 };
      const state = new ClusterState(snapshot, { toAdd: [wanted] });
      const nodes = [...snapshot.nodes.keys()];
      const targets = allocNodes(snapshot, 2, nodes);
      if (targets.kind !== 'pairs') return;
      const online = nodes.filter((n) => !state.isOffline[n]);
      const table = new RefusalTable(state, targets);
      const search = new PairSearch(new Scorer(state, nodes), table.nodes);
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
    expect(seen.found).to.be.above(halved(30));
    expect(seen.none).to.be.above(10);
    expect(seen.notApplicable).to.be.above(0);
  });

  it('finds the same while one instance after the other comes to groups that it keeps the bounds of', () => {
    forSeeds(halved(12), (seed) => {
      const shape = { ...PLAIN_SHAPE, seed, groupCount: 6, nodesPerGroup: 8, instancesPerNode: 3 };
      followed(clusterOfShape({ ...shape, memoryFill: 0.4 }), 25);
      const located = { locationCount: 1 + (seed % 4), desiredLocationShare: 0.5, exclusionTagShare: 0.5 };
      followed(clusterOfShape({ ...shape, ...located, memoryFill: 0.4 }), 25);
    });
  });

  it('finds the same among many equal nodes, of whose equal pairs it opens one', () => {
    forSeeds(halved(4), (seed) => {
      const random = new Random(seed, 'equal nodes');
      const NODES = 90;
      const racks = random.pick([0, 1, 3]);
      const inRacks = random.pick([0.9, 1]);
      const nodes = Array.from({ length: NODES }, () => ({
        totalMemMib: random.chance(0.8) ? 16_384 : 16_385,
        totalDiskMib: 200_000,
        tags: racks > 0 && random.chance(inRacks) ? [`rack:${random.below(racks)}`] : [],
      }));
      const instances = Array.from({ length: random.pick([0, 12, 90]) }, () => {
        const primary = random.below(NODES);
        const isAutoBalanced = random.chance(0.7);
        return {
          primary,
          secondary: (primary + random.between(1, NODES - 1)) % NODES,
          memMib: 512,
          isAutoBalanced,
        };
      });
      const placed = followed(smallCluster({ tags: ['htools:nlocation:rack'], nodes, instances }), 60);
      expect(placed).to.equal(60);
    });
  });

  it('finds the same where all pairs have a location in common', () => {
    const nodes = Array.from({ length: 12 }, (_, n) => ({
      totalMemMib: 16_384 + 1024 * (n % 5),
      totalDiskMib: 200_000 + 20_000 * (n % 3),
      tags: ['rack:a'],
    }));
    expect(followed(smallCluster({ tags: ['htools:nlocation:rack'], nodes }), 60)).to.equal(60);
  });

  it('finds the same among a few equal nodes, which become unlike', () => {
    for (let count = 3; count <= 8; count++) {
      const nodes = Array.from({ length: count }, () => ({ totalMemMib: 16_384, totalDiskMib: 200_000 }));
      expect(followed(smallCluster({ nodes }), 8 * count), `${count} nodes`).to.equal(8 * count);
    }
  });
});

describe('pairs whose secondary reserves for the primary, among equal nodes', () => {
  const NODES = 80;
  /** Each node has one instance of each size, with its secondary on the node so many places before. */
  const ring = (...sizes: readonly number[]): Snapshot =>
    smallCluster({
      nodes: Array.from({ length: NODES }, () => ({ totalMemMib: 32_768, totalDiskMib: 200_000 })),
      instances: sizes.flatMap((memMib, k) =>
        Array.from({ length: NODES }, (_, n) => ({
          primary: n,
          secondary: (n + NODES - 1 - k) % NODES,
          memMib,
        })),
      ),
    });

  it('are as good as others where more is reserved for another', () => {
    expect(followed(ring(256, 4096), 5)).to.equal(5);
  });

  it('do not stand for those that reserve nothing', () => {
    expect(followed(ring(4096), 5)).to.equal(5);
  });
});

/** Places instances one by one, each where looking at all pairs would. @returns how many found a place */
function followed(snapshot: Snapshot, most: number): number {
  const state = new ClusterState(snapshot);
  const nodes = [...snapshot.nodes.keys()];
  const scorer = new Scorer(state, nodes);
  const targets = allocNodes(snapshot, 2, nodes);
  if (targets.kind !== 'pairs') throw new Error('pairs were asked for');
  const table = new RefusalTable(state, targets);
  const search = new PairSearch(scorer, table.nodes);
  const allocator = new Allocator(state, nodes);
  const wanted = { ...instanceFrom({ memMib: 512, primary: -1, secondary: -1 }, 0), name: 'new', index: -1 };
  let changed = nodes;
  for (let count = 0; count < most; count++) {
    const i = state.addInstance(wanted);
    table.touch(changed);
    table.update(i);
    expect(search.update(i, changed, count === 0, table)).to.equal(true);
    const found = search.find(i, table);
    state.dropLastInstance();
    const { best } = allocator.allocate(wanted, targets, { ignoreSoftErrors: false });
    expect(found && [found.primary, found.secondary], `${count}`).to.deep.equal(
      best && [best.primary, best.secondary],
    );
    if (!found) return count;
    changed = [found.primary, found.secondary];
    placeForGood(state, wanted, found);
    allocator.refresh(changed);
    scorer.refresh(changed);
  }
  return most;
}
