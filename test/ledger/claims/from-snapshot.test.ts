import { expect } from 'chai';
import { prepareSnapshot } from '../../../src/htools/cluster/prepare/prepare.ts';
import { NO_NODE, type Snapshot } from '../../../src/htools/cluster/snapshot.ts';
import { parseText } from '../../../src/htools/sources/text/text.ts';
import { readInput } from '../../../src/kit/files/read-input.ts';
import { differencesOf } from '../../../src/ledger/claims/cluster/difference.ts';
import { imageOfSnapshot } from '../../../src/ledger/claims/cluster/from-snapshot.ts';
import type { LedgerImage, ProviderImage } from '../../../src/ledger/claims/cluster/image.ts';
import { withPromises } from '../../../src/ledger/claims/cluster/with-promises.ts';

const GIB = { diskUnit: 'gib', tenantTag: 'htools:tenant:' } as const;
const MIB_PER_GIB = 1024;

const shipped = (name: string): Snapshot =>
  prepareSnapshot(parseText(readInput(`testdata/${name}`), name), {}).snapshot;

const named = ({ providers }: LedgerImage, name: string): ProviderImage =>
  [...providers.values()].find((one) => one.name === name)!;

/** The cluster with its first node and that node's policy changed. */
const changed = (
  snapshot: Snapshot,
  node: Partial<Snapshot['nodes'][number]>,
  ranges = snapshot.groups[0]!.policy.ranges,
): Snapshot => ({
  ...snapshot,
  groups: snapshot.groups.map((one) => ({ ...one, policy: { ...one.policy, ranges } })),
  nodes: snapshot.nodes.map((one, n) => (n === 0 ? { ...one, ...node } : one)),
});

describe('a cluster as a ledger', () => {
  const disk = (snapshot: Snapshot) =>
    named(imageOfSnapshot(snapshot, GIB), 'node1.example.com').inventories.get('DISK_GB')!;

  it('keeps of a disk what is the host’s, and what is to stay free beside that', () => {
    const small = shipped('small.data');
    const [{ freeDiskMib }] = small.nodes as [Snapshot['nodes'][number]];
    const before = disk(changed(small, { minFreeDiskRatio: 0 }));
    const host = disk(
      changed(small, { minFreeDiskRatio: 0, freeDiskMib: freeDiskMib - 100 * MIB_PER_GIB }),
    ).reserved;
    expect(host - before.reserved).to.equal(100);
    // Of 1024 GiB an eighth, and a bit, which is as much as a whole one.
    expect(
      disk(changed(small, { minFreeDiskRatio: 0.1241, freeDiskMib: freeDiskMib - 100 * MIB_PER_GIB }))
        .reserved,
    ).to.equal(host + 128);
  });

  it('has no more to hand out than is free, however much rounding cuts off the instances', () => {
    const small = shipped('small.data');
    // Ten plain instances of 1.9 GiB, of which the ledger has 1 each: 19 GiB are used, and not 10.
    const instances = small.instances.map((one) => ({
      ...one,
      diskTemplate: 'plain' as const,
      primary: 0,
      secondary: NO_NODE,
      diskMib: 1.9 * MIB_PER_GIB,
      disks: [],
    }));
    const [{ totalDiskMib }] = small.nodes as [Snapshot['nodes'][number]];
    const node = { minFreeDiskRatio: 0, freeDiskMib: totalDiskMib - 19 * MIB_PER_GIB };
    const { total, reserved } = disk({ ...changed(small, node), instances });
    expect(total - reserved - 10).to.equal(1024 - 19);
  });

  it('takes as bounds of a disk the least and most that any range of the policy admits, of all disks together', () => {
    const small = shipped('small.data');
    const [range] = small.groups[0]!.policy.ranges as [(typeof small.groups)[0]['policy']['ranges'][0]];
    const of = (least: readonly [number, number], most: readonly [number, number]) => ({
      min: { ...range.min, diskMib: least[0] * MIB_PER_GIB, diskCount: least[1] },
      max: { ...range.max, diskMib: most[0] * MIB_PER_GIB, diskCount: most[1] },
    });
    expect(disk(changed(small, {}, [of([2, 0], [3, 0])]))).to.include({ minUnit: 2, maxUnit: 3 });
    expect(disk(changed(small, {}, [of([3, 2], [8, 2]), of([5, 1], [4, 3])]))).to.include({
      minUnit: 5,
      maxUnit: 16,
    });
    expect(disk(changed(small, {}, []))).to.include({ minUnit: 1, maxUnit: 2_147_483_647 });
  });

  it('takes the least and most memory of any range, and keeps what the node wants beside its own', () => {
    const small = shipped('small.data');
    const [range] = small.groups[0]!.policy.ranges as [(typeof small.groups)[0]['policy']['ranges'][0]];
    const of = (least: number, most: number) => ({
      min: { ...range.min, memoryMib: least },
      max: { ...range.max, memoryMib: most },
    });
    const node = named(
      imageOfSnapshot(changed(small, { headRoomMib: 64 }, [of(256, 300), of(128, 512)]), GIB),
      'node1.example.com',
    );
    expect(node.canHost).to.equal(true);
    expect(node.inventories.get('MEMORY_MB')).to.include({ minUnit: 128, maxUnit: 512, reserved: 1024 + 64 });
  });

  it('has pools of a node below it, those that nodes share beside them, all known as the cluster’s', () => {
    const image = imageOfSnapshot(shipped('snapshots/pools.data'), GIB);
    const providers = [...image.providers.values()];
    const below = providers.filter(({ parent }) => parent !== null).map(({ name }) => name);
    expect(below).to.not.have.length(0);
    expect(below.filter((name) => name.startsWith('external/'))).to.deep.equal([]);
    // The one pool whose size a node tells is that of its volumes.
    const disks = providers
      .filter(({ parent }) => parent !== null)
      .map(({ name, traits, inventories }) => {
        const { total, reserved } = inventories.get('DISK_GB')!;
        return [name, traits.length === 0, total, reserved];
      });
    expect(disks).to.deep.equal([
      ['n3.example/file', false, 2_147_483_647, 0],
      ['n3.example/lvm', true, 976, 96],
    ]);
    const judged = (ones: readonly ProviderImage[]): number => {
      const ledger = { providers: new Map(ones.map((one) => [one.uuid, one])), consumers: new Map() };
      const empty = { providers: new Map(), consumers: new Map() };
      return differencesOf(ledger, empty, 'of-cluster').length;
    };
    expect(judged(providers)).to.equal(providers.length);
    expect(judged(providers.map((one) => ({ ...one, name: `x${one.name}` })))).to.equal(0);
  });

  it('keeps of an external pool what others have, and marks one whose size nobody tells', () => {
    const rbd = named(imageOfSnapshot(shipped('storage/70-pool-free-told.data'), GIB), 'external/rbd');
    // 10 GiB, 3 of them free, 1 the instance's.
    expect(rbd.inventories.get('DISK_GB')).to.include({ total: 10, reserved: 6 });
    expect(rbd.traits).to.deep.equal(['MISC_SHARES_VIA_AGGREGATE']);
    const nas = named(imageOfSnapshot(shipped('storage/24-nobody-lists.data'), GIB), 'external/nas');
    expect(nas.inventories.get('DISK_GB')).to.include({ total: 2_147_483_647, reserved: 0 });
    expect(nas.traits).to.deep.equal(['CUSTOM_SIZE_UNKNOWN', 'MISC_SHARES_VIA_AGGREGATE']);
  });

  it('has a node group as the aggregate of its own UUID, as clients write it', () => {
    const small = shipped('small.data');
    const uuid = '0A0B0C0D00004000800000000000ABCD';
    const image = imageOfSnapshot({ ...small, groups: small.groups.map((one) => ({ ...one, uuid })) }, GIB);
    expect(named(image, 'node1.example.com').aggregates.map((one) => one.uuid)).to.deep.equal([
      '0a0b0c0d-0000-4000-8000-00000000abcd',
    ]);
  });

  it('gives no instance a project without a name', () => {
    const small = shipped('small.data');
    const tagged = [['htools:tenant:'], ['htools:tenant:', 'htools:tenant:shop']];
    const instances = small.instances.map((one, i) => ({ ...one, tags: tagged[i] ?? [] }));
    const { consumers } = imageOfSnapshot({ ...small, instances }, GIB);
    expect([...consumers.values()].slice(0, 2).map(({ project }) => project)).to.deep.equal([null, 'shop']);
  });

  it('has no consumer for an instance that uses nothing', () => {
    const small = shipped('small.data');
    const nothing = { memMib: 0, vcpus: 0, diskTemplate: 'diskless' } as const;
    const instances = small.instances.map((one, i) => (i === 0 ? { ...one, ...nothing } : one));
    const { consumers } = imageOfSnapshot({ ...small, instances }, GIB);
    expect(consumers.has(small.instances[0]!.name)).to.equal(false);
    expect(consumers.size).to.equal(small.instances.length - 1);
  });
});

describe('a cluster with what is promised', () => {
  it('counts promises until they expire, and not those that are built', () => {
    const small = shipped('small.data');
    const image = imageOfSnapshot(small, GIB);
    const provider = named(image, 'node1.example.com').uuid;
    const promise = {
      consumer: 'new',
      project: null,
      type: null,
      allocations: new Map([[provider, new Map(Object.entries({ VCPU: 3, MEMORY_MB: 100 }))]]),
      ends: [{ provider, class: 'VCPU', at: 1000, amount: 2 }],
      movingFrom: null,
    };
    const ledger = { ...image, consumers: new Map([...image.consumers, ['new', promise]]) };
    const taken = (at: number) => {
      const { snapshot, consumers } = withPromises(small, ledger, at);
      expect(consumers).to.deep.equal(['new']);
      const [before, after] = [small.nodes[0]!, snapshot.nodes[0]!];
      return [after.nodeCpus - before.nodeCpus, after.nodeMemMib - before.nodeMemMib];
    };
    expect(taken(999)).to.deep.equal([3, 100]);
    expect(taken(1000)).to.deep.equal([1, 100]);
    // A NUMA node below a socket below the node.
    const below = (uuid: string, parent: string) => ({ ...image.providers.get(provider)!, uuid, parent });
    const providers = new Map([
      ...image.providers,
      ['socket', below('socket', provider)],
      ['numa', below('numa', 'socket')],
    ]);
    const deep = { ...promise, allocations: new Map([['numa', new Map([['MEMORY_MB', 100]])]]), ends: [] };
    const { snapshot } = withPromises(small, { providers, consumers: new Map([['new', deep]]) }, 0);
    expect(snapshot.nodes[0]!.nodeMemMib - small.nodes[0]!.nodeMemMib).to.equal(100);
    const memoryOnly = new Map([[provider, new Map([['MEMORY_MB', 100]])]]);
    ledger.consumers.set('new', { ...promise, allocations: memoryOnly, ends: [] });
    expect(taken(0)).to.deep.equal([0, 100]);
  });
});
