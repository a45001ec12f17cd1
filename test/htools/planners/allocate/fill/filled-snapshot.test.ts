import { expect } from 'chai';
import { withNodeLike } from '../../../../../src/htools/planners/allocate/fill/filled-snapshot.ts';
import { smallCluster } from '../../../../builders/small-cluster.ts';

describe('one more node like another', () => {
  it('is empty, of the same make and group, and not the master', () => {
    const snapshot = smallCluster({
      groups: [{}, {}],
      nodes: [{}, { group: 1, totalMemMib: 65536, totalDiskMib: 500_000 }],
      instances: [{ primary: 0, secondary: 1, diskMib: 1000, memMib: 2048 }],
    });
    const { nodes } = withNodeLike(snapshot, 0);
    expect(nodes).to.have.lengthOf(3);
    const [master, , added] = nodes;
    expect(master!.isMaster).to.equal(true);
    expect(added).to.deep.include({
      index: 2,
      group: 0,
      isMaster: false,
      totalMemMib: master!.totalMemMib,
      freeMemMib: master!.totalMemMib - master!.nodeMemMib,
      freeDiskMib: master!.totalDiskMib,
    });
    expect(master!.freeDiskMib).to.be.below(master!.totalDiskMib);
    const { nodes: others } = withNodeLike(snapshot, 1);
    expect(others[2]).to.include({ group: 1, totalMemMib: 65536, freeDiskMib: 500_000 });
  });
});
