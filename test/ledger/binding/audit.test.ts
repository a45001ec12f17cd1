import { expect } from 'chai';
import { auditBindings } from '../../../src/ledger/binding/audit/audit.ts';
import { describeOnEachStore } from '../store/each-store.ts';
import { addPods, ask, freshBook } from './books.ts';

describeOnEachStore('the audit of bindings', (freshUrl) => {
  it('finds rows that overlap, leave a gap, or come from the future, and no others', async () => {
    const book = await freshBook(await freshUrl());
    await addPods(book, [{ name: 'P1' }, { name: 'P2' }]);
    for (const tenant of ['a', 'b', 'c', 'd', 'e']) await ask(book, tenant);
    const changed = (set: string, tenant: string) =>
      book.store.write((session) => session.run(`UPDATE bindings SET ${set} WHERE tenant = ?`, [tenant]));
    const followed = (tenant: string, at: number, az = '') =>
      book.store.write((session) =>
        session.run(
          `INSERT INTO bindings (tenant, pod_id, az, affinity, start_at, reason, actor, generation)
           VALUES (?, 1, ?, '{}', ?, 'exhausted', 'x', 1)`,
          [tenant, az, at],
        ),
      );
    const end = book.clock.ms + 1000;
    await changed(`end_at = ${end}, end_reason = 'admin'`, 'a');
    await followed('a', end - 1);
    await changed(`end_at = ${end}, end_reason = 'exhausted'`, 'b');
    await followed('b', end + 1);
    // Of another zone: nobody takes over.
    await changed(`end_at = ${end}, end_reason = 'maintenance'`, 'c');
    await followed('c', end, 'z');
    await changed('generation = 99', 'd');
    await changed(`end_at = ${end}, end_reason = 'exhausted'`, 'e');
    await followed('e', end);
    expect(await book.store.read(auditBindings)).to.deep.equal([
      { kind: 'overlap', tenant: 'a', bindings: [1, 6] },
      { kind: 'gap', tenant: 'b', bindings: [2, 7] },
      { kind: 'gap', tenant: 'c', bindings: [3, null] },
      { kind: 'from-the-future', tenant: 'd', binding: 4 },
    ]);
    await book.store.close();
  });
});
