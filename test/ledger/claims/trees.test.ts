import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { changeProvider, createProvider } from '../../../src/ledger/claims/changes/provider-changes.ts';
import { change, type Ledger } from '../../../src/ledger/claims/claim/ledger.ts';
import { providerByUuid } from '../../../src/ledger/claims/tables/providers.ts';
import { describeOnEachStore } from '../store/each-store.ts';
import { AUTHOR, addProvider, closeSound, freshLedger, uuidOf } from './ledgers.ts';

/** Long enough for others to do the same meanwhile. */
const PAUSE_MS = 200;

describeOnEachStore('trees that several change at a time', (freshUrl) => {
  let ledger: Ledger;
  beforeEach(async () => {
    ledger = await freshLedger(await freshUrl());
  });
  afterEach(() => closeSound(ledger));

  const put = (provider: string, parent: string | null) =>
    change(ledger, AUTHOR, async (session, context) => {
      const outcome = await changeProvider(session, context, { provider }, { parent });
      await wait(PAUSE_MS);
      return outcome;
    });
  const rootOf = async (uuid: string) =>
    (await ledger.store.read((session) => providerByUuid(session, uuid)))!.root;

  it('never stand below each other', async () => {
    const [a, b] = [await addProvider(ledger, 1, {}), await addProvider(ledger, 2, {})];
    const outcomes = await Promise.all([put(a, b), put(b, a)]);
    expect(outcomes.map(({ kind }) => kind).sort()).to.deep.equal(['done', 'refused']);
  });

  it('take along what came to stand in them', async () => {
    const [top, below] = [await addProvider(ledger, 1, {}), await addProvider(ledger, 2, {})];
    await put(below, top);
    const [moved, made] = await Promise.all([
      put(below, null),
      change(ledger, AUTHOR, (session, context) =>
        createProvider(session, context, { uuid: uuidOf(3), name: 'p3', parent: below, canHost: true }),
      ),
    ]);
    expect([moved.kind, made.kind]).to.deep.equal(['done', 'done']);
    expect(await rootOf(uuidOf(3))).to.equal(below);
  });
});
