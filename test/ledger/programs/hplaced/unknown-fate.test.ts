import { expect } from 'chai';
import { PODS } from '../../../../src/ledger/binding/schema/migrations.ts';
import { migrate } from '../../../../src/ledger/store/migrations.ts';
import { OutcomeUnknown, type Store } from '../../../../src/ledger/store/store.ts';
import { addProvider, freshLedger, START } from '../../claims/ledgers.ts';
import { describeOnEachStore } from '../../store/each-store.ts';
import { writing } from '../../store/writing.ts';
import { serviceOn } from './in-process.ts';

const CONSUMER = '22222222-2222-4222-8222-222222222222';

/** A store that loses the last word of each commit, though the change is made. */
const losingTheLastWord = (store: Store): Store =>
  writing(store, async (work, isKept) => {
    await store.write(work, isKept);
    throw new OutcomeUnknown('ledger: the connection broke during COMMIT');
  });

describeOnEachStore('a change of which nobody knows whether it was made', (freshUrl) => {
  it('is told so over HTTP, is tried once, and is not to be tried again at once', async () => {
    const ledger = await freshLedger(await freshUrl());
    const node = await addProvider(ledger, 1, { VCPU: { total: 4 } });
    await migrate(ledger.store, PODS, START);
    const service = serviceOn({ ...ledger, store: losingTheLastWord(ledger.store) });
    const path = `/allocations/${CONSUMER}`;
    const allocations = { [node]: { resources: { VCPU: 1 } } };
    const owner = { project_id: 'shop', user_id: 'eve', consumer_type: 'INSTANCE' };
    const requests = [
      ['POST', '/resource_providers', { name: 'p2' }],
      ['PUT', `/resource_providers/${node}/traits`, { traits: [], resource_provider_generation: 1 }],
      ['PUT', path, { allocations, consumer_generation: null, ...owner }],
      ['POST', `${path}/confirm`],
      ['DELETE', path],
      ['POST', '/pods', { name: 'pod1' }],
    ] as const;
    for (const [method, url, body] of requests) {
      const answer = await service.call(method, url, body);
      const [{ code, detail }] = answer.body.errors;
      expect([answer.status, code], `${method} ${url}`).to.deep.equal([503, 'hplaced.outcome_unknown']);
      expect(detail).to.match(/^Whether the change was made is not known/);
      expect(answer.headers).not.to.have.property('retry-after');
    }
    // Made once, or taken back: not twice.
    const rows = await ledger.store.read((session) =>
      session.all<{ action: string }>('SELECT action FROM history WHERE consumer IS NOT NULL ORDER BY id'),
    );
    expect(rows.map(({ action }) => action)).to.deep.equal(['claim', 'confirm', 'release']);
    await service.close();
  });
});
