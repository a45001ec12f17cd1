import { expect } from 'chai';
import { audit } from '../../../src/ledger/claims/audit/audit.ts';
import type { Ledger } from '../../../src/ledger/claims/claim/ledger.ts';
import { type Change, historyStart, readHistory } from '../../../src/ledger/claims/usage/history.ts';
import { pruneHistory } from '../../../src/ledger/claims/usage/prune.ts';
import { describeOnEachStore } from '../store/each-store.ts';
import { addProvider, claimFor, closeSound, freshLedger, START, type TestClock } from './ledgers.ts';

const HOUR = 3_600_000;

const pruned = (hours: number) => `prune {"whole_since":${START + hours * HOUR}}`;

describeOnEachStore('pruning the history', (freshUrl) => {
  let ledger: Ledger;
  let clock: TestClock;
  let p: string;
  let q: string;

  beforeEach(async () => {
    clock = { ms: START };
    ledger = await freshLedger(await freshUrl(), clock);
    p = await addProvider(ledger, 1, { VCPU: { total: 100 } });
    q = await addProvider(ledger, 2, { VCPU: { total: 100 } });
  });
  afterEach(() => closeSound(ledger));

  const at = (hours: number) => {
    clock.ms = START + hours * HOUR;
  };
  const prune = async (hours: number) => {
    const outcome = await pruneHistory(ledger, { actor: 'janitor', reason: 'room' }, START + hours * HOUR);
    if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
    return outcome.value;
  };
  const changes = async (): Promise<readonly Change[]> =>
    [...(await ledger.store.read((session) => readHistory(session, {}, 1000)))].reverse();
  const words = async () =>
    (await changes()).map(({ action, consumer, provider, after }) =>
      [action, consumer, provider, JSON.stringify(after)].filter((word) => word !== null).join(' '),
    );

  it('leaves the last word about what is held, what is young, and that it was done', async () => {
    await claimFor(ledger, 'a', { [p]: { VCPU: 1 } });
    await claimFor(ledger, 'a', { [p]: { VCPU: 2 }, [q]: { VCPU: 3 } });
    await claimFor(ledger, 'gone', { [p]: { VCPU: 1 } });
    await claimFor(ledger, 'gone', {});
    at(1);
    await claimFor(ledger, 'b', { [q]: { VCPU: 1 } });
    at(5);
    // Two providers were made and stocked; the first claim, and both of what is gone.
    expect(await prune(1)).to.deep.equal({ removed: 7, wholeSince: START + HOUR });
    expect(await words()).to.deep.equal([
      'claim a p1 {"VCPU":2}',
      'claim a p2 {"VCPU":3}',
      'claim b p2 {"VCPU":1}',
      pruned(1),
    ]);
    const { actor, reason, at: when } = (await changes()).at(-1)!;
    expect([actor, reason, Date.parse(when)]).to.deep.equal(['janitor', 'room', START + 5 * HOUR]);
  });

  it('has nothing to say where there is nothing to remove', async () => {
    await claimFor(ledger, 'a', { [p]: { VCPU: 1 } });
    const before = await words();
    expect(await prune(0)).to.deep.equal({ removed: 0, wholeSince: null });
    expect(await words()).to.deep.equal(before);
    expect(await ledger.store.read(historyStart)).to.equal(null);
  });

  it('has nothing to do in a ledger without any history', async () => {
    await ledger.store.write((session) => session.run('DELETE FROM history'));
    await ledger.store.write((session) => session.run('UPDATE resource_providers SET generation = 0'));
    expect(await prune(1)).to.deep.equal({ removed: 0, wholeSince: null });
  });

  it('goes on from what it left, and never says that more is whole than is', async () => {
    await claimFor(ledger, 'a', { [p]: { VCPU: 1 } });
    at(2);
    expect(await prune(2)).to.deep.equal({ removed: 4, wholeSince: START + 2 * HOUR });
    at(3);
    await claimFor(ledger, 'a', { [p]: { VCPU: 2 } });
    expect(await prune(1)).to.deep.equal({ removed: 1, wholeSince: START + 2 * HOUR });
    expect(await prune(1)).to.deep.equal({ removed: 0, wholeSince: START + 2 * HOUR });
    at(9);
    await claimFor(ledger, 'a', {});
    expect(await prune(8)).to.deep.equal({ removed: 1, wholeSince: START + 8 * HOUR });
    expect(await words()).to.deep.equal([pruned(2), pruned(2), 'claim a p1 null', pruned(8)]);
    expect(await ledger.store.read(historyStart)).to.equal(START + 8 * HOUR);
    expect(await prune(10)).to.include({ removed: 1 });
  });

  it('lets no earlier word stand for a later one where a clock was put back', async () => {
    at(5);
    await claimFor(ledger, 'a', { [p]: { VCPU: 1 } });
    at(1);
    await claimFor(ledger, 'a', {});
    // Providers only: what was said at 5 is young, and what came after it stays with it.
    expect(await prune(3)).to.include({ removed: 4 });
    expect(await words()).to.include.members(['claim a p1 {"VCPU":1}', 'claim a p1 null']);
  });

  it('still lets a change be found that no history tells of', async () => {
    await claimFor(ledger, 'a', { [p]: { VCPU: 1 } });
    at(2);
    await prune(2);
    await claimFor(ledger, 'b', { [p]: { VCPU: 1 } });
    const tampered = await ledger.store.write(
      async (session) => {
        await session.run("DELETE FROM history WHERE consumer = 'b'");
        return audit(session);
      },
      () => false,
    );
    expect(tampered).to.deep.equal([
      { kind: 'generation', provider: 'p1', generation: 3, changes: 2 },
      { kind: 'history', provider: 'p1', consumer: 'b', recorded: 'nothing', found: 'VCPU:1' },
    ]);
  });

  it('takes more than one transaction takes', async () => {
    await ledger.store.write((session) =>
      session.run(
        `INSERT INTO history (at, request, actor, action) WITH RECURSIVE n (i) AS
           (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000) SELECT ${START}, 'r', 'x', 'trait-add' FROM n`,
      ),
    );
    at(1);
    expect(await prune(1)).to.include({ removed: 12_004 });
    expect(await words()).to.deep.equal([pruned(1)]);
  });
});
