import { expect } from 'chai';
import { ALLOWED, FAIL_DISK } from '../../src/cluster/refusal.ts';
import { describeStorage } from '../../src/cluster/storage.ts';
import { explainPoolAccess, PoolSpace, poolAccessRefusal } from '../../src/rules/pool-access.ts';
import { aCluster } from '../plan/cluster-builder.ts';

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
const storage = describeStorage(snapshot);
const [nas, san, none, lvm] = [...storage.rows] as [number, number, number, number];

describe('access to a storage pool', () => {
  it('refuses a node that does not reach it, as a matter of disk', () => {
    expect(poolAccessRefusal(storage, nas, 0)).to.equal(ALLOWED);
    expect(poolAccessRefusal(storage, nas, 1)).to.equal(FAIL_DISK);
    expect(poolAccessRefusal(storage, san, 1)).to.equal(ALLOWED);
    expect(explainPoolAccess(storage, nas, 1)).to.include({
      rule: 'pool-access',
      pool: 'external/nas',
      node: 1,
    });
  });

  it('is no matter for an instance without disks, and impossible to a pool that nobody has', () => {
    expect(poolAccessRefusal(storage, none, 1)).to.equal(ALLOWED);
    expect(poolAccessRefusal(storage, storage.nowhereRow, 0)).to.equal(FAIL_DISK);
  });
});

describe('space in a storage pool', () => {
  it('may be filled to the last MiB and no further', () => {
    const space = new PoolSpace(storage);
    expect(space.freeOf(nas)).to.equal(600);
    expect(space.refusal(nas, 600)).to.equal(ALLOWED);
    expect(space.refusal(nas, 601)).to.equal(FAIL_DISK);
    space.take(nas, 600);
    expect(space.refusal(nas, 1)).to.equal(FAIL_DISK);
    expect(space.explain(nas, 1)).to.include({ pool: 'external/nas', needed: 1, available: 0, unit: 'MiB' });
    space.take(nas, -600);
    expect(space.freeOf(nas)).to.equal(600);
  });

  it("is not counted where the size is not known, nor for internal pools, which are the nodes' matter", () => {
    const space = new PoolSpace(storage);
    for (const row of [san, none, lvm, storage.nowhereRow]) {
      expect(space.refusal(row, Number.MAX_SAFE_INTEGER)).to.equal(ALLOWED);
    }
  });
});
