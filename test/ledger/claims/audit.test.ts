import { expect } from 'chai';
import { audit } from '../../../src/ledger/claims/audit/audit.ts';
import type { Ledger } from '../../../src/ledger/claims/claim/ledger.ts';
import { readImage } from '../../../src/ledger/claims/cluster/read-image.ts';
import { Connection } from '../../../src/ledger/store/sqlite-connection.ts';
import { describeOnEachStore } from '../store/each-store.ts';
import { addProvider, claimFor, freshLedger, rowsTaken, stockProvider } from './ledgers.ts';

describeOnEachStore('the audit', (freshUrl) => {
  let ledger: Ledger;
  let p: string;

  beforeEach(async () => {
    ledger = await freshLedger(await freshUrl());
    p = await addProvider(ledger, 1, { VCPU: { total: 10 } });
    await claimFor(ledger, 'a', { [p]: { VCPU: 4 } }, { project: 'web' });
  });
  afterEach(() => ledger.store.close());

  const findings = () => ledger.store.read(audit);
  const ofHistory = (consumer: string, recorded: string, found: string) => ({
    kind: 'history',
    provider: 'p1',
    consumer,
    recorded,
    found,
  });
  const sum = { kind: 'sum', provider: 'p1', class: 'VCPU' };
  const ownerSum = { kind: 'owner-sum', project: 'web', class: 'VCPU' };
  const lostConsumer = { kind: 'orphan', what: 'consumer a holds nothing' };

  /** Each row that somebody changes behind the ledger's back is found. The provider has generation 2. */
  const TAMPERINGS: readonly (readonly [string, string, readonly object[]])[] = [
    ['a kept sum', 'UPDATE inventories SET used = 3', [{ ...sum, kept: 3, sum: 4 }]],
    [
      'an allocation',
      'UPDATE allocations SET used = 5',
      [{ ...sum, kept: 4, sum: 5 }, { ...ownerSum, kept: 4, sum: 5 }, ofHistory('a', 'VCPU:4', 'VCPU:5')],
    ],
    ['the sum of a project', 'UPDATE owner_totals SET used = used + 1', [{ ...ownerSum, kept: 5, sum: 4 }]],
    [
      'the owner of a sum',
      'UPDATE owner_totals SET user_id = 9, used = 1',
      [
        { ...ownerSum, kept: 0, sum: 4 },
        { ...ownerSum, kept: 1, sum: 0 },
      ],
    ],
    [
      'the project of a sum',
      'UPDATE owner_totals SET project_id = 0',
      [
        { ...ownerSum, project: null, kept: 4, sum: 0 },
        { ...ownerSum, kept: 0, sum: 4 },
      ],
    ],
    [
      'a generation',
      'UPDATE resource_providers SET generation = generation + 1',
      [{ kind: 'generation', provider: 'p1', generation: 3, changes: 2 }],
    ],
    [
      'a lost allocation',
      'DELETE FROM allocations',
      [
        lostConsumer,
        { ...sum, kept: 4, sum: 0 },
        { ...ownerSum, kept: 4, sum: 0 },
        ofHistory('a', 'VCPU:4', 'nothing'),
      ],
    ],
    [
      'a lost record',
      "DELETE FROM history WHERE action = 'claim'",
      [
        { kind: 'generation', provider: 'p1', generation: 2, changes: 1 },
        ofHistory('a', 'nothing', 'VCPU:4'),
      ],
    ],
    [
      'a record of two requests under one generation',
      `INSERT INTO history (at, request, actor, action, provider_id, provider_name, generation)
       SELECT at, 'another', actor, 'inventory', provider_id, provider_name, generation FROM history WHERE action = 'claim'`,
      [{ kind: 'generation', provider: 'p1', generation: 2, changes: 3 }],
    ],
    [
      'a record of more than there is',
      `UPDATE history SET after = '{"MEMORY_MB":1,"VCPU":4}' WHERE action = 'claim'`,
      [ofHistory('a', 'MEMORY_MB:1,VCPU:4', 'VCPU:4')],
    ],
    ['a root', 'UPDATE resource_providers SET root_id = NULL', [{ kind: 'tree', provider: 'p1' }]],
  ];
  for (const [what, statement, found] of TAMPERINGS)
    it(`finds ${what} that was tampered with`, async () => {
      expect(await findings()).to.deep.equal([]);
      await ledger.store.write((session) => session.run(statement));
      expect(await findings()).to.have.deep.members(found);
    });

  it('finds an allocation of nobody, of which an image has nothing', async () => {
    const { store } = ledger;
    const remove = 'DELETE FROM consumers';
    if (store.dialect === 'postgres')
      await store.write((session) =>
        session.script(`ALTER TABLE allocations DROP CONSTRAINT allocations_consumer_id_fkey; ${remove}`),
      );
    else {
      const connection = new Connection(store.name, 1000);
      connection.database.exec(`PRAGMA foreign_keys = OFF; ${remove}`);
      connection.close();
    }
    const orphans = (await findings()).filter(({ kind }) => kind === 'orphan');
    expect(orphans).to.deep.equal([
      { kind: 'orphan', what: 'allocation of consumer 1, provider 1, class 1' },
    ]);
    expect([...(await store.read(readImage)).consumers]).to.deep.equal([]);
  });

  it('takes the amounts of a record in whichever order they stand', async () => {
    await stockProvider(ledger, p, { MEMORY_MB: { total: 8, maxUnit: 8 } });
    await claimFor(ledger, 'b', { [p]: { VCPU: 1, MEMORY_MB: 2 } });
    await ledger.store.write((session) =>
      session.run(`UPDATE history SET after = '{"MEMORY_MB":2,"VCPU":1}' WHERE consumer = 'b'`),
    );
    expect(await findings()).to.deep.equal([]);
  });

  it('takes nothing out of the database for each consumer of a clean ledger', async () => {
    const before = await rowsTaken(ledger, audit);
    for (const name of ['b', 'c', 'd', 'e']) await claimFor(ledger, name, { [p]: { VCPU: 1 } });
    expect(await rowsTaken(ledger, audit)).to.equal(before);
  });

  it('warns of what is over capacity or breaks a unit since the inventory was lowered', async () => {
    await stockProvider(ledger, p, { VCPU: { total: 3, maxUnit: 2 } });
    expect(await ledger.store.read(audit)).to.deep.equal([
      { kind: 'over-capacity', provider: 'p1', class: 'VCPU', used: 4, capacity: 3 },
      { kind: 'unit', provider: 'p1', class: 'VCPU', consumer: 'a', amount: 4, rule: 'max_unit' },
    ]);
  });

  it('knows the capacity with its ratio, and every rule of units', async () => {
    const over = async (stock: object) => {
      await stockProvider(ledger, p, { VCPU: { total: 10, maxUnit: 10, ...stock } });
      return (await ledger.store.read(audit)).map((one) =>
        'capacity' in one ? one.capacity : 'rule' in one && one.rule,
      );
    };
    expect(await over({ total: 4 })).to.deep.equal([]);
    expect(await over({ total: 3, allocationRatio: '1.3' })).to.deep.equal([3]);
    expect(await over({ total: 3, allocationRatio: '1.34' })).to.deep.equal([]);
    expect(await over({ total: 2, allocationRatio: '16' })).to.deep.equal([]);
    expect(await over({ total: 7, reserved: 4 })).to.deep.equal([3]);
    expect(await over({ allocationRatio: '0.5' })).to.deep.equal([]);
    expect(await over({ allocationRatio: '0.39' })).to.deep.equal([3]);
    expect(await over({ minUnit: 5 })).to.deep.equal(['min_unit']);
    expect(await over({ stepSize: 3 })).to.deep.equal(['step_size']);
    expect(await over({ stepSize: 3, minUnit: 4 })).to.deep.equal([]);
    expect(await over({ stepSize: 2 })).to.deep.equal([]);
  });
});
