import { expect } from 'chai';
import { bind, expire, unbind } from '../../../src/ledger/binding/book/bind.ts';
import { type Book, bookOn } from '../../../src/ledger/binding/book/book.ts';
import { endMaintenance, startMaintenance } from '../../../src/ledger/binding/book/maintenance.ts';
import { rebind } from '../../../src/ledger/binding/book/rebind.ts';
import { currentOfTenants, pastOf, tenantCounts } from '../../../src/ledger/binding/tables/bindings.ts';
import { changesOf, measuresSince } from '../../../src/ledger/binding/tables/changes.ts';
import { describeOnEachStore } from '../store/each-store.ts';
import { recorded, type Statement, scansOf } from '../store/statement-plans.ts';
import { ACTOR, addPods, ask, freshBook, memory, settled, type TestBook, use } from './books.ts';

/** Tables that grow with the tenants and with time. */
const LARGE = ['bindings', 'pod_changes'];

describeOnEachStore('the plans of statements about pods', (freshUrl) => {
  let book: TestBook;
  beforeEach(async () => {
    book = await freshBook(await freshUrl());
    await addPods(book, [{ name: 'P1' }, { name: 'P2' }, { name: 'P3' }]);
  });
  afterEach(() => book.store.close());

  const scans = (statement: Statement): Promise<readonly string[]> =>
    book.store.write(
      (session) => scansOf(session, statement, LARGE),
      () => false,
    );

  it('read no large table from one end to the other', async () => {
    const statements = new Map<string, Statement>();
    const listened: Book = bookOn(recorded(book.store, statements), book.now);
    await ask(listened, 't');
    await ask(listened, 't', { az: 'A' });
    await use(listened, { P1: memory(950) });
    await ask(listened, 't', { lastsMs: 1 });
    settled(await rebind(listened, ACTOR, {}));
    settled(await rebind(listened, ACTOR, { tenants: ['t'] }));
    settled(await startMaintenance(listened, ACTOR, 'P2', true));
    settled(await endMaintenance(listened, ACTOR, 'P2', true));
    settled(await bind(listened, ACTOR, { tenant: 't', pod: 'P3', az: '' }));
    await expire(listened);
    await unbind(listened, 't');
    await ask(listened, 't');
    await listened.store.read(async (session) => {
      await tenantCounts(session, [1, 2]);
      await currentOfTenants(session, ['t', 'u']);
      await pastOf(session, 't', 10);
      await measuresSince(session, 1, 0);
      await changesOf(session, 1, 10);
    });
    expect(statements.size).to.be.above(20);
    const found: string[] = [];
    for (const statement of statements.values())
      for (const scan of await scans(statement)) found.push(`${statement[0]}: ${scan}`);
    expect(found).to.deep.equal([]);
  });

  it('would show a scan if there were one', async () => {
    expect(await scans(['SELECT actor FROM bindings WHERE actor = ?', ['x']])).to.have.length(1);
  });
});
