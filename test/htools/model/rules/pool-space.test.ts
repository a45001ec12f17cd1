import { expect } from 'chai';
import { ALLOWED, FAIL_DISK } from '../../../../src/htools/cluster/refusal.ts';
import type { Instance } from '../../../../src/htools/cluster/snapshot.ts';
import { describeStorage } from '../../../../src/htools/cluster/storage/storage.ts';
import { placeInstance } from '../../../../src/htools/model/moves/apply.ts';
import { explainPoolSpace, poolSpaceRefusal } from '../../../../src/htools/model/rules/pool-space.ts';
import { movedSnapshot } from '../../../../src/htools/model/state/moved-snapshot.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { aCluster } from '../../plan/cluster-builder.ts';

const snapshot = aCluster({
  tags: ['htools:poolsize:external/nas:1000'],
  nodes: [{ storagePools: ['external/nas', 'internal/lvm'] }, { storagePools: ['external/san'] }],
  instances: [
    { diskTemplate: 'ext', storagePool: 'external/nas', diskMib: 400 },
    { diskTemplate: 'ext', storagePool: 'external/san', diskMib: 400, primary: 1 },
    { diskTemplate: 'diskless', diskMib: 0 },
    { diskTemplate: 'plain', diskMib: 400 },
  ],
});

describe('access to a storage pool', () => {
  const state = new ClusterState(snapshot);

  it('is asked of the instance and the node', () => {
    expect([0, 1].map((node) => state.reaches(0, node))).to.deep.equal([true, false]);
    expect([0, 1].map((node) => state.reaches(1, node))).to.deep.equal([false, true]);
  });

  it('is no matter for an instance without disks', () => {
    expect([0, 1].map((node) => state.reaches(2, node))).to.deep.equal([true, true]);
  });
});

describe('space in a storage pool', () => {
  const wanted = { ...snapshot.instances[0]!, name: 'new', primary: -1, secondary: -1 };
  /** A state with one more instance that is on no node yet. */
  const asking = (change: Partial<Instance>) => {
    const state = new ClusterState(snapshot);
    return { state, i: state.addInstance({ ...wanted, ...change }) };
  };
  const refusalOf = (change: Partial<Instance>): number => {
    const { state, i } = asking(change);
    return poolSpaceRefusal(state, i);
  };

  it('may be filled to the last MiB and no further', () => {
    expect(refusalOf({ diskMib: 600 })).to.equal(ALLOWED);
    expect(refusalOf({ diskMib: 601 })).to.equal(FAIL_DISK);
    const { state, i } = asking({ diskMib: 601 });
    expect(explainPoolSpace(state, i)).to.include({ pool: 'external/nas', needed: 601, available: 600 });
  });

  it('is taken by instances that came to a node, and given back with them', () => {
    const { state, i } = asking({ diskMib: 500 });
    const mark = state.journal.mark();
    expect(placeInstance(state, i, 0, -1, false)).to.equal(ALLOWED);
    const next = state.addInstance({ ...wanted, diskMib: 101 });
    expect(poolSpaceRefusal(state, next)).to.equal(FAIL_DISK);
    state.journal.rollback(mark);
    expect(poolSpaceRefusal(state, next)).to.equal(ALLOWED);
  });

  it('is measured by the disks where no sum is given', () => {
    const disks = [{ sizeMib: 400 }, { sizeMib: 300 }];
    expect(refusalOf({ diskMib: 0, disks })).to.equal(FAIL_DISK);
    expect(refusalOf({ diskMib: 0, disks: disks.slice(1) })).to.equal(ALLOWED);
  });

  it("is not counted where the size is not known, nor for internal pools, which are the nodes' matter", () => {
    const diskMib = Number.MAX_SAFE_INTEGER;
    for (const storagePool of ['external/san', 'internal/lvm', 'external/unheard-of'])
      expect(refusalOf({ diskMib, storagePool })).to.equal(ALLOWED);
    expect(refusalOf({ diskMib, diskTemplate: 'diskless', storagePool: undefined })).to.equal(ALLOWED);
  });

  it('stands in the tags of a saved cluster as what is left', () => {
    const stated = { ...snapshot, tags: ['htools:poolsize:external/nas:1000:700', 'other'] };
    const state = new ClusterState(stated);
    const i = state.addInstance({ ...wanted, diskMib: 200 });
    expect(movedSnapshot(state).tags).to.deep.equal(stated.tags);
    placeInstance(state, i, 0, -1, false);
    expect(movedSnapshot(state).tags).to.deep.equal(['htools:poolsize:external/nas:1000:500', 'other']);
    const reread = describeStorage(movedSnapshot(state)).pools.find(({ id }) => id === 'external/nas')!;
    expect(reread.freeMib).to.equal(500);
  });
});
