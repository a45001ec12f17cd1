import { expect } from 'chai';
import { DEFAULT_POLICY } from '../../../../../src/htools/cluster/policy.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import {
  DedicatedAllocator,
  isDedicated,
  isLessLost,
} from '../../../../../src/htools/planners/allocate/choose/dedicated.ts';
import { instanceFrom, smallCluster } from '../../../../builders/small-cluster.ts';

const min = { memoryMib: 1024, cpuCount: 1, diskMib: 10240, diskCount: 1, nicCount: 0, spindleUse: 1 };
const max = { ...min, memoryMib: 8192, cpuCount: 8, diskMib: 102400 };
const policy = { ...DEFAULT_POLICY, ranges: [{ min, max }] };
const wanted = () => ({
  ...instanceFrom({ memMib: 1024, diskMib: 10240, disks: [{ sizeMib: 10240, spindles: 1 }] }, 0),
  primary: -1,
  secondary: -1,
});
const exclusive = { hasExclusiveStorage: true, spindles: 10, freeSpindles: 10 };

describe('a dedicated cluster', () => {
  it('is one whose nodes hand out whole spindles, those of groups that take nothing apart', () => {
    const nodes = [exclusive, { ...exclusive, group: 1 }, { group: 2 }];
    const groups = [{}, {}, { allocPolicy: 'unallocable' as const }];
    const snapshot = smallCluster({ groups, nodes });
    expect(isDedicated(snapshot, undefined)).to.equal(true);
    expect(isDedicated(snapshot, 'group1')).to.equal(true);
    expect(isDedicated(snapshot, 'group3')).to.equal(false);
  });

  it('compares losses size by size, and only then the disk that is left', () => {
    const loss = (lost: number[], freeDiskMib: number) => ({ lost, freeDiskMib });
    expect(isLessLost(loss([1, 5], 9), loss([2, 0], 0))).to.equal(true);
    expect(isLessLost(loss([1, 0], 9), loss([1, 0], 10))).to.equal(true);
    expect(isLessLost(loss([1, 0], 10), loss([1, 0], 10))).to.equal(false);
  });

  it('places an instance where it costs the fewest of the smallest instances', () => {
    // The first node is short of memory, so that the disk it loses would have been of no use.
    const snapshot = smallCluster({
      groups: [{ policy }],
      nodes: [{ ...exclusive, totalMemMib: 6144 }, exclusive],
    });
    const state = new ClusterState(snapshot);
    const disks = [{ sizeMib: 40960, spindles: 1 }];
    const wanted = {
      ...instanceFrom({ diskTemplate: 'plain', memMib: 1024, diskMib: 40960, disks }, 0),
      primary: -1,
    };
    const solution = new DedicatedAllocator(state).allocate(
      wanted,
      { kind: 'singles', nodes: [0, 1] },
      { ignoreSoftErrors: false },
    );
    expect(solution.successes).to.equal(2);
    expect(solution.best).to.deep.equal({
      primary: 0,
      secondary: -1,
      metric: { lost: [1], freeDiskMib: 102400 - 40960 },
    });
  });

  it('places a mirrored instance where both nodes together lose the least, by the rules of both', () => {
    // The second is short of memory, so that what it loses would have been of no use.
    const snapshot = smallCluster({
      groups: [{ policy }],
      nodes: [exclusive, { ...exclusive, totalMemMib: 6144 }, exclusive, { ...exclusive, freeDiskMib: 0 }],
    });
    const disks = [{ sizeMib: 40960, spindles: 1 }];
    const wanted = {
      ...instanceFrom({ memMib: 1024, diskMib: 40960, disks }, 0),
      primary: -1,
      secondary: -1,
    };
    const { best, successes } = new DedicatedAllocator(new ClusterState(snapshot)).allocate(
      wanted,
      { kind: 'pairs', pairs: [{ primary: 0, secondaries: [1, 2, 3] }] },
      { ignoreSoftErrors: false },
    );
    expect(successes).to.equal(2);
    expect(best!.secondary).to.equal(1);
  });

  it('counts what the secondary reserves for the primary already', () => {
    // Node 2 has 6,144 MiB, of which it reserves 2,048 for node 1: for node 0 that is enough, for node 1 not.
    const snapshot = smallCluster({
      groups: [{ policy }],
      nodes: [exclusive, exclusive, { ...exclusive, totalMemMib: 6144 }],
      instances: [{ primary: 1, secondary: 2, memMib: 2048, diskMib: 10240 }],
    });
    const { best, successes } = new DedicatedAllocator(new ClusterState(snapshot)).allocate(
      wanted(),
      {
        kind: 'pairs',
        pairs: [
          { primary: 0, secondaries: [2] },
          { primary: 1, secondaries: [2] },
        ],
      },
      { ignoreSoftErrors: false },
    );
    expect(successes).to.equal(2);
    expect(best!.primary).to.equal(0);
  });

  it('looks once at what a node loses as a secondary, not once for each primary', () => {
    const nodes = Array.from({ length: 12 }, () => exclusive);
    const state = new ClusterState(smallCluster({ groups: [{ policy }], nodes }));
    let trials = 0;
    const { addInstance } = state;
    state.addInstance = (instance) => {
      trials++;
      return addInstance.call(state, instance);
    };
    const all = nodes.map((_, n) => n);
    const pairs = all.map((primary) => ({ primary, secondaries: all.filter((n) => n !== primary) }));
    const options = { ignoreSoftErrors: false };
    const { successes } = new DedicatedAllocator(state).allocate(wanted(), { kind: 'pairs', pairs }, options);
    expect(successes).to.equal(12 * 11);
    // Each node, as primary and as secondary, before and after; and the instance itself.
    expect(trials).to.equal(12 * 2 * 2 + 1);
  });
});
