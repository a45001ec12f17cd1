import { expect } from 'chai';
import { audit } from '../../../src/ledger/claims/audit/audit.ts';
import { initLedger } from '../../../src/ledger/claims/claim/ledger.ts';
import { readImage } from '../../../src/ledger/claims/cluster/read-image.ts';
import { CLAIMS } from '../../../src/ledger/claims/schema/migrations.ts';
import { consumerFacts } from '../../../src/ledger/claims/usage/show.ts';
import { migrate } from '../../../src/ledger/store/migrations.ts';
import { openStore } from '../../../src/ledger/store/open-store.ts';
import type { Session } from '../../../src/ledger/store/store.ts';
import { describeOnEachStore } from '../store/each-store.ts';
import { START } from './ledgers.ts';

/** What version 1 of the tables has after two claims of one provider, the second with an end. */
const VERSION_1 = `
INSERT INTO resource_providers (uuid, name, generation, can_host, root_id, created_at, updated_at) VALUES ('u1', 'p1', 4, 1, 1, 0, 0);
INSERT INTO inventories (provider_id, class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio, used, created_at, updated_at)
  VALUES (1, 1, 8, 0, 1, 8, 1, '1', 5, 0, 0);
INSERT INTO consumers (uuid, generation, expires_at, created_at, updated_at) VALUES ('kept', 1, NULL, 0, 0);
INSERT INTO consumers (uuid, generation, expires_at, created_at, updated_at) VALUES ('ending', 1, ${START}, 0, 0);
INSERT INTO allocations (consumer_id, provider_id, class_id, used, updated_at) VALUES (1, 1, 1, 2, 0);
INSERT INTO allocations (consumer_id, provider_id, class_id, used, updated_at) VALUES (2, 1, 1, 3, 0);
INSERT INTO owner_totals (project_id, user_id, type_id, class_id, bucket, used) VALUES (0, 0, 0, 1, 1, 5);
INSERT INTO history (at, request, actor, action, provider_id, provider_name, generation) VALUES (0, 'r1', 'a', 'provider-add', 1, 'p1', 1);
INSERT INTO history (at, request, actor, action, provider_id, provider_name, generation) VALUES (0, 'r2', 'a', 'inventory', 1, 'p1', 2);
INSERT INTO history (at, request, actor, action, provider_id, provider_name, generation, consumer, after)
  VALUES (0, 'r3', 'a', 'claim', 1, 'p1', 3, 'kept', '{"VCPU":2}');
INSERT INTO history (at, request, actor, action, provider_id, provider_name, generation, consumer, after)
  VALUES (0, 'r4', 'a', 'claim', 1, 'p1', 4, 'ending', '{"VCPU":3}');
`;

/** Looks at a ledger whose tables were of an earlier version when it was filled. */
async function upgraded(
  url: string,
  version: number,
  fill: (session: Session) => Promise<unknown>,
  look: (made: Awaited<ReturnType<typeof initLedger>>) => Promise<void>,
): Promise<void> {
  const store = await openStore(url, { isMade: true });
  await migrate(store, { ...CLAIMS, migrations: CLAIMS.migrations.slice(0, version) }, START);
  await store.write(fill);
  await store.close();
  const made = await initLedger(url, { now: () => START, newRequest: () => 'r' });
  await look(made).finally(() => made.ledger.store.close());
}

describeOnEachStore('tables of version 3', (freshUrl) => {
  it('have consumers in several spellings, which are found in any of them afterwards', async () => {
    const [once, twice] = ['ABCDEF0123456789ABCDEF0123456789', 'abcdef01-2345-6789-abcd-ef0123456780'];
    const fill = async (session: Session) => {
      for (const uuid of [once, twice, twice.toUpperCase(), 'Web1'])
        await session.run('INSERT INTO consumers (uuid, created_at, updated_at) VALUES (?, 0, 0)', [uuid]);
      await session.run(
        "INSERT INTO history (at, request, actor, action, consumer) VALUES (0, 'r', 'a', 'claim', ?)",
        [once],
      );
    };
    await upgraded(await freshUrl(), 3, fill, async ({ ledger }) => {
      const kept = 'abcdef01-2345-6789-abcd-ef0123456789';
      const { consumers } = await ledger.store.read(readImage);
      expect([...consumers.keys()].sort()).to.deep.equal([twice.toUpperCase(), 'Web1', kept, twice].sort());
      const history = await ledger.store.read((session) =>
        session.all<{ consumer: string }>('SELECT consumer FROM history'),
      );
      expect(history).to.deep.equal([{ consumer: kept }]);
    });
  });
});

describeOnEachStore('tables of version 2', (freshUrl) => {
  it('say where an instance is until it is moved, and not yet what it has there', async () => {
    const fill = (session: Session) =>
      session.run(
        "INSERT INTO consumers (uuid, moving_from, created_at, updated_at) VALUES ('web1', ?, 0, 0)",
        ['["u1","u2"]'],
      );
    await upgraded(await freshUrl(), 2, fill, async ({ ledger }) => {
      const { consumers } = await ledger.store.read(readImage);
      expect(consumers.get('web1')!.movingFrom).to.deep.equal({ u1: {}, u2: {} });
    });
  });
});

describeOnEachStore('tables of version 1', (freshUrl) => {
  it('are brought up to date, and each end goes from the consumer to what it holds', async () => {
    const fill = (session: Session) => session.script(VERSION_1);
    await upgraded(await freshUrl(), 1, fill, async ({ ledger, report }) => {
      expect([report.from, report.to, report.backups.length]).to.deep.equal([1, 4, 3]);
      const factsOf = async (name: string) =>
        (await ledger.store.read((session) => consumerFacts(session, name)))?.allocations.map(
          ({ used, ends }) => ({ used, ends }),
        );
      expect(await factsOf('kept')).to.deep.equal([{ used: 2, ends: [] }]);
      expect(await factsOf('ending')).to.deep.equal([{ used: 3, ends: [{ at: START, amount: 3 }] }]);
      expect(await ledger.store.read(audit)).to.deep.equal([]);
    });
  });
});
