import { expect } from 'chai';
import { placeExactly } from '../../../../../src/htools/planners/groups/empty/exact-placement.ts';
import { SuperCluster } from '../../../../../src/htools/planners/groups/homes/super-cluster.ts';
import { smallCluster, times } from '../../../../builders/small-cluster.ts';
import { imageOf } from '../../../../builders/state-image.ts';

/**
 * Instances on shared storage to be placed on two nodes with as much memory, and a third that is always free.
 */
const clusterOf = (sizes: readonly number[], roomMib: number): SuperCluster =>
  new SuperCluster(
    smallCluster({
      groups: [{}, {}],
      nodes: [{ totalMemMib: 65536 }, ...times(3, () => ({ group: 1, totalMemMib: 1024 + roomMib + 1 }))],
      instances: sizes.map((memMib) => ({ diskTemplate: 'ext', memMib })),
    }),
  );

const all = (cluster: SuperCluster): number[] => [...cluster.snapshot.instances.keys()];

describe('placing a few instances exactly', () => {
  it('finds the one packing that there is', () => {
    // 3000 and 2000 on each of two nodes, so that the third can take over from either.
    const cluster = clusterOf([3000, 3000, 2000, 2000], 5000);
    const found = placeExactly(cluster, all(cluster), () => [1]);
    expect(found.relocations).to.have.lengthOf(4);
    expect(cluster.healthOf(1).state).to.equal('healthy');
  });

  it('proves that there is none, and leaves no trace', () => {
    const cluster = clusterOf([3000, 3000, 3000, 3000], 5000);
    const before = imageOf(cluster.state);
    expect(placeExactly(cluster, all(cluster), () => [1])).to.deep.equal({
      relocations: undefined,
      isProven: true,
    });
    expect(imageOf(cluster.state)).to.deep.equal(before);
  });

  it('does not call it a proof when its budget ends', () => {
    const cluster = clusterOf([3000, 3000, 3000, 3000], 5000);
    expect(placeExactly(cluster, all(cluster), () => [1], 2)).to.deep.equal({
      relocations: undefined,
      isProven: false,
    });
  });

  it('lets those go first that make room for the others', () => {
    const cluster = new SuperCluster(
      smallCluster({
        groups: [{}, {}],
        nodes: [{ isOffline: true }, { totalMemMib: 3072 }, ...times(2, () => ({ group: 1 }))],
        instances: [
          { memMib: 1500, status: 'ERROR_nodeoffline' },
          { memMib: 1000, diskTemplate: 'ext', primary: 1 },
        ],
      }),
    );
    const found = placeExactly(cluster, [0, 1], () => [1]);
    expect(found.relocations?.map(({ instance }) => instance)).to.deep.equal([1, 0]);
  });

  it('tries all orders where a stopped instance comes to a node that must first take a secondary', () => {
    const cluster = new SuperCluster(
      smallCluster({
        groups: [{}, {}],
        nodes: [
          ...times(2, () => ({ totalMemMib: 16384 })),
          { group: 1, totalMemMib: 5120 },
          { group: 1, totalMemMib: 5632 },
        ],
        instances: [{ memMib: 3072, status: 'ADMIN_down' }, { memMib: 1024 }],
      }),
    );
    const found = placeExactly(cluster, [0, 1], () => [1]);
    expect(found.relocations?.map(({ instance }) => instance)).to.deep.equal([1, 0]);
    expect(cluster.healthOf(1).state).to.equal('healthy');
  });
});
