import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { prepareSnapshot } from '../../../src/htools/cluster/prepare/prepare.ts';
import type { Snapshot } from '../../../src/htools/cluster/snapshot.ts';
import { parseText } from '../../../src/htools/sources/text/text.ts';
import { readInput } from '../../../src/kit/files/read-input.ts';
import { audit, isWarning } from '../../../src/ledger/claims/audit/audit.ts';
import { changeProvider } from '../../../src/ledger/claims/changes/provider-changes.ts';
import { change, type Ledger } from '../../../src/ledger/claims/claim/ledger.ts';
import { differencesOf, isFault } from '../../../src/ledger/claims/cluster/difference.ts';
import { imageOfSnapshot } from '../../../src/ledger/claims/cluster/from-snapshot.ts';
import { type ImportMode, importCluster } from '../../../src/ledger/claims/cluster/import.ts';
import { readImage } from '../../../src/ledger/claims/cluster/read-image.ts';
import { withPromises } from '../../../src/ledger/claims/cluster/with-promises.ts';
import { derivedUuid } from '../../../src/ledger/claims/model/names.ts';
import { randomCluster } from '../../builders/random-cluster.ts';
import { forSeedsAsync, runsOf } from '../../builders/seeds.ts';
import { describeOnEachStore } from '../store/each-store.ts';
import { lateLedger } from './late-ledger.ts';
import { AUTHOR, addProvider, claimFor, freshLedger, START, stockProvider } from './ledgers.ts';

const TESTDATA = fileURLToPath(new URL('../../../testdata', import.meta.url));
const GIB = { diskUnit: 'gib', tenantTag: 'htools:tenant:' } as const;

const shipped = readdirSync(TESTDATA, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.data'))
  .sort();

/** A snapshot that ships with the project; undefined for those that are broken on purpose. */
function snapshotOf(file: string): Snapshot | undefined {
  const path = join(TESTDATA, file);
  try {
    return prepareSnapshot(parseText(readInput(path), path), {}).snapshot;
  } catch {
    return undefined;
  }
}

const small = (): Snapshot => snapshotOf('small.data')!;

async function take(
  ledger: Ledger,
  snapshot: Snapshot,
  mode: ImportMode,
  options: Parameters<typeof imageOfSnapshot>[1] = GIB,
) {
  const image = imageOfSnapshot(snapshot, options);
  const outcome = await change(ledger, AUTHOR, (session, context) =>
    importCluster(session, context, image, mode),
  );
  if (outcome.kind !== 'done') return expect.fail(JSON.stringify(outcome));
  return outcome.value;
}

const faults = (ledger: Ledger) =>
  ledger.store.read(async (session) => (await audit(session)).filter((finding) => !isWarning(finding)));

const differences = (ledger: Ledger, snapshot: Snapshot) =>
  ledger.store.read(async (session) =>
    differencesOf(await readImage(session), imageOfSnapshot(snapshot, GIB), 'of-cluster'),
  );

/** The cluster after a node was removed from it, with all that was on it. */
const without = (snapshot: Snapshot, name: string): Snapshot => {
  const gone = snapshot.nodes.findIndex((node) => node.name === name);
  const isOff = ({ primary, secondary }: Snapshot['instances'][number]) =>
    primary !== gone && secondary !== gone;
  const place = (node: number): number => (node > gone ? node - 1 : node);
  return {
    ...snapshot,
    nodes: snapshot.nodes.filter((_, i) => i !== gone),
    instances: snapshot.instances
      .filter(isOff)
      .map((one) => ({ ...one, primary: place(one.primary), secondary: place(one.secondary) })),
  };
};

/** The cluster with an instance on another primary. */
const moved = (snapshot: Snapshot, name: string, primary: number): Snapshot => ({
  ...snapshot,
  instances: snapshot.instances.map((one) => (one.name === name ? { ...one, primary } : one)),
});

const NODE1 = derivedUuid('node', 'node1.example.com');
const NODE3 = derivedUuid('node', 'node3.example.com');

describeOnEachStore('the import of a cluster', (freshUrl, share) => {
  let ledger: Ledger;
  beforeEach(async () => {
    ledger = await freshLedger(await freshUrl());
  });
  afterEach(() => ledger.store.close());

  it('audits clean against each cluster that ships with the project', async () => {
    let count = 0;
    const files = shipped.filter((_, i) => i % 16 < runsOf(share === 1 ? 4 : share));
    for (const file of files) {
      const snapshot = snapshotOf(file);
      if (snapshot === undefined) continue;
      await take(ledger, snapshot, 'replace');
      expect(await differences(ledger, snapshot), file).to.deep.equal([]);
      expect(await faults(ledger), file).to.deep.equal([]);
      count++;
    }
    expect(count).to.be.above(5);
  });

  it('is in line with whatever cluster comes next', () =>
    forSeedsAsync(share === 1 ? 30 : share * 2, async (seed) => {
      const next = randomCluster(seed);
      await take(ledger, next, 'sync');
      expect(await differences(ledger, next)).to.deep.equal([]);
      expect(await faults(ledger)).to.deep.equal([]);
    }));

  it('takes node, policy and instance figures as they are', async () => {
    await take(ledger, small(), 'fresh');
    const { providers, consumers } = await ledger.store.read(readImage);
    const { inventories, aggregates } = providers.get(NODE1)!;
    expect(inventories.get('MEMORY_MB')).to.deep.include({ total: 32768, reserved: 1024 });
    expect(inventories.get('VCPU')).to.deep.include({ total: 16, reserved: 1, allocationRatio: '4' });
    expect(aggregates.map(({ name }) => name)).to.deep.equal(['default']);
    // db1 has 102528 MiB, that is 100 GiB and a bit, on both its nodes.
    const held = [...consumers.get('db1.example.com')!.allocations].map(([uuid, amounts]) => [
      providers.get(uuid)!.name,
      Object.fromEntries(amounts),
    ]);
    expect(Object.fromEntries(held)).to.deep.equal({
      'node1.example.com': { DISK_GB: 100, MEMORY_MB: 8192, VCPU: 4 },
      'node2.example.com': { DISK_GB: 100 },
    });
  });

  it('keeps disks exact in MiB when it is asked to', async () => {
    await take(ledger, small(), 'fresh', { ...GIB, diskUnit: 'mib' });
    const { consumers } = await ledger.store.read(readImage);
    expect(consumers.get('db1.example.com')!.allocations.get(NODE1)!.get('CUSTOM_DISK_MB')).to.equal(102528);
  });

  it('refuses a ledger that has something, and replaces it when told to', async () => {
    await take(ledger, small(), 'fresh');
    const image = imageOfSnapshot(small(), GIB);
    const again = await change(ledger, AUTHOR, (session, context) =>
      importCluster(session, context, image, 'fresh'),
    );
    expect(again).to.deep.equal({
      kind: 'refused',
      refusals: [{ kind: 'not-empty', providers: 4, consumers: 10 }],
    });
    await claimFor(ledger, 'promise', { [NODE1]: { VCPU: 1 } });
    const { differences: told } = await take(ledger, small(), 'replace');
    expect(told.map(({ kind }) => kind)).to.deep.equal(['consumer-extra']);
    expect((await ledger.store.read(readImage)).consumers.has('promise')).to.equal(false);
    expect(await faults(ledger)).to.deep.equal([]);
  });

  it('can be foretold: what a synchronisation would change', async () => {
    await take(ledger, small(), 'fresh');
    const after = moved(small(), 'wiki.example.com', 3);
    const foretold = await differences(ledger, after);
    expect(foretold.map(({ kind }) => kind)).to.include('consumer-differs');
    expect((await take(ledger, after, 'sync')).differences).to.deep.equal(foretold);
  });

  it('brings providers in line: what they may host, and the classes that they have', async () => {
    await take(ledger, small(), 'fresh');
    const of = async () => (await ledger.store.read(readImage)).providers.get(NODE1)!;
    const before = await of();
    await change(ledger, AUTHOR, (session, context) =>
      changeProvider(session, context, { provider: NODE1 }, { ...before, canHost: false }),
    );
    await stockProvider(ledger, NODE1, { SRIOV_NET_VF: { total: 3 } });
    await take(ledger, small(), 'sync');
    const { canHost, inventories } = await of();
    expect(canHost).to.equal(true);
    expect([...inventories.keys()].sort()).to.deep.equal([...before.inventories.keys()].sort());
  });

  it('leaves alone what is not of the cluster, unless all is replaced', async () => {
    await take(ledger, small(), 'fresh');
    const own = await addProvider(ledger, 7, { VCPU: { total: 4 } });
    const gone = moved(small(), 'wiki.example.com', 3);
    expect((await take(ledger, gone, 'sync')).differences.map(({ kind }) => kind)).to.not.include(
      'provider-extra',
    );
    expect((await ledger.store.read(readImage)).providers.has(own)).to.equal(true);
    await take(ledger, gone, 'replace');
    expect((await ledger.store.read(readImage)).providers.has(own)).to.equal(false);
  });

  it('brings the ledger in line with what moved, and leaves promises alone', async () => {
    await take(ledger, small(), 'fresh');
    await claimFor(ledger, 'promise', { [NODE1]: { VCPU: 1 } });
    const later = moved(small(), 'wiki.example.com', 3);
    const gone = { ...later, instances: later.instances.filter(({ name }) => name !== 'dns.example.com') };
    const found = await differences(ledger, gone);
    const consumers = found.flatMap((one) => ('consumer' in one ? [`${one.kind} ${one.consumer}`] : []));
    expect(consumers).to.deep.equal([
      'consumer-differs wiki.example.com',
      'consumer-extra dns.example.com',
      'promised promise',
    ]);
    await take(ledger, gone, 'sync');
    expect((await differences(ledger, gone)).map(({ kind }) => kind)).to.deep.equal(['promised']);
    expect(await faults(ledger)).to.deep.equal([]);
  });

  it('takes nothing from who claimed it while the ledger was being brought in line', async () => {
    await take(ledger, small(), 'fresh');
    const gone = ['build.example.com', 'test1.example.com'];
    const less = { ...small(), instances: small().instances.filter(({ name }) => !gone.includes(name)) };
    // A provider that has nothing to do with these is written first.
    await stockProvider(ledger, NODE1, { VCPU: { total: 999 } });
    const late = lateLedger(ledger, 1, () =>
      claimFor(ledger, 'build.example.com', { [NODE3]: { VCPU: 1 } }, { type: 'INSTANCE' }),
    );
    await take(late, less, 'sync');
    const { consumers } = await ledger.store.read(readImage);
    expect(gone.map((name) => consumers.get(name)?.type)).to.deep.equal(['INSTANCE', undefined]);
    expect(await faults(ledger)).to.deep.equal([]);
  });

  it('keeps a node that is gone while something is promised there, and nothing more is to be had of it', async () => {
    await take(ledger, small(), 'fresh');
    await claimFor(ledger, 'promise', { [NODE1]: { VCPU: 1 } });
    const less = without(small(), 'node1.example.com');
    const held = {
      kind: 'provider-held',
      provider: NODE1,
      name: 'node1.example.com',
      consumers: ['promise'],
    };
    const { differences: told } = await take(ledger, less, 'sync');
    expect(told).to.deep.include(held);
    expect((await differences(ledger, less)).filter(isFault)).to.deep.equal([held]);
    expect((await ledger.store.read(readImage)).consumers.has('promise')).to.equal(true);
    expect((await claimFor(ledger, 'another', { [NODE1]: { VCPU: 1 } })).kind).to.equal('refused');
    expect(await faults(ledger)).to.deep.equal([]);
    await claimFor(ledger, 'promise', {});
    await take(ledger, less, 'sync');
    expect(await differences(ledger, less)).to.deep.equal([]);
    expect((await ledger.store.read(readImage)).providers.has(NODE1)).to.equal(false);
  });

  it('keeps a class that a node has no more while it is promised, and nothing more is to be had of it', async () => {
    await take(ledger, small(), 'fresh');
    const node4 = derivedUuid('node', 'node4.example.com');
    const claim = (consumer: string, amount: number) =>
      claimFor(ledger, consumer, amount > 0 ? { [node4]: { DISK_GB: amount } } : {});
    await claim('promise', 1);
    const nodes = small().nodes.map((node) =>
      node.name === 'node4.example.com' ? { ...node, totalDiskMib: 0, freeDiskMib: 0 } : node,
    );
    const less = { ...small(), nodes };
    const rest = async () =>
      (await differences(ledger, less)).filter(isFault).map((one) => 'what' in one && one.what);
    for (const _ of ['first', 'again']) {
      await take(ledger, less, 'sync');
      expect(await rest()).to.deep.equal(['inventory DISK_GB']);
    }
    expect((await claim('another', 1)).kind).to.equal('refused');
    expect(await faults(ledger)).to.deep.equal([]);
    await claim('promise', 0);
    await take(ledger, less, 'sync');
    expect(await rest()).to.deep.equal([]);
  });

  it('opens a node again that comes back', async () => {
    await take(ledger, small(), 'fresh');
    await claimFor(ledger, 'promise', { [NODE1]: { VCPU: 1 } });
    await take(ledger, without(small(), 'node1.example.com'), 'sync');
    await take(ledger, small(), 'sync');
    expect((await differences(ledger, small())).map(({ kind }) => kind)).to.deep.equal(['promised']);
    expect((await claimFor(ledger, 'another', { [NODE1]: { VCPU: 1 } })).kind).to.equal('done');
  });

  it('leaves an instance what it was claimed to grow by, until it has grown or the time is over', async () => {
    await take(ledger, small(), 'fresh');
    const node3 = derivedUuid('node', 'node3.example.com');
    // It has 1024 MiB, and is to have 4096.
    const wanted = { [NODE1]: { DISK_GB: 10 }, [node3]: { DISK_GB: 10, MEMORY_MB: 4096, VCPU: 1 } };
    const claimed = await claimFor(ledger, 'wiki.example.com', wanted, { expiresAt: START + 1000 });
    expect(claimed.kind).to.equal('done');
    expect((await take(ledger, small(), 'sync')).differences.map(({ kind }) => kind)).to.deep.equal([
      'promised',
    ]);
    const memory = async () =>
      (await ledger.store.read(readImage)).consumers.get('wiki.example.com')!.allocations.get(node3)!;
    expect((await memory()).get('MEMORY_MB')).to.equal(4096);
    const grown = {
      ...small(),
      instances: small().instances.map((one) =>
        one.name === 'wiki.example.com' ? { ...one, memMib: 4096 } : one,
      ),
    };
    await take(ledger, grown, 'sync');
    expect(await differences(ledger, grown)).to.deep.equal([]);
    // A cluster that decided otherwise is followed.
    await claimFor(ledger, 'wiki.example.com', wanted, { expiresAt: START + 1000 });
    await take(ledger, small(), 'sync');
    expect((await memory()).get('MEMORY_MB')).to.equal(1024);
    expect(await faults(ledger)).to.deep.equal([]);
  });

  it('takes off what was promised and is not built from what a planner may use', async () => {
    await take(ledger, small(), 'fresh');
    await claimFor(ledger, 'promise', { [NODE1]: { VCPU: 2, MEMORY_MB: 1024, DISK_GB: 3 } });
    const { snapshot, consumers } = withPromises(small(), await ledger.store.read(readImage), 0);
    expect(consumers).to.deep.equal(['promise']);
    const [before, after] = [small().nodes[0]!, snapshot.nodes[0]!];
    expect(before.freeMemMib - after.freeMemMib).to.equal(1024);
    expect(after.nodeMemMib - before.nodeMemMib).to.equal(1024);
    expect(before.freeDiskMib - after.freeDiskMib).to.equal(3 * 1024);
    expect(after.nodeCpus - before.nodeCpus).to.equal(2);
    expect(snapshot.nodes.slice(1)).to.deep.equal(small().nodes.slice(1));
  });
});
