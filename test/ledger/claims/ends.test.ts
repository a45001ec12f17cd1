import { expect } from 'chai';
import { expireDue } from '../../../src/ledger/claims/claim/claim.ts';
import { moveClaims } from '../../../src/ledger/claims/claim/hand-over.ts';
import type { Ledger } from '../../../src/ledger/claims/claim/ledger.ts';
import { confirmClaims, renewClaims } from '../../../src/ledger/claims/claim/renewal.ts';
import { consumerFacts } from '../../../src/ledger/claims/usage/show.ts';
import { describeOnEachStore } from '../store/each-store.ts';
import { AUTHOR, addProvider, claimFor, closeSound, freshLedger, START, stockProvider } from './ledgers.ts';

const MINUTE = 60_000;
const SOON = START + MINUTE;
const LATER = START + 2 * MINUTE;

describeOnEachStore('the end of a claim', (freshUrl) => {
  let ledger: Ledger;
  let p: string;
  const clock = { ms: START };

  beforeEach(async () => {
    clock.ms = START;
    ledger = await freshLedger(await freshUrl(), clock);
    p = await addProvider(ledger, 1, { VCPU: { total: 20 } });
  });
  afterEach(() => closeSound(ledger));

  const take = (consumer: string, amount: number, expiresAt?: number) =>
    claimFor(ledger, consumer, { [p]: { VCPU: amount } }, { expiresAt });
  /** What the ledger answers of the end. */
  const endOf = async (outcome: ReturnType<typeof take>) => {
    const found = await outcome;
    return found.kind === 'done' ? found.value.ends[0] : found.kind;
  };
  /** `2` for good, `1 at SOON`...: what a consumer holds of the provider. */
  const held = async (name: string) => {
    const facts = await ledger.store.read((session) => consumerFacts(session, name));
    return facts?.allocations.map(({ used, ends }) => ({
      used,
      ends: ends.map(
        ({ at, amount }) => `${amount} at ${at === SOON ? 'SOON' : at === LATER ? 'LATER' : at}`,
      ),
    }))[0];
  };
  const after = async (ms: number) => {
    clock.ms = ms;
    return expireDue(ledger);
  };
  const move = (from: string, to: string) => moveClaims(ledger, AUTHOR, { from, to, stepMode: 'exempt' });

  it('is no more when the consumer claims without one, and that is answered', async () => {
    expect(await endOf(take('a', 1, SOON))).to.equal(SOON);
    expect(await endOf(take('a', 2))).to.equal(null);
    expect(await after(SOON)).to.deep.equal([]);
    expect(await held('a')).to.deep.equal({ used: 2, ends: [] });
  });

  it('is told of the class that it ends for', async () => {
    await stockProvider(ledger, p, { VCPU: { total: 20 }, DISK_GB: { total: 20 } });
    await claimFor(ledger, 'a', { [p]: { VCPU: 1 } });
    await claimFor(ledger, 'a', { [p]: { VCPU: 1, DISK_GB: 5 } }, { expiresAt: SOON });
    const facts = await ledger.store.read((session) => consumerFacts(session, 'a'));
    expect(facts!.allocations.map(({ class: name, ends }) => [name, ends])).to.deep.equal([
      ['DISK_GB', [{ at: SOON, amount: 5 }]],
      ['VCPU', []],
    ]);
  });

  it('takes only what the consumer did not have for good before', async () => {
    await take('a', 2);
    expect(await endOf(take('a', 5, SOON))).to.equal(SOON);
    expect(await held('a')).to.deep.equal({ used: 5, ends: ['3 at SOON'] });
    expect(await after(SOON)).to.deep.equal(['a']);
    expect(await held('a')).to.deep.equal({ used: 2, ends: [] });
  });

  it('is not there when the consumer has it all for good', async () => {
    await take('a', 3);
    expect(await endOf(take('a', 2, SOON))).to.equal(null);
    expect(await after(SOON)).to.deep.equal([]);
    expect(await held('a')).to.deep.equal({ used: 2, ends: [] });
  });

  it('takes the place of an earlier one', async () => {
    await take('a', 1, SOON);
    expect(await endOf(take('a', 2, LATER))).to.equal(LATER);
    expect(await after(SOON)).to.deep.equal([]);
    expect(await held('a')).to.deep.equal({ used: 2, ends: ['2 at LATER'] });
  });

  it('goes along with what is moved, and nothing else goes back with it', async () => {
    await take('perm', 2);
    await take('tmp', 1, SOON);
    expect(await move('perm', 'tmp')).to.deep.equal({
      kind: 'done',
      value: { generation: 2, expiresAt: SOON },
    });
    expect(await held('tmp')).to.deep.equal({ used: 3, ends: ['1 at SOON'] });
    await after(SOON);
    expect(await held('tmp')).to.deep.equal({ used: 2, ends: [] });
  });

  it('is kept by whoever gets it, beside other ends', async () => {
    await take('b', 1, SOON);
    expect(await move('b', 'c')).to.deep.equal({ kind: 'done', value: { generation: 1, expiresAt: SOON } });
    await take('d', 4, LATER);
    await move('c', 'd');
    expect(await held('d')).to.deep.equal({ used: 5, ends: ['1 at SOON', '4 at LATER'] });
    expect(await after(SOON)).to.deep.equal(['d']);
    expect(await held('d')).to.deep.equal({ used: 4, ends: ['4 at LATER'] });
    expect(await after(LATER)).to.deep.equal(['d']);
    expect(await held('d')).to.equal(undefined);
  });

  it('is put off by a renewal, which leaves alone what is for good, and is answered', async () => {
    await take('a', 2);
    await take('a', 3, SOON);
    expect(await renewClaims(ledger, AUTHOR, ['a'], LATER)).to.deep.equal({
      kind: 'done',
      value: [{ consumer: 'a', generation: 3, expiresAt: LATER }],
    });
    expect(await after(SOON)).to.deep.equal([]);
    expect(await held('a')).to.deep.equal({ used: 3, ends: ['1 at LATER'] });
    await take('perm', 1);
    expect(await renewClaims(ledger, AUTHOR, ['perm'], LATER)).to.deep.equal({
      kind: 'done',
      value: [{ consumer: 'perm', generation: 2, expiresAt: null }],
    });
  });

  it('is over once it has come: neither renewed nor confirmed, though part of it is for good', async () => {
    await take('a', 2);
    await take('a', 3, SOON);
    clock.ms = SOON;
    const refused = { kind: 'refused', refusals: [{ kind: 'expired', consumer: 'a' }] };
    expect(await renewClaims(ledger, AUTHOR, ['a'], LATER)).to.deep.equal(refused);
    expect(await confirmClaims(ledger, AUTHOR, ['a'])).to.deep.equal(refused);
  });

  it('leaves alone what is confirmed between the look for it and its turn', async () => {
    await take('a', 1, SOON);
    const late: Ledger = {
      ...ledger,
      now: () => SOON,
      store: {
        ...ledger.store,
        write: (...of) => ledger.store.write(...of),
        read: async (work) => {
          const due = await ledger.store.read(work);
          await confirmClaims(ledger, AUTHOR, ['a']);
          return due;
        },
      },
    };
    expect(await expireDue(late)).to.deep.equal([]);
    expect(await held('a')).to.deep.equal({ used: 1, ends: [] });
  });

  it('gives back though the rules of the inventory would not grant what is left', async () => {
    const q = await addProvider(ledger, 2, { VCPU: { total: 20 } });
    await claimFor(ledger, 'a', { [q]: { VCPU: 1 } });
    await claimFor(ledger, 'a', { [q]: { VCPU: 4 } }, { expiresAt: SOON });
    await stockProvider(ledger, q, { VCPU: { total: 20, minUnit: 3 } });
    expect(await after(SOON)).to.deep.equal(['a']);
    expect(await held('a')).to.deep.equal({ used: 1, ends: [] });
    // The audit would warn of one unit where three are the least.
    await claimFor(ledger, 'a', {});
  });
});
