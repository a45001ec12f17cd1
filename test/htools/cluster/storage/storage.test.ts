import { expect } from 'chai';
import type { PoolId } from '../../../../src/htools/cluster/snapshot.ts';
import { describeStorage, type Storage } from '../../../../src/htools/cluster/storage/storage.ts';
import { aCluster } from '../../plan/cluster-builder.ts';

/** Whether instances of a pool may be on a node. */
function reaches(storage: Storage, node: number, storagePool: PoolId): boolean {
  const row = storage.rowOfRecord({ storagePool, tags: [], diskTemplate: 'ext' });
  return storage.access[row * storage.nodeCount + node] === 1;
}

describe('storage of a snapshot that says nothing about it', () => {
  const snapshot = aCluster({
    nodes: [{}, {}, { totalDiskMib: 0 }],
    instances: [{ diskTemplate: 'drbd' }, { diskTemplate: 'rbd' }, { diskTemplate: 'diskless' }],
  });
  const storage = describeStorage(snapshot);

  it('is not stated, binds nothing and takes no node out of the metrics', () => {
    expect(storage.isStated).to.equal(false);
    expect(storage.isBinding).to.equal(false);
    expect([...storage.lacksInternal]).to.deep.equal([0, 0, 0]);
    expect(storage.problems()).to.deep.equal([]);
    expect(storage.warnings()).to.deep.equal([]);
  });

  it('gives every node access to every pool', () => {
    expect(storage.pools.map(({ id }) => id)).to.deep.equal(['internal/lvm', 'external/rbd']);
    for (const n of [0, 1, 2]) {
      expect(reaches(storage, n, 'external/rbd')).to.equal(true);
      expect(reaches(storage, n, 'external/unheard-of')).to.equal(true);
    }
  });

  it('has a row for instances without disks that every node has', () => {
    expect(storage.poolOf(2)).to.equal(undefined);
    expect(storage.rows[2]).to.equal(storage.anywhereRow);
    expect([...storage.access.subarray(storage.anywhereRow * 3, storage.anywhereRow * 3 + 3)]).to.deep.equal([
      1, 1, 1,
    ]);
  });
});

describe('storage of a snapshot with lists', () => {
  const snapshot = aCluster({
    groups: [{}, { tags: ['htools:storagepool:external/san'] }],
    nodes: [
      { storagePools: ['internal/lvm', 'external/nas'], tags: ['htools:storagepool:external/san'] },
      { tags: ['htools:storagepool:external/nas'] },
      { group: 1, tags: ['htools:storagepool:external/nas'] },
      { storagePools: [] },
    ],
    instances: [{ diskTemplate: 'ext', storagePool: 'external/nas', diskMib: 100 }],
  });
  const storage = describeStorage(snapshot);

  it('takes the fields first, then the tags of node and group together', () => {
    const reached = snapshot.nodes.map((_, n) =>
      storage.pools.filter(({ id }) => reaches(storage, n, id)).map(({ id }) => id),
    );
    expect(reached).to.deep.equal([
      ['internal/lvm', 'external/nas'],
      ['external/nas'],
      ['external/nas', 'external/san'],
      [],
    ]);
  });

  it('names the groups of each partition', () => {
    expect(storage.pools.map(({ id, groups }) => [id, groups])).to.deep.equal([
      ['internal/lvm', [0]],
      ['external/nas', [0, 1]],
      ['external/san', [1]],
    ]);
  });

  it('leaves nodes without an internal pool out of the disk metrics', () => {
    expect([...storage.lacksInternal]).to.deep.equal([0, 1, 1, 1]);
  });

  it('knows the pools of instances to be added, and that nobody reaches an unheard-of one', () => {
    const wanted = { ...snapshot.instances[0]!, storagePool: 'external/new' };
    const withWanted = describeStorage(snapshot, [wanted]);
    expect(withWanted.poolOf(1)).to.equal('external/new');
    expect(withWanted.poolAt(withWanted.rows[1]!)!.nodes).to.deep.equal([]);
    expect(withWanted.rowOfRecord(snapshot.instances[0]!)).to.equal(withWanted.rows[0]);

    expect(storage.rowOfRecord(wanted)).to.equal(storage.nowhereRow);
    for (const n of [0, 1, 2, 3]) {
      expect(storage.access[storage.nowhereRow * 4 + n]).to.equal(0);
      expect(reaches(storage, n, 'external/new')).to.equal(false);
    }
  });
});

describe('storage that is stated by one record alone', () => {
  it('counts an instance field, an instance tag, a size and a request as statements that bind no node', () => {
    const nodes = [{}, {}];
    const statements = [
      aCluster({ nodes, instances: [{ diskTemplate: 'ext', storagePool: 'external/nas' }] }),
      aCluster({ nodes, instances: [{ diskTemplate: 'ext', tags: ['htools:storagepool:external/nas'] }] }),
      aCluster({ nodes, instances: [], tags: ['htools:poolsize:external/nas:1t'] }),
    ];
    for (const snapshot of statements) {
      const storage = describeStorage(snapshot);
      expect(storage.isStated).to.equal(true);
      expect(storage.isBinding).to.equal(false);
      expect(storage.pools.map(({ id, nodes: reached }) => [id, reached.length])).to.deep.include([
        'external/nas',
        2,
      ]);
    }
    const silent = aCluster({ nodes, instances: [{ diskTemplate: 'ext' }] });
    const asking = { ...silent.instances[0]!, storagePool: 'external/nas' };
    expect(describeStorage(silent).isStated).to.equal(false);
    expect(describeStorage(silent, [asking]).isStated).to.equal(true);
  });
});
