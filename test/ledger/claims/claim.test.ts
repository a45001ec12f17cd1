import { expect } from 'chai';
import { viewFor } from '../../../src/ledger/claims/claim/claim-view.ts';
import type { Ledger } from '../../../src/ledger/claims/claim/ledger.ts';
import { describeOnEachStore } from '../store/each-store.ts';
import { addProvider, claimFor, freshLedger, stockProvider } from './ledgers.ts';

describeOnEachStore('claims', (freshUrl) => {
  let ledger: Ledger;

  beforeEach(async () => {
    ledger = await freshLedger(await freshUrl());
  });
  afterEach(() => ledger.store.close());

  const verdict = async (...words: Parameters<typeof claimFor>): Promise<string> => {
    const outcome = await claimFor(...words);
    if (outcome.kind === 'done') return 'done';
    return outcome.kind === 'conflict'
      ? outcome.conflict.kind
      : outcome.refusals.map(({ kind }) => kind).join();
  };

  const generationOf = (uuid: string): Promise<number> =>
    ledger.store.read(
      async (session) => (await viewFor(session, [], [uuid])).providers.get(uuid)!.generation,
    );

  it('never gives one consumer more than one unit, whatever the overcommit', async () => {
    const p = await addProvider(ledger, 1, { VCPU: { total: 8, maxUnit: 8, allocationRatio: '16' } });
    expect(await verdict(ledger, 'c', { [p]: { VCPU: 9 } })).to.equal('unit');
    for (let i = 0; i < 16; i++)
      expect(await verdict(ledger, `c${i}`, { [p]: { VCPU: 8 } })).to.equal('done');
    const last = await claimFor(ledger, 'c17', { [p]: { VCPU: 1 } });
    expect(last).to.deep.include({ kind: 'refused' });
    expect(last.kind === 'refused' && last.refusals[0]).to.deep.include({
      kind: 'capacity',
      asked: 1,
      used: 128,
      capacity: 128,
      lacking: 1,
    });
  });

  const judged = async (
    name: string,
    stock: object,
    mode: 'exempt' | 'strict',
    amounts: readonly number[],
  ) => {
    const p = await addProvider(ledger, 1, { [name]: { total: 100_000, ...stock } });
    const verdicts: [number, boolean][] = [];
    for (const amount of amounts) {
      const word = await verdict(ledger, `c${amount}`, { [p]: { [name]: amount } }, { stepMode: mode });
      verdicts.push([amount, word === 'done']);
    }
    return verdicts.filter(([, isFine]) => isFine).map(([amount]) => amount);
  };
  const disk = { minUnit: 5, maxUnit: 1000, stepSize: 10 };
  const diskAmounts = [4, 5, 6, 7, 8, 10, 15, 20, 1000, 1005, 1010];
  const pairs = { minUnit: 1, maxUnit: 16, stepSize: 2 };
  const upTo18 = Array.from({ length: 18 }, (_, i) => i + 1);

  it('lets the smallest unit off the step when it is exempt', async () => {
    expect(await judged('DISK_GB', disk, 'exempt', diskAmounts)).to.deep.equal([5, 10, 20, 1000]);
  });

  it('asks every amount to keep the step when it is strict', async () => {
    expect(await judged('DISK_GB', disk, 'strict', diskAmounts)).to.deep.equal([10, 20, 1000]);
  });

  it('lets a single one off a step of two when it is exempt, and no other odd amount', async () => {
    const even = [2, 4, 6, 8, 10, 12, 14, 16];
    expect(await judged('VCPU', pairs, 'exempt', upTo18)).to.deep.equal([1, ...even]);
  });

  it('refuses even a single one with a step of two when it is strict', async () => {
    const even = [2, 4, 6, 8, 10, 12, 14, 16];
    expect(await judged('VCPU', pairs, 'strict', upTo18)).to.deep.equal(even);
  });

  it('adds up the groups of a consumer before it looks at the step', async () => {
    const p = await addProvider(ledger, 1, { DISK_GB: { total: 1000, ...disk } });
    const groups = (a: number, b: number) => ({
      allocations: [a, b].map((amount) => ({ provider: p, class: 'DISK_GB', amount })),
    });
    expect(await verdict(ledger, 'c', {}, groups(5, 10))).to.equal('unit');
    expect(await verdict(ledger, 'c', {}, groups(5, 5))).to.equal('done');
  });

  it('counts a shared pool once', async () => {
    const pool = await addProvider(ledger, 9, { DISK_GB: { total: 1000 } }, { canHost: false });
    for (const i of [1, 2, 3]) {
      const node = await addProvider(ledger, i, { VCPU: { total: 4 } });
      expect(await verdict(ledger, `c${i}`, { [node]: { VCPU: 1 }, [pool]: { DISK_GB: 300 } })).to.equal(
        'done',
      );
    }
    expect(await verdict(ledger, 'c4', { [pool]: { DISK_GB: 101 } })).to.equal('capacity');
    expect(await verdict(ledger, 'c4', { [pool]: { DISK_GB: 100 } })).to.equal('done');
  });

  it('lets what is over capacity shrink, and not grow', async () => {
    const p = await addProvider(ledger, 1, { VCPU: { total: 12 } });
    await claimFor(ledger, 'a', { [p]: { VCPU: 6 } });
    await claimFor(ledger, 'b', { [p]: { VCPU: 6 } });
    const lowered = await stockProvider(ledger, p, { VCPU: { total: 10 } });
    expect(lowered.kind === 'done' && lowered.value.overCapacity).to.deep.equal([
      { class: 'VCPU', used: 12, capacity: 10 },
    ]);
    expect(await verdict(ledger, 'b', { [p]: { VCPU: 7 } })).to.equal('capacity');
    expect(await verdict(ledger, 'b', { [p]: { VCPU: 5 } })).to.equal('done');
  });

  it('raises the generation by one for each request, and refuses a stale consumer', async () => {
    const p = await addProvider(ledger, 1, { VCPU: { total: 4 }, MEMORY_MB: { total: 100 } });
    const start = await generationOf(p);
    expect(await verdict(ledger, 'a', { [p]: { VCPU: 1, MEMORY_MB: 5 } }, { generation: null })).to.equal(
      'done',
    );
    expect(await generationOf(p)).to.equal(start + 1);
    expect(await verdict(ledger, 'a', { [p]: { VCPU: 2 } }, { generation: null })).to.equal(
      'consumer-generation',
    );
    expect(await verdict(ledger, 'a', { [p]: { VCPU: 2 } }, { generation: 7 })).to.equal(
      'consumer-generation',
    );
    expect(await generationOf(p)).to.equal(start + 1);
    expect(await verdict(ledger, 'a', { [p]: { VCPU: 2 } }, { generation: 1, project: 'web' })).to.equal(
      'done',
    );
    expect(await verdict(ledger, 'a', {}, { generation: 2 })).to.equal('done');
    expect(await generationOf(p)).to.equal(start + 3);
    const { consumers } = await ledger.store.read((session) => viewFor(session, ['a'], []));
    expect(consumers.size).to.equal(0);
  });
});
