import { expect } from 'chai';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import {
  allocationDelta,
  capacityStats,
} from '../../../../../src/htools/planners/allocate/fill/fill-stats.ts';
import { smallCluster, smallState } from '../../../../builders/small-cluster.ts';

describe('the capacity of a cluster', () => {
  const measured = () =>
    capacityStats(smallState({ nodes: [{}, {}, { isOffline: true }], instances: [{ vcpus: 2 }] }));

  it('is what all nodes have together, offline ones included', () => {
    const stats = measured();
    expect(stats).to.include({
      totalMemMib: 3 * 16384,
      totalDiskMib: 3 * 102400,
      totalCpus: 24,
      totalVcpus: 96,
    });
    expect(stats).to.include({ nodeMemMib: 3 * 1024, missingMemMib: 0, instances: 1 });
  });

  it('tells used, free and reserved apart', () => {
    const stats = measured();
    expect(stats).to.include({
      instanceMemMib: 1024,
      instanceDiskMib: 2 * 4096,
      instanceVcpus: 2,
      usedCpus: 0.5,
    });
    expect(stats.freeMemMib - stats.availableMemMib, 'reserved on the secondary').to.equal(1024);
    expect(stats).to.include({ largestMemMib: 15360, largestDiskMib: 102400 });
    expect(stats).to.include({ totalSpindles: 3, freeSpindles: 0, instanceSpindles: 3 });
    expect(stats.freeMemMib).to.equal(3 * 15360 - 1024);
    expect(stats.availableDiskMib).to.equal(stats.freeDiskMib);
  });

  it('leaves out the disk that must stay free', () => {
    const snapshot = smallCluster({ nodes: [{ minFreeDiskRatio: 0.25 }] });
    const { freeDiskMib, availableDiskMib } = capacityStats(new ClusterState(snapshot));
    expect([freeDiskMib, availableDiskMib]).to.deep.equal([102400, 76800]);
  });

  it('splits into what was used, what came and what is left', () => {
    const nodes = [{}, {}, { isOffline: true }];
    const first = { vcpus: 1, memMib: 512, diskMib: 1000 };
    const before = capacityStats(smallState({ nodes, instances: [first] }));
    const after = capacityStats(smallState({ nodes, instances: [first, { vcpus: 2 }] }));
    const { used, allocated, unavailable } = allocationDelta(before, after);
    expect(used).to.deep.equal({ vcpus: 1, cpus: 0.25, memMib: 512, diskMib: 2000, spindles: 3 });
    expect(allocated).to.deep.equal({ vcpus: 2, cpus: 0.5, memMib: 1024, diskMib: 8192, spindles: 0 });
    expect(unavailable).to.deep.equal({
      vcpus: 93,
      cpus: 23.25,
      memMib: 3 * 16384 - 1536,
      diskMib: 3 * 102400 - 10192,
      spindles: 0,
    });
  });
});
