import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { prepareSnapshot } from '../../../src/htools/cluster/prepare/prepare.ts';
import { NO_NODE, type Snapshot } from '../../../src/htools/cluster/snapshot.ts';
import { parseText } from '../../../src/htools/sources/text/text.ts';
import { readInput } from '../../../src/kit/files/read-input.ts';
import { audit, isWarning } from '../../../src/ledger/claims/audit/audit.ts';
import { removeInventories } from '../../../src/ledger/claims/changes/inventory-changes.ts';
import { expireDue } from '../../../src/ledger/claims/claim/claim.ts';
import { change, type Ledger } from '../../../src/ledger/claims/claim/ledger.ts';
import { type Difference, differencesOf, isFault } from '../../../src/ledger/claims/cluster/difference.ts';
import { imageOfSnapshot } from '../../../src/ledger/claims/cluster/from-snapshot.ts';
import { type ImportMode, importCluster } from '../../../src/ledger/claims/cluster/import.ts';
import { readImage } from '../../../src/ledger/claims/cluster/read-image.ts';
import { derivedUuid } from '../../../src/ledger/claims/model/names.ts';
import { claimMoves } from '../../../src/ledger/claims/moves/claim-moves.ts';
import { placementDifferences } from '../../../src/ledger/moving/placement.ts';
import { describeOnEachStore } from '../store/each-store.ts';
import { writing } from '../store/writing.ts';
import { AUTHOR, addProvider, claimFor, freshLedger, START } from './ledgers.ts';

const SMALL = fileURLToPath(new URL('../../../testdata/small.data', import.meta.url));
const OPTIONS = { diskUnit: 'gib', tenantTag: 'htools:tenant:' } as const;
const MINUTE = 60_000;

const [ONE, TWO, THREE, FOUR] = [1, 2, 3, 4].map((i) => `node${i}.example.com`) as [
  string,
  string,
  string,
  string,
];
/** 2048 MiB and 2 processors on node2, its disk of 20 GiB on node1 as well. */
const WEB2 = 'web2.example.com';

const small = (): Snapshot => prepareSnapshot(parseText(readInput(SMALL), SMALL), {}).snapshot;

/** The cluster with the instance elsewhere. */
function placed(primary: string, secondary: string, name = WEB2): Snapshot {
  const snapshot = small();
  const at = (node: string): number => snapshot.nodes.findIndex((one) => one.name === node);
  return {
    ...snapshot,
    instances: snapshot.instances.map((one) =>
      one.name === name ? { ...one, primary: at(primary), secondary: at(secondary) } : one,
    ),
  };
}

describeOnEachStore('a claimed move', (freshUrl) => {
  let ledger: Ledger;
  const clock = { ms: START };

  beforeEach(async () => {
    clock.ms = START;
    ledger = await freshLedger(await freshUrl(), clock);
    await take(small(), 'fresh');
  });
  afterEach(async () => {
    const faults = (await ledger.store.read(audit)).filter((finding) => !isWarning(finding));
    expect(faults).to.deep.equal([]);
    await ledger.store.close();
  });

  /**
   * @returns what differs of consumers. (The free disk of the nodes would differ, too, in a cluster that
   * moves by itself.)
   */
  async function take(snapshot: Snapshot, mode: ImportMode): Promise<readonly Difference[]> {
    const image = imageOfSnapshot(snapshot, OPTIONS);
    const outcome = await change(ledger, AUTHOR, (session, context) =>
      importCluster(session, context, image, mode),
    );
    if (outcome.kind !== 'done') return expect.fail(JSON.stringify(outcome));
    return outcome.value.differences.filter((one) => 'consumer' in one);
  }

  /** web2 to node4, with its other disk on node3. */
  async function plan(expiresAt?: number): Promise<void> {
    const moves = [
      { instance: WEB2, from: { primary: TWO, secondary: ONE }, to: { primary: FOUR, secondary: THREE } },
    ];
    const { claimed } = await claimMoves(ledger, AUTHOR, moves, { stepMode: 'exempt', expiresAt }, () => {});
    expect(claimed).to.equal(1);
  }

  const places = async (): Promise<readonly string[]> => {
    const image = await ledger.store.read(readImage);
    const { allocations } = image.consumers.get(WEB2)!;
    return [...allocations]
      .map(
        ([uuid, classes]) => `${image.providers.get(uuid)!.name.slice(0, 5)} ${[...classes.keys()].sort()}`,
      )
      .sort();
  };
  const THERE = ['node3 DISK_GB', 'node4 DISK_GB,MEMORY_MB,VCPU'];
  const BACK = ['node1 DISK_GB', 'node2 DISK_GB,MEMORY_MB,VCPU'];

  const claimed = (from: readonly [string, string | null], to: readonly [string, string | null]) => {
    const at = ([primary, secondary]: readonly [string, string | null]) => ({ primary, secondary });
    const moves = [{ instance: WEB2, from: at(from), to: at(to) }];
    return claimMoves(ledger, AUTHOR, moves, { stepMode: 'exempt', expiresAt: undefined }, () => {});
  };

  const refusals = async (...ends: Parameters<typeof claimed>) => {
    const { outcome } = await claimed(...ends);
    return outcome.kind === 'refused' && outcome.refusals;
  };

  it('is looked at again where others change the instance between its reading and its claim', async () => {
    const { store } = ledger;
    let others: Promise<unknown> | undefined;
    const read: typeof store.read = async (work) => {
      const result = await store.read(work);
      others ??= change(ledger, AUTHOR, async (session) => ({
        kind: 'done',
        value: await session.run('UPDATE consumers SET generation = generation + 1 WHERE uuid = ?', [WEB2]),
      }));
      await others;
      return result;
    };
    const moves = [
      { instance: WEB2, from: { primary: TWO, secondary: ONE }, to: { primary: FOUR, secondary: THREE } },
    ];
    const meddled = { ...ledger, store: { ...writing(store, (...of) => store.write(...of)), read } };
    const { claimed } = await claimMoves(meddled, AUTHOR, moves, { stepMode: 'exempt' }, () => {});
    expect(claimed).to.equal(1);
  });

  it('takes along what is outside of the units already, and leads nothing out of them', async () => {
    const allowOne = (...names: readonly string[]) =>
      ledger.store.write((session) =>
        session.run(
          `UPDATE inventories SET max_unit = 1 WHERE class_id = (SELECT id FROM resource_classes WHERE name = 'VCPU')
             AND provider_id IN (SELECT id FROM resource_providers WHERE name IN_TEXTS(?))`,
          [names],
        ),
      );
    await allowOne(FOUR);
    const refused = await refusals([TWO, ONE], [FOUR, THREE]);
    expect(refused || []).to.have.nested.property('[0].kind', 'unit');
    await allowOne(TWO);
    expect((await claimed([TWO, ONE], [FOUR, THREE])).outcome.kind).to.equal('done');
    expect(await places()).to.deep.equal(THERE);
  });

  it('is refused where the instance runs elsewhere, and names every node that is none', async () => {
    expect(await refusals([ONE, TWO], [FOUR, TWO])).to.deep.equal([
      { kind: 'elsewhere', instance: WEB2, expected: ONE, nodes: [TWO] },
    ]);
    // The plan is of a time when its other disks were elsewhere, or it had none: three would come of it.
    for (const second of [FOUR, null])
      expect(await refusals([TWO, second], [THREE, second]), `${second}`).to.deep.equal([
        { kind: 'other-copies', instance: WEB2, nodes: [ONE] },
      ]);
    expect(await refusals([TWO, 'old'], ['new', 'old'])).to.deep.equal([
      { kind: 'unknown-node', node: 'old' },
      { kind: 'unknown-node', node: 'new' },
    ]);
    expect(await places()).to.deep.equal(BACK);
  });

  it('is refused where there is no room', async () => {
    await claimFor(ledger, 'other', { [derivedUuid('node', FOUR)]: { MEMORY_MB: 31744 } });
    const { claimed: done, outcome } = await claimed([TWO, ONE], [FOUR, THREE]);
    expect([done, outcome.kind === 'refused' && outcome.refusals.map(({ kind }) => kind)]).to.deep.equal([
      0,
      ['capacity'],
    ]);
    expect(await places()).to.deep.equal(BACK);
  });

  it('is made for an instance without a second node, too', async () => {
    const plain = placed(TWO, ONE);
    const alone = plain.instances.map((one) =>
      one.name === WEB2 ? { ...one, secondary: NO_NODE, diskTemplate: 'plain' as const } : one,
    );
    await take({ ...plain, instances: alone }, 'sync');
    expect((await claimed([TWO, null], [FOUR, null])).claimed).to.equal(1);
    expect(await places()).to.deep.equal(['node4 DISK_GB,MEMORY_MB,VCPU']);
  });

  it('takes disks from each of several pools of a node to its twin on the new one', async () => {
    const held: Record<string, Record<string, number>> = {};
    for (const [k, node] of [ONE, TWO, THREE].entries()) {
      held[derivedUuid('node', node)] = k === 0 ? { DISK_GB: 20 } : { DISK_GB: 20, MEMORY_MB: 2048, VCPU: 2 };
      for (const [p, pool] of ['file', 'lvm'].entries()) {
        const more = { name: `${node}/${pool}`, parent: derivedUuid('node', node), canHost: false };
        held[await addProvider(ledger, 90 + 2 * k + p, { VGPU: { total: 9 } }, more)] = { VGPU: 5 + p };
      }
    }
    const places = Object.entries(held);
    await claimFor(ledger, WEB2, Object.fromEntries(places.slice(0, 6)));
    expect((await claimed([TWO, ONE], [THREE, ONE])).claimed).to.equal(1);
    const { allocations } = (await ledger.store.read(readImage)).consumers.get(WEB2)!;
    const now = [...allocations].map(([uuid, one]) => [uuid, Object.fromEntries(one)]);
    const onOneAndThree = places.filter((_, at) => at < 3 || at > 5);
    expect(Object.fromEntries(now)).to.deep.equal(Object.fromEntries(onOneAndThree));
  });

  it('is left by a synchronisation with the cluster as it was: nobody else is given the room', async () => {
    await plan();
    const room = 31744 - 2048;
    const [found, ...more] = await take(small(), 'sync');
    expect(more).to.deep.equal([]);
    expect(found).to.deep.equal({
      kind: 'moving',
      consumer: WEB2,
      ledger: `${THREE}=DISK_GB:20 ${FOUR}=DISK_GB:20,MEMORY_MB:2048,VCPU:2`,
      cluster: `${ONE}=DISK_GB:20 ${TWO}=DISK_GB:20,MEMORY_MB:2048,VCPU:2`,
    });
    expect(isFault(found!)).to.equal(false);
    const four = derivedUuid('node', FOUR);
    expect((await claimFor(ledger, 'other', { [four]: { MEMORY_MB: room + 1 } })).kind).to.equal('refused');
    expect((await claimFor(ledger, 'other', { [four]: { MEMORY_MB: room } })).kind).to.equal('done');
    expect(await places()).to.deep.equal(THERE);
  });

  it('is left while it is half made', async () => {
    await plan();
    // First the disk on node1 goes to node4, then the instance fails over to it.
    for (const snapshot of [placed(TWO, FOUR), placed(FOUR, TWO)])
      expect((await take(snapshot, 'sync')).map(({ kind }) => kind)).to.deep.equal(['moving']);
    expect(await places()).to.deep.equal(THERE);
  });

  it('is over once it is made: what the cluster does after that is followed', async () => {
    await plan();
    expect(await take(placed(FOUR, THREE), 'sync')).to.deep.equal([]);
    expect((await take(small(), 'sync')).map(({ kind }) => kind)).to.deep.equal(['consumer-differs']);
    expect(await places()).to.deep.equal(BACK);
  });

  it('is over when the instance is where the move never takes it', async () => {
    await plan();
    const snapshot = placed(THREE, FOUR);
    const nodes = snapshot.nodes.map((node) =>
      node.name === THREE ? { ...node, name: 'new.example.com' } : node,
    );
    const found = await take({ ...snapshot, nodes }, 'sync');
    expect(found.find((one) => 'consumer' in one && one.consumer === WEB2)?.kind).to.equal(
      'consumer-differs',
    );
  });

  it('is over when its end comes, and the instance is where the cluster has it', async () => {
    await plan(START + MINUTE);
    expect((await take(small(), 'sync')).map(({ kind }) => kind)).to.deep.equal(['moving']);
    clock.ms += MINUTE;
    expect(await expireDue(ledger)).to.deep.equal([WEB2]);
    expect(await places()).to.deep.equal(BACK);
    expect(await take(small(), 'sync')).to.deep.equal([]);
  });

  it('puts the instance back, too, where others have the room by now, or there is none any more', async () => {
    await plan(START + MINUTE);
    const { consumers } = await ledger.store.read(readImage);
    for (const name of consumers.keys()) if (name !== WEB2) await claimFor(ledger, name, {});
    await claimFor(ledger, 'other', { [derivedUuid('node', TWO)]: { MEMORY_MB: 31744 } });
    const withoutDisks = await change(ledger, AUTHOR, (session, context) =>
      removeInventories(session, context, { provider: derivedUuid('node', ONE) }, ['DISK_GB']),
    );
    expect(withoutDisks.kind).to.equal('done');
    clock.ms += MINUTE;
    expect(await expireDue(ledger)).to.deep.equal([WEB2]);
    expect(await places()).to.deep.equal(['node2 DISK_GB,MEMORY_MB,VCPU']);
  });

  it('stays claimed when what the instance was to grow by goes back', async () => {
    const [one, two] = [derivedUuid('node', ONE), derivedUuid('node', TWO)];
    const grown = { [one]: { DISK_GB: 20 }, [two]: { DISK_GB: 20, MEMORY_MB: 4096, VCPU: 2 } };
    expect((await claimFor(ledger, WEB2, grown, { expiresAt: START + MINUTE })).kind).to.equal('done');
    await plan();
    clock.ms += MINUTE;
    expect(await expireDue(ledger)).to.deep.equal([WEB2]);
    expect(await places()).to.deep.equal(THERE);
    expect((await take(small(), 'sync')).map(({ kind }) => kind)).to.deep.equal(['moving']);
  });

  it('is over when it is released, or something else is claimed', async () => {
    await plan();
    await claimFor(ledger, WEB2, {});
    expect((await take(small(), 'sync')).map(({ kind }) => kind)).to.deep.equal(['consumer-missing']);
    await plan();
    await claimFor(ledger, WEB2, { [derivedUuid('node', FOUR)]: { VCPU: 1 } });
    expect((await take(small(), 'sync')).map(({ kind }) => kind)).to.deep.equal(['consumer-differs']);
    expect(await places()).to.deep.equal(BACK);
  });

  it('is known from where the cluster has the instance, however many moves come in a row', async () => {
    await plan();
    const back = [
      { instance: WEB2, from: { primary: FOUR, secondary: THREE }, to: { primary: THREE, secondary: FOUR } },
    ];
    await claimMoves(ledger, AUTHOR, back, { stepMode: 'exempt' }, () => {});
    expect((await take(small(), 'sync')).map(({ kind }) => kind)).to.deep.equal(['moving']);
  });

  it('is a difference from a Placement, which has what it was told', async () => {
    const told = await ledger.store.read(readImage);
    await plan();
    const found = placementDifferences(await ledger.store.read(readImage), told);
    const ofInstance = found.filter((one) => 'consumer' in one);
    expect(ofInstance.map(({ kind }) => kind)).to.deep.equal(['consumer-differs', 'consumer-differs']);
  });

  it('is no difference that an audit against the cluster would find fault with', async () => {
    await plan();
    const differences = await ledger.store.read(async (session) =>
      differencesOf(await readImage(session), imageOfSnapshot(small(), OPTIONS), 'of-cluster'),
    );
    expect(differences.filter(isFault)).to.deep.equal([]);
  });
});
