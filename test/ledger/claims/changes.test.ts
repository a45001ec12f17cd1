import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { removeInventories, setInventories } from '../../../src/ledger/claims/changes/inventory-changes.ts';
import { setAggregates, setTraits } from '../../../src/ledger/claims/changes/label-changes.ts';
import { addName, renameClass } from '../../../src/ledger/claims/changes/name-changes.ts';
import {
  changeProvider,
  createProvider,
  removeProvider,
} from '../../../src/ledger/claims/changes/provider-changes.ts';
import { claim } from '../../../src/ledger/claims/claim/claim.ts';
import { moveClaims } from '../../../src/ledger/claims/claim/hand-over.ts';
import { change, type Ledger, openLedger } from '../../../src/ledger/claims/claim/ledger.ts';
import { confirmClaims } from '../../../src/ledger/claims/claim/renewal.ts';
import { readImage } from '../../../src/ledger/claims/cluster/read-image.ts';
import { INVENTORY_DEFAULTS } from '../../../src/ledger/claims/model/inventory.ts';
import { readHistory } from '../../../src/ledger/claims/usage/history.ts';
import { useOverTime } from '../../../src/ledger/claims/usage/over-time.ts';
import { consumerFacts, providerFacts } from '../../../src/ledger/claims/usage/show.ts';
import { usage } from '../../../src/ledger/claims/usage/usage.ts';
import { describeOnEachStore } from '../store/each-store.ts';
import { writing } from '../store/writing.ts';
import {
  type Amounts,
  AUTHOR,
  addProvider,
  allOf,
  claimFor,
  closeSound,
  freshLedger,
  rowsTaken,
  START,
  uuidOf,
} from './ledgers.ts';

const MINUTE = 60_000;

describeOnEachStore('changes of a ledger', (freshUrl) => {
  let url: string;
  let ledger: Ledger;
  const clock = { ms: START };

  beforeEach(async () => {
    clock.ms = START;
    url = await freshUrl();
    ledger = await freshLedger(url, clock);
  });
  afterEach(() => closeSound(ledger));

  const facts = (name: string) => ledger.store.read((session) => providerFacts(session, name));
  const held = async (name: string) =>
    (await ledger.store.read((session) => consumerFacts(session, name)))?.allocations ?? null;

  describe('to providers', () => {
    const removed = (provider: string) =>
      change(ledger, AUTHOR, (session, context) => removeProvider(session, context, { provider }));

    it('are shown: a node with a pool below it, and what both have', async () => {
      const node = await addProvider(ledger, 1, { VCPU: { total: 8, reserved: 1, allocationRatio: '1.5' } });
      await addProvider(ledger, 2, {}, { name: 'pool', parent: node, canHost: false });
      await claimFor(ledger, 'b', { [node]: { VCPU: 2 } }, { project: 'web' });
      await claimFor(ledger, 'a', { [node]: { VCPU: 1 } });
      const facts = (name: string) => ledger.store.read((session) => providerFacts(session, name));
      expect(await facts('p1')).to.deep.include({
        kind: 'node',
        parent: null,
        generation: 3,
        inventories: [
          {
            class: 'VCPU',
            total: 8,
            reserved: 1,
            minUnit: 1,
            maxUnit: INVENTORY_DEFAULTS.maxUnit,
            stepSize: 1,
            allocationRatio: '1.5',
            used: 3,
            capacity: 10,
          },
        ],
        consumers: [
          { consumer: 'a', project: null, amounts: { VCPU: 1 } },
          { consumer: 'b', project: 'web', amounts: { VCPU: 2 } },
        ],
      });
      expect(await facts(uuidOf(2))).to.deep.include({ kind: 'pool', parent: 'p1', consumers: [] });
      expect(await facts('p3')).to.equal(undefined);
    });

    it('keep trees, and refuse circles and the removal of what is above or used', async () => {
      const root = await addProvider(ledger, 1, {});
      const child = await addProvider(ledger, 2, { VCPU: { total: 2 } }, { parent: root });
      const moved = (provider: string, parent: string | null) =>
        change(ledger, AUTHOR, (session, context) =>
          changeProvider(session, context, { provider }, { parent }),
        );
      expect(await moved(root, child)).to.deep.equal({
        kind: 'refused',
        refusals: [{ kind: 'circle', provider: root, providerName: 'p1', parent: child, parentName: 'p2' }],
      });
      expect((await removed(root)).kind).to.equal('refused');
      await claimFor(ledger, 'c', { [child]: { VCPU: 1 } });
      expect(await removed(child)).to.deep.equal({
        kind: 'refused',
        refusals: [{ kind: 'in-use', provider: child, providerName: 'p2', classes: ['VCPU'] }],
      });
      expect((await moved(child, null)).kind).to.equal('done');
      expect((await removed(root)).kind).to.equal('done');
      expect(await facts('p1')).to.equal(undefined);
      expect((await facts('p2'))!.parent).to.equal(null);
    });

    it('take away all inventories where none is named, but not one that is used', async () => {
      const provider = await addProvider(ledger, 1, { VCPU: { total: 4 }, DISK_GB: { total: 9 } });
      const remove = () =>
        change(ledger, AUTHOR, (session, context) =>
          removeInventories(session, context, { provider }, undefined),
        );
      await claimFor(ledger, 'a', { [provider]: { VCPU: 1 } });
      expect(await remove()).to.deep.equal({
        kind: 'refused',
        refusals: [{ kind: 'in-use', provider, providerName: 'p1', classes: ['VCPU'] }],
      });
      await claimFor(ledger, 'a', {});
      expect((await remove()).kind).to.equal('done');
      const image = await ledger.store.read(readImage);
      expect(image.providers.get(provider)!.inventories.size).to.equal(0);
    });

    it('are refused with all reasons at once, and removals told with what there was', async () => {
      const uuid = await addProvider(ledger, 1, {}, { name: 'taken', canHost: false });
      const make = (wanted: { uuid: string; name: string; parent: string | null }) =>
        change(ledger, AUTHOR, (session, context) =>
          createProvider(session, context, { ...wanted, canHost: true }),
        );
      const parent = uuidOf(8);
      expect(await make({ uuid, name: 'taken', parent })).to.deep.equal({
        kind: 'refused',
        refusals: [
          { kind: 'uuid-taken', uuid },
          { kind: 'name-taken', name: 'taken' },
          { kind: 'unknown-parent', parent },
        ],
      });
      expect((await make({ uuid: uuidOf(2), name: 'host', parent: null })).kind).to.equal('done');
      for (const provider of [uuid, uuidOf(2)])
        await change(ledger, AUTHOR, (session, context) => removeProvider(session, context, { provider }));
      const told = await ledger.store.read((session) => readHistory(session, {}, 2));
      expect(told.map(({ action, before }) => [action, before])).to.deep.equal([
        ['provider-rm', { name: 'host', parent: null, can_host: true }],
        ['provider-rm', { name: 'taken', parent: null, can_host: false }],
      ]);
    });

    it('take away what is not named where the rest is to go, but not what is used', async () => {
      const provider = await addProvider(ledger, 1, { VCPU: { total: 4 }, DISK_GB: { total: 9 } });
      const only = (...names: string[]) =>
        change(ledger, AUTHOR, (session, context) =>
          setInventories(
            session,
            context,
            { provider },
            new Map(names.map((name) => [name, { ...INVENTORY_DEFAULTS, total: 5 }])),
            'removed',
          ),
        );
      await claimFor(ledger, 'a', { [provider]: { VCPU: 1 } });
      expect(await only('DISK_GB')).to.deep.equal({
        kind: 'refused',
        refusals: [{ kind: 'in-use', provider, providerName: 'p1', classes: ['VCPU'] }],
      });
      expect((await only('VCPU')).kind).to.equal('done');
      const image = await ledger.store.read(readImage);
      const left = image.providers.get(provider)!.inventories;
      expect([...left].map(([name, { total }]) => [name, total])).to.deep.equal([['VCPU', 5]]);
    });

    it('raise the generation by one each, and refuse a stale one', async () => {
      const provider = await addProvider(ledger, 1, {});
      const stock = new Map([
        ['VCPU', { total: 4, reserved: 4, minUnit: 1, maxUnit: 4, stepSize: 1, allocationRatio: '1' }],
      ]);
      const done = [
        await change(ledger, AUTHOR, (session, context) =>
          setInventories(session, context, { provider, generation: 0 }, stock, 'kept'),
        ),
        await change(ledger, AUTHOR, (session, context) =>
          setTraits(session, context, { provider, generation: 1 }, ['HW_CPU_X86_AVX2']),
        ),
        await change(ledger, AUTHOR, (session, context) =>
          setAggregates(session, context, { provider, generation: 2 }, { aggregates: [uuidOf(99)] }),
        ),
        await change(ledger, AUTHOR, (session, context) =>
          removeInventories(session, context, { provider, generation: 3 }, ['VCPU']),
        ),
      ];
      expect(done.map((one) => one.kind === 'done' && one.value.generation)).to.deep.equal([1, 2, 3, 4]);
      const stale = await change(ledger, AUTHOR, (session, context) =>
        setTraits(session, context, { provider, generation: 3 }, []),
      );
      expect(stale).to.deep.equal({
        kind: 'conflict',
        conflict: { kind: 'provider-generation', provider, expected: 3, found: 4 },
      });
      const unknown = await change(ledger, AUTHOR, (session, context) =>
        setTraits(session, context, { provider }, ['NO_SUCH_TRAIT']),
      );
      expect(unknown.kind).to.equal('refused');
      expect(await facts('p1')).to.deep.include({ generation: 4, traits: ['HW_CPU_X86_AVX2'] });
    });
  });

  describe('to claims', () => {
    it('move everything in one transaction, on top of what the other has', async () => {
      const p = await addProvider(ledger, 1, { VCPU: { total: 4 } });
      await claimFor(ledger, 'a', { [p]: { VCPU: 2 } }, { project: 'web' });
      await claimFor(ledger, 'b', { [p]: { VCPU: 2 } });
      expect((await moveClaims(ledger, AUTHOR, { from: 'a', to: 'b', stepMode: 'exempt' })).kind).to.equal(
        'done',
      );
      expect(await held('a')).to.equal(null);
      expect(await held('b')).to.deep.equal([{ provider: 'p1', class: 'VCPU', used: 4, ends: [] }]);
      const missing = await moveClaims(ledger, AUTHOR, { from: 'a', to: 'b', stepMode: 'exempt' });
      expect(missing).to.deep.equal({
        kind: 'refused',
        refusals: [{ kind: 'unknown-consumer', consumer: 'a' }],
      });
    });

    it('are all or nothing over several providers and consumers', async () => {
      const p = await addProvider(ledger, 1, { VCPU: { total: 4 } });
      const q = await addProvider(ledger, 2, { VCPU: { total: 1 } });
      const consumers = [
        { consumer: 'a', allocations: allOf({ [p]: { VCPU: 1 } }) },
        { consumer: 'b', allocations: allOf({ [p]: { VCPU: 1 }, [q]: { VCPU: 2 } }) },
      ];
      const refused = await claim(ledger, AUTHOR, { consumers, stepMode: 'exempt', action: 'claim' });
      expect(refused.kind === 'refused' && refused.refusals).to.deep.equal([
        {
          kind: 'capacity',
          provider: q,
          providerName: 'p2',
          class: 'VCPU',
          asked: 2,
          used: 0,
          capacity: 1,
          reserved: 0,
          lacking: 1,
          holders: [],
        },
      ]);
      expect([await held('a'), await held('b'), (await facts('p1'))!.generation]).to.deep.equal([
        null,
        null,
        1,
      ]);
    });

    it('expire, and give their room to who needs it; confirmed ones stay', async () => {
      const p = await addProvider(ledger, 1, { VCPU: { total: 4 } });
      await claimFor(ledger, 'kept', { [p]: { VCPU: 2 } }, { expiresAt: START + MINUTE });
      await claimFor(ledger, 'lost', { [p]: { VCPU: 2 } }, { expiresAt: START + MINUTE });
      expect((await confirmClaims(ledger, AUTHOR, ['kept'])).kind).to.equal('done');
      expect((await claimFor(ledger, 'new', { [p]: { VCPU: 2 } })).kind).to.equal('refused');
      clock.ms += MINUTE;
      expect(await confirmClaims(ledger, AUTHOR, ['lost'])).to.deep.equal({
        kind: 'refused',
        refusals: [{ kind: 'expired', consumer: 'lost' }],
      });
      expect((await claimFor(ledger, 'new', { [p]: { VCPU: 2 } })).kind).to.equal('done');
      expect([await held('lost'), (await held('kept'))!.length]).to.deep.equal([null, 1]);
    });

    it('of two that saw the same generation are both granted, one after the other, or the second is refused', async () => {
      const p = await addProvider(ledger, 1, { VCPU: { total: 3 } });
      const other = await openLedger(url, {
        now: () => clock.ms,
        newRequest: () => `other-${Math.random()}`,
      });
      const start = (await facts('p1'))!.generation;
      const outcomes = await Promise.all([
        claimFor(ledger, 'a', { [p]: { VCPU: 2 } }),
        claimFor(other, 'b', { [p]: { VCPU: 2 } }),
        claimFor(other, 'c', { [p]: { VCPU: 1 } }),
      ]);
      await other.store.close();
      const granted = outcomes.filter(({ kind }) => kind === 'done').length;
      expect(outcomes.map(({ kind }) => kind).filter((kind) => kind === 'conflict')).to.deep.equal([]);
      expect([granted, (await facts('p1'))!.inventories[0]!.used]).to.deep.equal([2, 3]);
      expect((await facts('p1'))!.generation).to.equal(start + granted);
    });

    it('leave a record of who, when, why, before and after', async () => {
      const p = await addProvider(ledger, 1, { VCPU: { total: 4 } });
      await claimFor(ledger, 'a', { [p]: { VCPU: 2 } }, { project: 'web' });
      clock.ms += MINUTE;
      const consumers = [{ consumer: 'a', allocations: allOf({ [p]: { VCPU: 3 } }), project: 'db' }];
      await claim(
        ledger,
        { actor: 'ann', reason: 'grew' },
        { consumers, stepMode: 'exempt', action: 'claim' },
      );
      const changes = await ledger.store.read((session) => readHistory(session, { consumer: 'a' }, 10));
      const told = changes.map(({ at, actor, reason, project, generation, before, after }) => ({
        at: Date.parse(at) - START,
        actor,
        reason,
        project,
        generation,
        before,
        after,
      }));
      expect(told.reverse()).to.deep.equal([
        {
          at: 0,
          actor: 'tester',
          reason: null,
          project: 'web',
          generation: 2,
          before: null,
          after: { VCPU: 2 },
        },
        {
          at: MINUTE,
          actor: 'ann',
          reason: 'grew',
          project: 'web',
          generation: 3,
          before: { VCPU: 2 },
          after: null,
        },
        {
          at: MINUTE,
          actor: 'ann',
          reason: 'grew',
          project: 'db',
          generation: 3,
          before: null,
          after: { VCPU: 3 },
        },
      ]);
    });
  });

  describe('show in the use', () => {
    it('by class, provider, project and group', async () => {
      const p = await addProvider(ledger, 1, {
        VCPU: { total: 100, allocationRatio: '1.15' },
        MEMORY_MB: { total: 131072, reserved: 4096, allocationRatio: '1.5' },
      });
      const q = await addProvider(ledger, 2, { IPV4_ADDRESS: { total: 256, reserved: 5 } });
      for (const provider of [p, q])
        await change(ledger, AUTHOR, (session, context) =>
          setAggregates(
            session,
            context,
            { provider },
            { aggregates: [uuidOf(9)], names: new Map([[uuidOf(9), 'rack']]) },
          ),
        );
      await claimFor(ledger, 'a', { [p]: { VCPU: 115 } }, { project: 'web' });
      await claimFor(ledger, 'b', { [q]: { IPV4_ADDRESS: 1 } });
      await claimFor(ledger, 'c', { [q]: { IPV4_ADDRESS: 2 } }, { project: '-' });
      const rows = (by: Parameters<typeof usage>[1]) =>
        ledger.store.read(async (session) =>
          (await usage(session, by)).map((row) => [row.of, row.class, row.used, row.capacity]),
        );
      const classes = [
        ['IPV4_ADDRESS', 3, 251],
        ['MEMORY_MB', 0, 190464],
        ['VCPU', 115, 115],
      ];
      expect(await rows('class')).to.deep.equal(classes.map((row) => [null, ...row]));
      expect(await rows('group')).to.deep.equal(classes.map((row) => ['rack', ...row]));
      expect(await rows('provider')).to.deep.equal([
        ['p1', ...classes[1]!],
        ['p1', ...classes[2]!],
        ['p2', ...classes[0]!],
      ]);
      expect(await rows('project')).to.deep.equal([
        [null, 'IPV4_ADDRESS', 1, null],
        ['-', 'IPV4_ADDRESS', 2, null],
        ['web', 'VCPU', 115, null],
      ]);
    });

    it('over time, for all and for one project', async () => {
      const p = await addProvider(ledger, 1, { VCPU: { total: 100 } });
      const series = async (filter: object) =>
        (
          await ledger.store.read((session) =>
            useOverTime(session, filter, { from: START, to: START + 4 * MINUTE, points: 5 }),
          )
        )[0]?.used;
      clock.ms = START + MINUTE;
      await claimFor(ledger, 'a', { [p]: { VCPU: 10 } }, { project: 'web' });
      clock.ms = START + 2 * MINUTE;
      await claimFor(ledger, 'b', { [p]: { VCPU: 5 } });
      clock.ms = START + 3 * MINUTE;
      await claimFor(ledger, 'a', { [p]: { VCPU: 20 } }, { project: 'db' });
      expect(await series({})).to.deep.equal([0, 10, 15, 25, 25]);
      expect(await series({ project: 'web' })).to.deep.equal([0, 10, 10, 0, 0]);
      expect(await series({ project: 'db' })).to.deep.equal([0, 0, 0, 20, 20]);
      const q = await addProvider(ledger, 2, { VCPU: { total: 100 } });
      await claimFor(ledger, 'c', { [q]: { VCPU: 7 } }, { project: 'db' });
      clock.ms = START + 4 * MINUTE;
      expect(await series({ project: 'db', provider: 1 })).to.deep.equal([0, 0, 0, 20, 20]);
      expect(await series({ project: 'db', provider: 2 })).to.deep.equal([0, 0, 0, 7, 7]);
      expect(await series({ provider: 2 })).to.deep.equal([0, 0, 0, 7, 7]);
      expect(await series({ project: 'none' })).to.equal(undefined);
    });

    it('over time, with changes between two points, ahead of the span, and of other kinds', async () => {
      const p = await addProvider(ledger, 1, { VCPU: { total: 100 }, DISK_GB: { total: 9 } });
      const q = await addProvider(ledger, 2, { VCPU: { total: 100 } });
      const span = { from: START + 10, to: START + 90, points: 3 };
      const series = (filter: object) => ledger.store.read((session) => useOverTime(session, filter, span));
      const at = async (ms: number, consumer: string, amounts: Amounts, until?: number) => {
        clock.ms = START + ms;
        await claimFor(ledger, consumer, amounts, { expiresAt: until });
      };
      await at(9, 'a', { [p]: { VCPU: 1 } });
      await at(10, 'b', { [p]: { VCPU: 2 } });
      await at(11, 'c', { [p]: { VCPU: 4 }, [q]: { VCPU: 32 } });
      await at(50, 'd', { [p]: { VCPU: 8, DISK_GB: 3 } }, START + 1000);
      await at(51, 'd', { [p]: { VCPU: 9 } }, START + 1000);
      await confirmClaims(ledger, AUTHOR, ['d']);
      expect(await series({ provider: 1 })).to.deep.equal([
        { class: 'DISK_GB', used: [0, 3, 0] },
        { class: 'VCPU', used: [3, 15, 16] },
      ]);
      expect(await series({})).to.deep.equal([
        { class: 'DISK_GB', used: [0, 3, 0] },
        { class: 'VCPU', used: [3, 47, 48] },
      ]);
      // Later than now, by a clock that was set back since: what there is now is there at the end.
      await at(91, 'e', { [p]: { VCPU: 16 } });
      await at(5000, 'f', { [p]: { VCPU: 1 } });
      expect((await series({ provider: 1 }))[1]).to.deep.equal({ class: 'VCPU', used: [3, 15, 33] });
    });

    it('over time, by a clock that was set back to the start of the history', async () => {
      const p = await addProvider(ledger, 1, { VCPU: { total: 100 } });
      await claimFor(ledger, 'a', { [p]: { VCPU: 10 } });
      const span = { from: START, to: START, points: 2 };
      expect(await ledger.store.read((session) => useOverTime(session, {}, span))).to.deep.equal([
        { class: 'VCPU', used: [10, 10] },
      ]);
    });

    it('over time, of a class under the name that it had and the one that it has', async () => {
      const named = (to: string) =>
        change(ledger, AUTHOR, async (session, context) => {
          if (to === 'CUSTOM_OLD') await addName(session, context, 'resource_classes', to);
          else {
            expect(await renameClass(session, context, 'CUSTOM_OLD', 'VCPU')).to.equal('taken');
            expect(await renameClass(session, context, 'CUSTOM_NONE', to)).to.equal('unknown');
            expect(await renameClass(session, context, 'CUSTOM_OLD', to)).to.equal('renamed');
          }
          return { kind: 'done', value: {} };
        });
      await named('CUSTOM_OLD');
      const p = await addProvider(ledger, 1, { VCPU: { total: 100 }, CUSTOM_OLD: { total: 9 } });
      await addProvider(ledger, 2, { CUSTOM_OLD: { total: 9 } });
      await claimFor(ledger, 'a', { [p]: { VCPU: 1, CUSTOM_OLD: 2 } }, { project: 'web' });
      await claimFor(ledger, 'b', { [p]: { VCPU: 1 } });
      clock.ms = START + 50;
      await named('CUSTOM_NEW');
      const span = { from: START + 10, to: START + 90, points: 3 };
      expect(
        await ledger.store.read((session) => useOverTime(session, { project: 'web' }, span)),
      ).to.deep.equal([
        { class: 'CUSTOM_NEW', used: [0, 2, 2] },
        { class: 'CUSTOM_OLD', used: [2, 0, 0] },
        { class: 'VCPU', used: [1, 1, 1] },
      ]);
      const told = await ledger.store.read((session) => readHistory(session, { since: START + 50 }, 10));
      expect(told.map(({ provider, consumer }) => [provider, consumer])).to.deep.equal([
        ['p1', 'a'],
        ['p2', null],
        ['p1', null],
      ]);
    });

    it('under a new name, which the history tells where nobody has the class, too', async () => {
      await change(ledger, AUTHOR, async (session, context) => {
        await addName(session, context, 'resource_classes', 'CUSTOM_OLD');
        await renameClass(session, context, 'CUSTOM_OLD', 'CUSTOM_NEW');
        return { kind: 'done', value: {} };
      });
      const [told] = await ledger.store.read((session) => readHistory(session, {}, 1));
      expect(told).to.include({
        action: 'class-set',
        before: 'CUSTOM_OLD',
        after: 'CUSTOM_NEW',
        provider: null,
      });
    });

    describe('under a new name while others are at work', () => {
      const rename = (to: string) =>
        change(ledger, AUTHOR, async (session, context) => ({
          kind: 'done',
          value: await renameClass(session, context, 'CUSTOM_OLD', to),
        }));
      beforeEach(() =>
        change(ledger, AUTHOR, async (session, context) => ({
          kind: 'done',
          value: await addName(session, context, 'resource_classes', 'CUSTOM_OLD'),
        })),
      );

      it('is given once', async () => {
        const outcomes = await Promise.all([rename('CUSTOM_A'), rename('CUSTOM_B')]);
        const values = outcomes.map((outcome) => outcome.kind === 'done' && outcome.value);
        expect(values.sort()).to.deep.equal(['renamed', 'unknown']);
      });

      it('is in the history of a claim that has read the old one', async () => {
        const provider = await addProvider(ledger, 1, { CUSTOM_OLD: { total: 9 } });
        let renamed: ReturnType<typeof rename> | undefined;
        // The claim has read all that it needs, and writes nothing before the class could have its new name.
        const store = writing(ledger.store, (work, isKept) =>
          ledger.store.write(
            (session) =>
              work({
                dialect: session.dialect,
                all: (statement, values) => session.all(statement, values),
                get: (statement, values) => session.get(statement, values),
                script: (statements) => session.script(statements),
                run: async (statement, values) => {
                  renamed ??= rename('CUSTOM_NEW');
                  if (session.dialect === 'postgres') await Promise.race([renamed, wait(300)]);
                  return session.run(statement, values);
                },
              }),
            isKept,
          ),
        );
        await claimFor({ ...ledger, store }, 'a', { [provider]: { CUSTOM_OLD: 2 } });
        expect(await renamed).to.deep.equal({ kind: 'done', value: 'renamed' });
        expect(await held('a')).to.deep.equal([{ provider: 'p1', class: 'CUSTOM_NEW', used: 2, ends: [] }]);
      });
    });

    it('of generations: a claim that raises those of what it takes raises, where all goes back, what it had', async () => {
      const p = await addProvider(ledger, 1, { VCPU: { total: 9 } });
      const q = await addProvider(ledger, 2, { VCPU: { total: 9 } });
      const generations = async () => {
        const { providers } = await ledger.store.read(readImage);
        return [p, q].map((uuid) => providers.get(uuid)!.generation);
      };
      const take = (amounts: Amounts) =>
        claim(ledger, AUTHOR, {
          consumers: [{ consumer: 'a', allocations: allOf(amounts) }],
          stepMode: 'exempt',
          action: 'claim',
          raises: 'claimed',
        });
      await take({ [p]: { VCPU: 1 } });
      expect(await generations()).to.deep.equal([2, 1]);
      await take({ [q]: { VCPU: 1 } });
      expect(await generations()).to.deep.equal([2, 2]);
      await take({});
      expect(await generations()).to.deep.equal([2, 3]);
    });

    it('over time is added up by the database, which gives a row for a point and class at most', async () => {
      const p = await addProvider(ledger, 1, { VCPU: { total: 100 } });
      for (const name of 'abcdefgh') await claimFor(ledger, name, { [p]: { VCPU: 1 } });
      const span = { from: START - MINUTE, to: START + MINUTE, points: 3 };
      // What is used now, and what was added.
      expect(await rowsTaken(ledger, (session) => useOverTime(session, {}, span))).to.equal(2);
    });
  });
});
