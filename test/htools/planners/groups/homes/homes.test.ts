import { expect } from 'chai';
import { findHome } from '../../../../../src/htools/planners/groups/homes/homes.ts';
import { STRATEGIES } from '../../../../../src/htools/planners/groups/homes/placements.ts';
import { SuperCluster } from '../../../../../src/htools/planners/groups/homes/super-cluster.ts';
import { refusalsIn } from '../../../../../src/htools/planners/groups/refusals/refusals.ts';
import { type ClusterSketch, smallCluster, times } from '../../../../builders/small-cluster.ts';
import { imageOf } from '../../../../builders/state-image.ts';

const OPTIONS = { strategy: 'standard', refreshesOld: true } as const;

/** Two nodes in the first group; the others as the test says. */
const clusterOf = ({ nodes, ...sketch }: ClusterSketch): SuperCluster =>
  new SuperCluster(smallCluster({ groups: [{}, {}, {}], nodes: [{}, {}, ...nodes], ...sketch }));

const inGroup = (group: number, count: number, totalMemMib = 16384) =>
  times(count, () => ({ group, totalMemMib }));

describe('a home in another group', () => {
  for (const strategy of STRATEGIES) {
    it(`is found by the strategy ${strategy}, and the group stays healthy`, () => {
      const cluster = clusterOf({ nodes: inGroup(1, 3), instances: [{}] });
      const found = findHome(cluster, 0, [1], { strategy, refreshesOld: true });
      expect(found.kind).to.equal('found');
      expect(cluster.healthOf(1).state).to.equal('healthy');
      expect(cluster.state.groupOf[cluster.state.primary[0]!]).to.equal(1);
    });
  }

  it('is in a group of last resort only where no preferred one has room', () => {
    const groups = [{}, { allocPolicy: 'last_resort' }, {}] as const;
    const home = (room: number) => {
      const nodes = [...inGroup(1, 2), ...inGroup(2, 2, room)];
      const found = findHome(
        clusterOf({ groups, nodes, instances: [{ diskTemplate: 'ext' }] }),
        0,
        [1, 2],
        OPTIONS,
      );
      return found.kind === 'found' ? found.relocation.to.group : undefined;
    };
    expect([home(16384), home(1500)]).to.deep.equal([2, 1]);
  });

  it('is found behind hundreds of pairs that no way leads to, as tags forbid to migrate there', () => {
    const old = { tags: ['cpu:old'] };
    const cluster = new SuperCluster(
      smallCluster({
        tags: ['old::cpu:mid', 'mid::cpu:new']
          .map((pair) => `htools:allowmigration:cpu:${pair}`)
          .concat('htools:migration:cpu'),
        groups: [{}, {}],
        nodes: [
          old,
          old,
          ...inGroup(1, 24).map((node) => ({ ...node, tags: ['cpu:new'] })),
          { group: 1, totalMemMib: 65_536, tags: ['cpu:mid'] },
        ],
        instances: [{}],
      }),
    );
    const found = findHome(cluster, 0, [1], { ...OPTIONS, strategy: 'tight' });
    expect(found.relocation?.to).to.deep.equal({ group: 1, primary: 2, secondary: 26 });
  });

  it('is said to be none for good only where everything was tried', () => {
    const cluster = clusterOf({ nodes: inGroup(1, 2, 1500), instances: [{ diskTemplate: 'ext' }] });
    const before = imageOf(cluster.state);
    expect(findHome(cluster, 0, [1], OPTIONS)).to.deep.equal({ kind: 'none', isProven: true });
    expect(imageOf(cluster.state)).to.deep.equal(before);
    expect(refusalsIn(cluster, 0, 1)).to.deep.equal([
      { group: 1, rule: 'memory', needed: 1024, available: 475, unit: 'MiB', nodes: 2 },
    ]);
  });

  it('takes memory that a failing peer would need, as that one fails anyway, but none that a healthy one would', () => {
    const primaryOf = (memMib: number) => {
      const cluster = clusterOf({
        nodes: [...inGroup(1, 1, 16384), ...inGroup(1, 1, 5000)],
        instances: [
          { diskTemplate: 'ext', memMib: 2000 },
          { primary: 2, secondary: 3, memMib: 3000, isAutoBalanced: false },
          { diskTemplate: 'ext', primary: 2, memMib },
        ],
      });
      return findHome(cluster, 0, [1], { strategy: 'tight' }).relocation?.to.primary;
    };
    expect([primaryOf(500), primaryOf(4000)]).to.deep.equal([undefined, 3]);
  });

  it('leaves no node unable to fail, and says so', () => {
    const resident = { diskTemplate: 'ext', primary: 2, memMib: 4000 } as const;
    const cluster = clusterOf({
      nodes: inGroup(1, 2, 6000),
      instances: [{ diskTemplate: 'ext', memMib: 1000 }, resident],
    });
    expect(cluster.healthOf(1).state).to.equal('healthy');
    expect(findHome(cluster, 0, [1], OPTIONS)).to.deep.equal({ kind: 'none', isProven: true });
    expect(refusalsIn(cluster, 0, 1).map(({ rule }) => rule)).to.include('restart');
  });

  it('is found behind a hundred, each of which would leave a node unable to fail', () => {
    // Two nodes each with a pool of their own, and just the room to take over from one another.
    const pairs = times(100, (k) => ({
      group: 1,
      totalMemMib: 8192,
      storagePools: ['external/all', `external/p${Math.floor(k / 2)}`],
    }));
    const small = { group: 1, totalMemMib: 2200, storagePools: ['external/all'] };
    const cluster = clusterOf({
      nodes: [...pairs, small],
      instances: [
        { diskTemplate: 'ext', memMib: 500, storagePool: 'external/all' },
        ...times(100, (k) => ({
          diskTemplate: 'ext' as const,
          primary: 2 + k,
          memMib: 3500,
          storagePool: `external/p${Math.floor(k / 2)}`,
        })),
      ],
    });
    const found = findHome(cluster, 0, [1], { strategy: 'first', refreshesOld: true });
    expect(found.kind === 'found' && found.relocation.to.primary).to.equal(102);
  });

  it('waits where the nodes that are left have no room for any way', () => {
    const cluster = new SuperCluster(
      smallCluster({
        groups: [{}, {}],
        nodes: [{ totalMemMib: 3072 }, { totalMemMib: 3072 }, ...inGroup(1, 2)],
        instances: [{ memMib: 2048 }],
      }),
    );
    expect(findHome(cluster, 0, [1], OPTIONS)).to.deep.equal({ kind: 'blocked' });
  });

  it('for DRBD takes two nodes, and says when there is one', () => {
    const cluster = clusterOf({ nodes: inGroup(1, 1), instances: [{}] });
    expect(findHome(cluster, 0, [1], OPTIONS).kind).to.equal('none');
    expect(refusalsIn(cluster, 0, 1)).to.deep.equal([{ group: 1, rule: 'partner' }]);
  });
});
