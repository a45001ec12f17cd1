import { expect } from 'chai';
import { ClusterState } from '../../../../src/model/state/state.ts';
import { allocationDelta, capacityStats } from '../../../../src/planners/allocate/fill/fill-stats.ts';
import { smallCluster, smallState } from '../../../builders/small-cluster.ts';

describe('the capacity of a cluster', () => {
  const state = smallState({ nodes: [{}, {}, { isOffline: true }], instances: [{ vcpus: 2 }] });
  const stats = capacityStats(state);

  it('is what all nodes have together, offline ones included', () => {
    expect(stats).to.include({
      totalMemMib: 3 * 16384,
      totalDiskMib: 3 * 102400,
      totalCpus: 24,
      totalVcpus: 96,
    });
    expect(stats).to.include({ nodeMemMib: 3 * 1024, missingMemMib: 0, instances: 1 });
  });

  it('tells used, free and reserved apart', () => {
    expect(stats).to.include({
      instanceMemMib: 1024,
      instanceDiskMib: 2 * 4096,
      instanceVcpus: 2,
      usedCpus: 0.5,
    });
    expect(stats.freeMemMib - stats.availableMemMib, 'reserved on the secondary').to.equal(1024);
    expect(stats).to.include({ largestMemMib: 15360, largestDiskMib: 102400 });
  });

  it('leaves out the disk that must stay free', () => {
    const snapshot = smallCluster({ nodes: [{ minFreeDiskRatio: 0.25 }] });
    const { freeDiskMib, availableDiskMib } = capacityStats(new ClusterState(snapshot));
    expect([freeDiskMib, availableDiskMib]).to.deep.equal([102400, 76800]);
  });

  it('splits into what was used, what came and what is left', () => {
    const before = capacityStats(smallState({ nodes: [{}, {}, { isOffline: true }] }));
    const { used, allocated, unavailable } = allocationDelta(before, stats);
    expect(used).to.deep.equal({ vcpus: 0, cpus: 0, memMib: 0, diskMib: 0, spindles: 3 });
    expect(allocated).to.deep.equal({ vcpus: 2, cpus: 0.5, memMib: 1024, diskMib: 8192, spindles: 0 });
    expect(unavailable).to.deep.equal({
      vcpus: 94,
      cpus: 23.5,
      memMib: 3 * 16384 - 1024,
      diskMib: 3 * 102400 - 8192,
      spindles: 0,
    });
  });
});
