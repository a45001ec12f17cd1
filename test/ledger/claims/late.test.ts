import { expect } from 'chai';
import type { Ledger } from '../../../src/ledger/claims/claim/ledger.ts';
import { consumerFacts, providerFacts } from '../../../src/ledger/claims/usage/show.ts';
import { describeOnEachStore } from '../store/each-store.ts';
import { lateLedger } from './late-ledger.ts';
import { addProvider, claimFor, closeSound, freshLedger } from './ledgers.ts';

const MAX_TRIES = 10;

describeOnEachStore('claims that come late', (freshUrl) => {
  let ledger: Ledger;

  beforeEach(async () => {
    ledger = await freshLedger(await freshUrl());
  });
  afterEach(() => closeSound(ledger));

  const provider = (name: string) => ledger.store.read((session) => providerFacts(session, name));
  const consumer = (name: string) => ledger.store.read((session) => consumerFacts(session, name));

  /**
   * A provider of generation 7 with 6 of `total` used, and two claimers that have read it so; the first one
   * has committed.
   */
  const twoThatReadSeven = async (total: number) => {
    const p = await addProvider(ledger, 1, { VCPU: { total } });
    for (let i = 1; i <= 6; i++) await claimFor(ledger, `c${i}`, { [p]: { VCPU: 1 } });
    const generations = [(await provider('p1'))!.generation];
    const late = lateLedger(ledger, 1, async () => {
      expect(await claimFor(ledger, 'first', { [p]: { VCPU: 1 } })).to.include({ kind: 'done' });
      generations.push((await provider('p1'))!.generation);
    });
    const second = await claimFor(late, 'second', { [p]: { VCPU: 1 } });
    const { generation, inventories } = (await provider('p1'))!;
    return { second, touched: late.touched, generations: [...generations, generation], inventories };
  };

  it('touch no row, look again, and are granted where there is room', async () => {
    const { second, touched, generations, inventories } = await twoThatReadSeven(8);
    expect(second).to.deep.equal({ kind: 'done', value: { generations: [1], ends: [null] } });
    expect(touched).to.deep.equal([0, 1]);
    expect(generations).to.deep.equal([7, 8, 9]);
    expect(inventories[0]).to.include({ used: 8 });
  });

  it('touch no row, look again, and are refused where the room is gone', async () => {
    const { second, touched, generations, inventories } = await twoThatReadSeven(7);
    expect(second.kind === 'refused' && second.refusals[0]).to.include({ kind: 'capacity', lacking: 1 });
    expect(touched).to.deep.equal([0]);
    expect(generations).to.deep.equal([7, 8, 8]);
    expect(inventories[0]).to.include({ used: 7 });
    expect(await consumer('second')).to.equal(undefined);
  });

  it('change neither provider nor consumer when the second provider moves on each time', async () => {
    const p = await addProvider(ledger, 1, { VCPU: { total: 100 } });
    const q = await addProvider(ledger, 2, { VCPU: { total: 100 } });
    await claimFor(ledger, 'late', { [p]: { VCPU: 2 } }, { project: 'web' });
    const before = [await provider('p1'), await consumer('late')];
    const found = (await provider('p2'))!.generation;
    let others = 0;
    const late = lateLedger(ledger, MAX_TRIES, () =>
      claimFor(ledger, `other${++others}`, { [q]: { VCPU: 1 } }),
    );
    expect(await claimFor(late, 'late', { [p]: { VCPU: 5 }, [q]: { VCPU: 5 } })).to.deep.equal({
      kind: 'conflict',
      conflict: { kind: 'busy', detail: 'provider p2 changed meanwhile' },
    });
    // In each try the first provider was raised, and then put back.
    expect(late.touched).to.deep.equal(Array.from({ length: MAX_TRIES }, () => [1, 0]).flat());
    expect([await provider('p1'), await consumer('late')]).to.deep.equal(before);
    const { generation, inventories } = (await provider('p2'))!;
    expect([others, generation - found, inventories[0]!.used]).to.deep.equal([
      MAX_TRIES,
      MAX_TRIES,
      MAX_TRIES,
    ]);
  });
});
