import { expect } from 'chai';
import { claim } from '../../../src/ledger/claims/claim/claim.ts';
import { moveClaims } from '../../../src/ledger/claims/claim/hand-over.ts';
import type { Ledger } from '../../../src/ledger/claims/claim/ledger.ts';
import { newsBehind, tailNow } from '../../../src/ledger/claims/tables/history.ts';
import { readHistory } from '../../../src/ledger/claims/usage/history.ts';
import { consumerFacts, providerFacts } from '../../../src/ledger/claims/usage/show.ts';
import { usage } from '../../../src/ledger/claims/usage/usage.ts';
import { translate } from '../../../src/ledger/store/dialect.ts';
import { describeOnEachStore } from '../store/each-store.ts';
import { recorded, type Statement, scansOf } from '../store/statement-plans.ts';
import { AUTHOR, addProvider, allOf, claimFor, freshLedger } from './ledgers.ts';

/** Tables that grow with the number of claims. */
const LARGE = ['allocations', 'consumers', 'history'];

describeOnEachStore('the plans of the statements', (freshUrl) => {
  let ledger: Ledger;
  beforeEach(async () => {
    ledger = await freshLedger(await freshUrl());
  });
  afterEach(() => ledger.store.close());

  it('read no large table from one end to the other, for claims and for what people ask', async () => {
    const p = await addProvider(ledger, 1, { VCPU: { total: 100 }, MEMORY_MB: { total: 100 } });
    const statements = new Map<string, Statement>();
    const listened: Ledger = { ...ledger, store: recorded(ledger.store, statements) };
    await claimFor(
      listened,
      'a',
      { [p]: { VCPU: 2, MEMORY_MB: 1 } },
      { project: 'web', user: 'ann', type: 'INSTANCE' },
    );
    await claimFor(listened, 'a', { [p]: { VCPU: 3 } });
    await claimFor(listened, 'b', { [p]: { VCPU: 200 } });
    await moveClaims(listened, AUTHOR, { from: 'a', to: 'b', stepMode: 'exempt' });
    await claim(listened, AUTHOR, {
      consumers: [{ consumer: 'b', allocations: allOf({}) }],
      stepMode: 'exempt',
      action: 'release',
    });
    await listened.store.read(async (session) => {
      await consumerFacts(session, 'a');
      await providerFacts(session, 'p1');
      for (const by of ['class', 'provider', 'project', 'group'] as const) await usage(session, by);
      await readHistory(session, { consumer: 'a' }, 10);
      await readHistory(session, { provider: 1 }, 10);
      await readHistory(session, { since: 0 }, 10);
      await readHistory(session, { among: [1, 2] }, 10);
      const tail = await tailNow(session);
      await newsBehind(session, { ...tail, passed: new Map([[1, 1]]) }, 10);
    });
    expect(statements.size).to.be.above(20);
    const found: string[] = [];
    for (const statement of statements.values()) {
      const scans = await ledger.store.write(
        (session) => scansOf(session, statement, LARGE),
        () => false,
      );
      if (scans.length > 0) found.push(`${translate(ledger.store.dialect, statement[0])}: ${scans.join()}`);
    }
    expect(found).to.deep.equal([]);
  });

  it('would show a scan if there were one', async () => {
    const scans = await ledger.store.write(
      (session) => scansOf(session, ['SELECT a.used FROM allocations a WHERE a.updated_at = ?', [1]], LARGE),
      () => false,
    );
    expect(scans).to.have.length(1);
  });
});
