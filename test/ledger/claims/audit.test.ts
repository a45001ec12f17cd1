import { expect } from 'chai';
import { audit } from '../../../src/ledger/claims/audit/audit.ts';
import type { Ledger } from '../../../src/ledger/claims/claim/ledger.ts';
import { describeOnEachStore } from '../store/each-store.ts';
import { addProvider, claimFor, freshLedger, stockProvider } from './ledgers.ts';

describeOnEachStore('the audit', (freshUrl) => {
  let ledger: Ledger;
  let p: string;

  beforeEach(async () => {
    ledger = await freshLedger(await freshUrl());
    p = await addProvider(ledger, 1, { VCPU: { total: 10 } });
    await claimFor(ledger, 'a', { [p]: { VCPU: 4 } }, { project: 'web' });
  });
  afterEach(() => ledger.store.close());

  const kinds = async () => (await ledger.store.read(audit)).map(({ kind }) => kind);

  /** Each row that somebody changes behind the ledger's back is found. */
  const TAMPERINGS: readonly (readonly [string, string, readonly string[]])[] = [
    ['a kept sum', 'UPDATE inventories SET used = 3', ['sum']],
    ['an allocation', 'UPDATE allocations SET used = 5', ['sum', 'owner-sum', 'history']],
    ['the sum of a project', 'UPDATE owner_totals SET used = used + 1', ['owner-sum']],
    ['a generation', 'UPDATE resource_providers SET generation = generation + 1', ['generation']],
    ['a lost allocation', 'DELETE FROM allocations', ['orphan', 'sum', 'owner-sum', 'history']],
    ['a lost record', "DELETE FROM history WHERE action = 'claim'", ['generation', 'history']],
    ['a root', 'UPDATE resource_providers SET root_id = NULL', ['tree']],
  ];
  for (const [what, statement, found] of TAMPERINGS)
    it(`finds ${what} that was tampered with`, async () => {
      expect(await kinds()).to.deep.equal([]);
      await ledger.store.write((session) => session.run(statement));
      expect(await kinds()).to.deep.equal(found);
    });

  it('warns of what is over capacity or breaks a unit since the inventory was lowered', async () => {
    await stockProvider(ledger, p, { VCPU: { total: 3, maxUnit: 2 } });
    expect(await ledger.store.read(audit)).to.deep.equal([
      { kind: 'over-capacity', provider: 'p1', class: 'VCPU', used: 4, capacity: 3 },
      { kind: 'unit', provider: 'p1', class: 'VCPU', consumer: 'a', amount: 4, rule: 'max_unit' },
    ]);
  });
});
