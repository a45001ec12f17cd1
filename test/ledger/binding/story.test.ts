import { expect } from 'chai';
import { bind } from '../../../src/ledger/binding/book/bind.ts';
import { startMaintenance } from '../../../src/ledger/binding/book/maintenance.ts';
import { setPod } from '../../../src/ledger/binding/book/pods.ts';
import { rebind } from '../../../src/ledger/binding/book/rebind.ts';
import { pastOf } from '../../../src/ledger/binding/tables/bindings.ts';
import { allPods } from '../../../src/ledger/binding/tables/pods.ts';
import { describeOnEachStore } from '../store/each-store.ts';
import { ACTOR, addPods, ask, freshBook, memory, rows, said, settled, type TestBook, use } from './books.ts';

const CAD = { specs: { resource: 'CAD Modeling', 'hw:cpu_policy': 'dedicated' } };
const ONLY_IDLE = { policy: { weighers: { idle: 1 } } };

describeOnEachStore('a tenant through the life of six pods', (freshUrl) => {
  let book: TestBook;
  let start: number;

  before(async () => {
    book = await freshBook(await freshUrl());
    const affinity = CAD.specs.resource;
    await addPods(book, [
      { name: 'P1' },
      { name: 'P2' },
      { name: 'P3' },
      ...['P4', 'P5', 'P6'].map((name) => ({
        name,
        affinity: { resource: affinity },
        az: name === 'P6' ? 'A' : '',
      })),
    ]);
    start = ++book.clock.ms;
  });
  after(() => book?.store.close());

  it('1 to 4: takes the oldest pod of each purpose, once for instance and volume', async () => {
    expect(said(await ask(book, 'T1'))).to.equal('P1 bound');
    expect(said(await ask(book, 'T1'))).to.equal('P1 kept');
    expect(await rows(book, 'T1')).to.deep.equal(['P1 initial']);
    expect(said(await ask(book, 'T1', CAD))).to.equal('P4 bound');
    expect(await rows(book, 'T1')).to.deep.equal(['P1 initial', 'P4 initial']);
    expect(said(await ask(book, 'T1', { specs: { resource: 'GPU' } }))).to.equal('none');
    expect(await rows(book, 'T1')).to.deep.equal(['P1 initial', 'P4 initial']);
  });

  it('5 to 8: stays below the threshold, leaves at it, each purpose for itself', async () => {
    await use(book, { P1: memory(899) });
    expect(said(await ask(book, 'T1'))).to.equal('P1 kept');
    await use(book, { P1: memory(900) });
    book.clock.ms = start + 1000;
    expect(said(await ask(book, 'T1'))).to.equal('P2 bound');
    expect(await rows(book, 'T1')).to.deep.equal(['P1 initial-exhausted', 'P4 initial', 'P2 exhausted']);
    const [p2, , p1] = await book.store.read((session) => pastOf(session, 'T1', 10));
    expect([p1!.endAt, p2!.startAt]).to.deep.equal([start + 1000, start + 1000]);
    expect(said(await ask(book, 'T1', CAD))).to.equal('P4 kept');
    await use(book, { P4: memory(1000) });
    const next = await ask(book, 'T1', CAD);
    expect(said(next)).to.equal('P5 bound');
    expect(next.kind === 'bound' && next.candidates.map(({ pod }) => pod.name)).to.deep.equal(['P5', 'P6']);
  });

  it('9 to 12: weighs age and idleness as it is told', async () => {
    await use(book, { P1: memory(900), P2: memory(600), P3: memory(200) });
    const dry = (weighers: Record<string, number>) =>
      ask(book, 'T2', { policy: { weighers }, isDry: true }).then(said);
    expect(await dry({ age: 1 })).to.equal('P2 bound');
    const idle = await ask(book, 'T2', { ...ONLY_IDLE, isDry: true });
    expect(said(idle)).to.equal('P3 bound');
    const tie = await ask(book, 'T2', { policy: { weighers: { age: 1, idle: 1 } }, isDry: true });
    expect(tie.kind === 'bound' && tie.candidates.map(({ pod, total }) => [pod.name, total])).to.deep.equal([
      ['P2', 1],
      ['P3', 1],
    ]);
    expect(await dry({ age: 1, idle: 2 })).to.equal('P3 bound');
    await use(book, { P3: null });
    expect(await dry({ idle: 1 })).to.equal('P3 bound');
    expect(await rows(book, 'T2')).to.deep.equal([]);
    expect(said(await ask(book, 'T2'))).to.equal('P2 bound');
  });

  it('13 to 15: leaves for maintenance, stays where nothing else is, comes back', async () => {
    settled(await startMaintenance(book, ACTOR, 'P2', false));
    expect(said(await ask(book, 'T1'))).to.equal('P3 bound');
    expect((await rows(book, 'T1')).slice(2)).to.deep.equal([
      'P2 exhausted-maintenance',
      'P5 exhausted',
      'P3 maintenance',
    ]);
    await use(book, { P2: memory(950), P3: memory(950) });
    const before = await rows(book, 'T1');
    expect(said(await ask(book, 'T1'))).to.equal('none');
    expect(await rows(book, 'T1')).to.deep.equal(before);
    settled(await setPod(book, ACTOR, 'P1', ({ limits }) => ({ limits: { ...limits, reopen: 0.8 } })));
    await use(book, { P1: memory(850) });
    expect(said(await ask(book, 'T1'))).to.equal('none');
    await use(book, { P1: memory(100) });
    const rebound = settled(await rebind(book, ACTOR, { tenants: ['T1'] }));
    expect(rebound.map(({ from, to, reason }) => [from, to, reason])).to.deep.equal([
      ['P3', 'P1', 'exhausted'],
    ]);
    expect((await rows(book, 'T1')).filter((row) => row.startsWith('P1'))).to.deep.equal([
      'P1 initial-exhausted',
      'P1 exhausted',
    ]);
  });

  it('16: counts head room in place of a share', async () => {
    settled(
      await setPod(book, ACTOR, 'P1', () => ({ limits: { metrics: { '*': { free: 50 } }, reopen: null } })),
    );
    await use(book, { P1: memory(949) });
    expect(said(await ask(book, 'T1'))).to.equal('P1 kept');
    await use(book, { P1: memory(950) });
    expect((await book.store.read(allPods))[0]!.isExhausted).to.equal(true);
  });

  it('17: a zone whose only pod has another purpose takes nobody', async () => {
    expect(said(await ask(book, 'T3', { az: 'A' }))).to.equal('none');
    expect(await rows(book, 'T3')).to.deep.equal([]);
    expect(said(await ask(book, 'T3', { az: 'A', ...CAD }))).to.equal('P6 bound');
  });
});

describeOnEachStore('zones as they were last built elsewhere', (freshUrl) => {
  it('keeps a binding where no zone is asked for, adds rows by zone, and changes only that of the zone', async () => {
    const book = await freshBook(await freshUrl());
    await addPods(book, [
      { name: 'b1', az: 'az1' },
      { name: 'b2', az: 'az2' },
      { name: 'b3', az: 'az2' },
    ]);
    settled(await bind(book, ACTOR, { tenant: 'old', pod: 'b1', az: 'az1' }));
    expect(said(await ask(book, 'old'))).to.equal('b1 kept');
    expect(await rows(book, 'old')).to.deep.equal(['b1[az1] admin']);
    expect(said(await ask(book, 'new'))).to.equal('b1 bound');
    expect(said(await ask(book, 'new', { az: 'az2' }))).to.equal('b2 bound');
    expect(await rows(book, 'new')).to.deep.equal(['b1 initial', 'b2[az2] initial']);

    const full = { ...memory(1000) };
    await use(book, { b1: full });
    expect(said(await ask(book, 'new', { az: 'az1' }))).to.equal('none');
    expect(said(await ask(book, 'old', { az: 'az1' }))).to.equal('none');
    expect(await rows(book, 'new')).to.deep.equal(['b1 initial', 'b2[az2] initial']);
    await use(book, { b2: full });
    expect(said(await ask(book, 'new', { az: 'az2' }))).to.equal('b3 bound');
    expect(await rows(book, 'new')).to.deep.equal([
      'b1 initial',
      'b2[az2] initial-exhausted',
      'b3[az2] exhausted',
    ]);
    await book.store.close();
  });
});
