import { expect } from 'chai';
import { audit } from '../../../src/ledger/claims/audit/audit.ts';
import { claim } from '../../../src/ledger/claims/claim/claim.ts';
import type { ConsumerClaim } from '../../../src/ledger/claims/claim/claim-request.ts';
import { viewFor } from '../../../src/ledger/claims/claim/claim-view.ts';
import type { Ledger } from '../../../src/ledger/claims/claim/ledger.ts';
import { readHistory } from '../../../src/ledger/claims/usage/history.ts';
import { describeOnEachStore } from '../store/each-store.ts';
import {
  AUTHOR,
  addProvider,
  allOf,
  claimFor,
  freshLedger,
  START,
  stockProvider,
  uuidOf,
} from './ledgers.ts';

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

  describe('of several consumers at once', () => {
    const together = (consumers: readonly ConsumerClaim[], isChecked = true) =>
      claim(ledger, AUTHOR, { consumers, stepMode: 'exempt', action: 'claim', isChecked });

    it('answer each one its generation and its end, in the order of the request', async () => {
      const p = await addProvider(ledger, 1, { VCPU: { total: 9 } });
      await claimFor(ledger, 'z', { [p]: { VCPU: 1 } });
      await claimFor(ledger, 'z', { [p]: { VCPU: 2 } });
      await claimFor(ledger, 'gone', { [p]: { VCPU: 1 } });
      const outcome = await together([
        { consumer: 'z', allocations: allOf({ [p]: { VCPU: 4 } }), expiresAt: START + 5 },
        { consumer: 'gone', allocations: [] },
        { consumer: 'a', allocations: allOf({ [p]: { VCPU: 1 } }) },
      ]);
      expect(outcome).to.deep.equal({
        kind: 'done',
        value: { generations: [3, null, 1], ends: [START + 5, null, null] },
      });
    });

    it('count what all of them have before and after against the room', async () => {
      const p = await addProvider(ledger, 1, { VCPU: { total: 10, reserved: 2 } });
      await claimFor(ledger, 'a', { [p]: { VCPU: 3 } });
      await claimFor(ledger, 'b', { [p]: { VCPU: 4 } }, { project: 'web' });
      await claimFor(ledger, 'other', { [p]: { VCPU: 1 } });
      const both = (a: number, b: number) =>
        together([
          { consumer: 'a', allocations: allOf({ [p]: { VCPU: a } }) },
          { consumer: 'b', allocations: allOf({ [p]: { VCPU: b } }) },
        ]);
      expect(await both(5, 5)).to.deep.equal({
        kind: 'refused',
        refusals: [
          {
            kind: 'capacity',
            provider: p,
            providerName: 'p1',
            class: 'VCPU',
            asked: 3,
            used: 8,
            capacity: 8,
            reserved: 2,
            lacking: 3,
            holders: [
              { consumer: 'b', project: 'web', used: 4 },
              { consumer: 'a', project: null, used: 3 },
              { consumer: 'other', project: null, used: 1 },
            ],
          },
        ],
      });
      expect(await both(1, 6)).to.include({ kind: 'done' });
      expect(await together([{ consumer: 'd', allocations: allOf({ [p]: { VCPU: 9 } }) }], false)).to.include(
        { kind: 'done' },
      );
    });

    it('are refused for all reasons at once, with the figures of each', async () => {
      const p = await addProvider(ledger, 1, { VCPU: { total: 10, minUnit: 2, maxUnit: 5, stepSize: 3 } });
      const where = { provider: p, providerName: 'p1', class: 'VCPU' };
      const asks = (consumer: string, amount: number) => ({
        consumer,
        allocations: allOf({ [p]: { VCPU: amount } }),
      });
      const outcome = await together([
        asks('a', 1),
        asks('b', 6),
        asks('c', 4),
        { consumer: 'd', allocations: allOf({ [uuidOf(8)]: { VCPU: 1 }, [p]: { DISK_GB: 1 } }) },
      ]);
      expect(outcome.kind === 'refused' && outcome.refusals).to.deep.equal([
        { kind: 'unknown-provider', provider: uuidOf(8) },
        { kind: 'no-inventory', provider: p, providerName: 'p1', class: 'DISK_GB' },
        { kind: 'unit', consumer: 'a', rule: 'min_unit', amount: 1, limit: 2, ...where },
        { kind: 'unit', consumer: 'b', rule: 'max_unit', amount: 6, limit: 5, ...where },
        { kind: 'unit', consumer: 'c', rule: 'step_size', amount: 4, limit: 3, ...where },
        {
          kind: 'capacity',
          asked: 11,
          used: 0,
          capacity: 10,
          reserved: 0,
          lacking: 1,
          holders: [],
          ...where,
        },
      ]);
    });

    it('leave a record of each consumer and provider, and two where the project changes', async () => {
      const p = await addProvider(ledger, 1, { VCPU: { total: 9 } });
      const q = await addProvider(ledger, 2, { VCPU: { total: 9 } });
      await claimFor(ledger, 'a', { [q]: { VCPU: 1 } }, { project: 'web' });
      await together([
        { consumer: 'a', project: 'db', allocations: allOf({ [q]: { VCPU: 2 }, [p]: { VCPU: 3 } }) },
        { consumer: 'b', allocations: allOf({ [q]: { VCPU: 4 } }) },
      ]);
      const told = await ledger.store.read((session) => readHistory(session, { among: [6, 7, 8, 9, 10] }, 9));
      expect(
        told.map(({ consumer, provider, generation, project, before, after }) => [
          [consumer, provider, generation, project],
          [before, after],
        ]),
      ).to.deep.equal([
        [
          ['b', 'p2', 3, null],
          [null, { VCPU: 4 }],
        ],
        [
          ['a', 'p2', 3, 'db'],
          [null, { VCPU: 2 }],
        ],
        [
          ['a', 'p2', 3, 'web'],
          [{ VCPU: 1 }, null],
        ],
        [
          ['a', 'p1', 2, 'db'],
          [null, { VCPU: 3 }],
        ],
      ]);
      expect(await ledger.store.read(audit)).to.deep.equal([]);
    });
  });
});
