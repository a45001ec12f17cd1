import { expect } from 'chai';
import { auditBindings } from '../../../src/ledger/binding/audit/audit.ts';
import { bind, expire, unbind } from '../../../src/ledger/binding/book/bind.ts';
import { bookOn } from '../../../src/ledger/binding/book/book.ts';
import { endMaintenance, startMaintenance } from '../../../src/ledger/binding/book/maintenance.ts';
import { addPod, removePod, setPod, setPolicy } from '../../../src/ledger/binding/book/pods.ts';
import { rebind } from '../../../src/ledger/binding/book/rebind.ts';
import { refreshUsage } from '../../../src/ledger/binding/book/usage.ts';
import { tenantCounts } from '../../../src/ledger/binding/tables/bindings.ts';
import { changesOf } from '../../../src/ledger/binding/tables/changes.ts';
import { allPods } from '../../../src/ledger/binding/tables/pods.ts';
import { readRegistry } from '../../../src/ledger/binding/tables/registry.ts';
import { StoreConflict } from '../../../src/ledger/store/store.ts';
import { describeOnEachStore } from '../store/each-store.ts';
import { writing } from '../store/writing.ts';
import { ACTOR, addPods, ask, freshBook, memory, rows, said, settled, type TestBook, use } from './books.ts';

const DAY = 86_400_000;

describeOnEachStore('the book of pods', (freshUrl) => {
  let book: TestBook;

  const three = async (): Promise<void> => {
    book = await freshBook(await freshUrl());
    await addPods(book, [{ name: 'P1' }, { name: 'P2' }, { name: 'P3' }]);
  };
  afterEach(async () => {
    expect(await book.store.read(auditBindings)).to.deep.equal([]);
    await book.store.close();
  });

  it('binds by hand, and refuses what no request would keep', async () => {
    await three();
    await addPods(book, [{ name: 'C', az: 'A', affinity: { resource: 'CAD' } }]);
    await ask(book, 't');
    const bound = settled(await bind(book, ACTOR, { tenant: 't', pod: 'P3', az: '' }));
    expect(bound.isKept).to.equal(false);
    expect(await rows(book, 't')).to.deep.equal(['P1 initial-admin', 'P3 admin']);
    expect(settled(await bind(book, ACTOR, { tenant: 't', pod: 'P3', az: '' })).isKept).to.equal(true);
    expect(said(await ask(book, 't'))).to.equal('P3 kept');
    expect(await bind(book, ACTOR, { tenant: 't', pod: 'P3', az: 'A' })).to.deep.include({ kind: 'refused' });
    expect(await bind(book, ACTOR, { tenant: 't', pod: 'nix', az: '' })).to.deep.equal({
      kind: 'refused',
      refusals: [{ kind: 'unknown-pod', pod: 'nix' }],
    });
    settled(await bind(book, ACTOR, { tenant: 't', pod: 'C', az: '' }));
    expect(said(await ask(book, 't', { specs: { resource: 'CAD' } }))).to.equal('C kept');
    expect((await unbind(book, 't', { specs: { resource: 'CAD' } })).length).to.equal(1);
    expect(await unbind(book, 't', { az: 'B' })).to.deep.equal([]);
    expect((await unbind(book, 't', { az: '' })).length).to.equal(1);
    expect(await unbind(book, 't')).to.deep.equal([]);
  });

  it('lets bindings expire: the next request chooses anew, or they are ended', async () => {
    await three();
    await ask(book, 'a', { lastsMs: DAY });
    await ask(book, 'b', { lastsMs: DAY });
    settled(await setPod(book, ACTOR, 'P1', () => ({ cost: 9 })));
    settled(await setPod(book, ACTOR, 'P2', () => ({ cost: 1 })));
    settled(await setPolicy(book, ACTOR, { weighers: { cost: 1 } }));
    book.clock.ms += DAY - 1;
    expect(said(await ask(book, 'a'))).to.equal('P1 kept');
    expect(await expire(book)).to.deep.equal([]);
    book.clock.ms++;
    expect(said(await ask(book, 'a'))).to.equal('P2 bound');
    expect(await rows(book, 'a')).to.deep.equal(['P1 initial-expired', 'P2 expired']);
    expect((await expire(book)).map(({ tenant }) => tenant)).to.deep.equal(['b']);
    expect(await rows(book, 'b')).to.deep.equal(['P1 initial-expired']);
    expect(said(await ask(book, 'b'))).to.equal('P2 bound');
  });

  it('rebinds all tenants of pods that take nothing new, or only says so', async () => {
    await three();
    for (let i = 0; i < 12; i++) await ask(book, `t${i}`);
    await use(book, { P1: memory(950) });
    const dry = settled(await rebind(book, ACTOR, { isDry: true }));
    expect(dry.length).to.equal(12);
    expect(await rows(book, 't0')).to.deep.equal(['P1 initial']);
    expect(settled(await rebind(book, ACTOR, {}))).to.deep.equal(dry);
    expect(await rows(book, 't11')).to.deep.equal(['P1 initial-exhausted', 'P2 exhausted']);
    expect(settled(await rebind(book, ACTOR, {}))).to.deep.equal([]);
    await use(book, { P2: memory(950), P3: memory(950) });
    const stuck = settled(await rebind(book, ACTOR, { pod: 'P2' }));
    expect(stuck.map(({ to }) => to)).to.deep.equal(Array(12).fill(null));
    const [, p2] = await book.store.read(allPods);
    expect([...(await book.store.read((session) => tenantCounts(session, [p2!.id]))).values()]).to.deep.equal(
      [12],
    );
  });

  it('tells of a tenant who is named twice once', async () => {
    await three();
    await ask(book, 'a');
    await use(book, { P1: memory(950) });
    const tenants = ['a', 'a'];
    expect(settled(await rebind(book, ACTOR, { tenants, isDry: true })).map(({ to }) => to)).to.deep.equal([
      'P2',
    ]);
    await use(book, { P2: memory(950), P3: memory(950) });
    expect(settled(await rebind(book, ACTOR, { tenants })).map(({ to }) => to)).to.deep.equal([null]);
  });

  it('goes on rebinding where somebody else came first', async () => {
    await three();
    for (let i = 0; i < 3; i++) await ask(book, `t${i}`);
    await use(book, { P1: memory(950) });
    let tries = 0;
    const store = writing(book.store, async (work, isKept) => {
      if (tries++ % 2 === 0) throw new StoreConflict('somebody came first');
      return book.store.write(work, isKept);
    });
    expect(settled(await rebind({ ...book, store }, ACTOR, {})).length).to.equal(3);
    expect(await rows(book, 't2')).to.deep.equal(['P1 initial-exhausted', 'P2 exhausted']);
  });

  it('brings tenants back after maintenance, but not those who were bound by hand since', async () => {
    await three();
    for (const tenant of ['a', 'b', 'c', 'd']) await ask(book, tenant);
    book.clock.ms++;
    const begun = settled(await startMaintenance(book, ACTOR, 'P1', false));
    expect(begun.rebound).to.deep.equal([]);
    await ask(book, 'a');
    await ask(book, 'b');
    settled(await bind(book, ACTOR, { tenant: 'b', pod: 'P3', az: '' }));
    book.clock.ms++;
    const again = settled(await startMaintenance(book, ACTOR, 'P1', true));
    expect(again.rebound.map(({ tenant, to }) => [tenant, to])).to.deep.equal([
      ['c', 'P2'],
      ['d', 'P2'],
    ]);
    await unbind(book, 'd');
    const ended = settled(await endMaintenance(book, ACTOR, 'P1', true));
    expect(ended.rebound.map(({ tenant, from, to }) => [tenant, from, to])).to.deep.equal([
      ['a', 'P2', 'P1'],
      ['c', 'P2', 'P1'],
    ]);
    expect(await rows(book, 'a')).to.deep.equal([
      'P1 initial-maintenance',
      'P2 maintenance-returned',
      'P1 returned',
    ]);
    expect(await rows(book, 'b')).to.deep.equal([
      'P1 initial-maintenance',
      'P2 maintenance-admin',
      'P3 admin',
    ]);
    expect(await endMaintenance(book, ACTOR, 'P1', true)).to.deep.include({ kind: 'refused' });
  });

  it('brings back who left by a clock that is behind that of the maintenance', async () => {
    await three();
    await ask(book, 'asks');
    await ask(book, 'rebound');
    book.clock.ms += 5000;
    settled(await startMaintenance(book, ACTOR, 'P1', false));
    book.clock.ms -= 3000;
    expect(said(await ask(book, 'asks'))).to.equal('P2 bound');
    settled(await rebind(book, ACTOR, {}));
    book.clock.ms += DAY;
    const { rebound } = settled(await endMaintenance(book, ACTOR, 'P1', true));
    expect(rebound.map(({ tenant, to }) => `${tenant} ${to}`)).to.have.members(['asks P1', 'rebound P1']);
  });

  it('ends a binding that was made for a time at that time, wherever maintenance and rebinding send it', async () => {
    await three();
    await ask(book, 't', { lastsMs: DAY });
    settled(await startMaintenance(book, ACTOR, 'P1', true));
    await use(book, { P2: memory(950) });
    settled(await rebind(book, ACTOR, {}));
    settled(await endMaintenance(book, ACTOR, 'P1', true));
    expect((await rows(book, 't')).at(-1)).to.equal('P1 returned');
    book.clock.ms += DAY - 1;
    expect(await expire(book)).to.deep.equal([]);
    book.clock.ms++;
    expect((await expire(book)).map(({ tenant }) => tenant)).to.deep.equal(['t']);
  });

  it('begins no maintenance of a closed pod, whose end would open it', async () => {
    await three();
    settled(await setPod(book, ACTOR, 'P1', () => ({ state: 'closed' })));
    const refused = { kind: 'refused', refusals: [{ kind: 'closed', pod: 'P1' }] };
    expect(await startMaintenance(book, ACTOR, 'P1', false)).to.deep.equal(refused);
    expect(said(await ask(book, 't'))).to.equal('P2 bound');
  });

  it('sees what other processes change, and reads only what changed', async () => {
    await three();
    const other = bookOn(book.store, book.now);
    expect(said(await ask(book, 'a', { isDry: true }))).to.equal('P1 bound');
    settled(await setPod(other, ACTOR, 'P1', () => ({ state: 'closed' })));
    expect(said(await ask(book, 'a', { isDry: true }))).to.equal('P2 bound');
    settled(await removePod(other, ACTOR, 'P2'));
    expect(said(await ask(book, 'a', { isDry: true }))).to.equal('P3 bound');
    settled(await addPod(other, ACTOR, { name: 'P2' }));
    settled(await setPod(other, ACTOR, 'P3', () => ({ state: 'closed' })));
    expect(said(await ask(book, 'a'))).to.equal('P2 bound');
    expect(await removePod(book, ACTOR, 'P2')).to.deep.equal({
      kind: 'refused',
      refusals: [{ kind: 'ever-bound', pod: 'P2' }],
    });
    expect(await addPod(book, ACTOR, { name: 'P2' })).to.deep.include({ kind: 'refused' });
  });

  it('takes readings as a whole or not at all, and closes pods whose group takes nothing', async () => {
    await three();
    const { generation } = await book.store.read(readRegistry);
    const outcome = await refreshUsage(book, ACTOR, [
      { pod: 'P1', usage: memory(950) },
      { pod: 'nix', usage: memory(1) },
    ]);
    expect(outcome).to.deep.equal({ kind: 'refused', refusals: [{ kind: 'unknown-pod', pod: 'nix' }] });
    expect((await book.store.read(readRegistry)).generation).to.equal(generation);
    expect((await book.store.read(allPods))[0]!.usage).to.equal(null);
    const made = settled(
      await refreshUsage(book, ACTOR, [{ pod: 'nix', usage: memory(1), isClosed: true }], { az: 'A' }),
    );
    expect(made.map(({ before, after }) => [before, after.az, after.state])).to.deep.equal([
      [null, 'A', 'closed'],
    ]);
    const changes = await book.store.read((session) => changesOf(session, made[0]!.after.id, 10));
    expect(changes.map(({ action }) => action)).to.deep.equal(['usage', 'add']);
    const { metrics, ...kept } = made[0]!.after;
    expect(metrics).to.have.length(1);
    expect(changes[0]!.after).to.deep.equal(kept);
  });

  it('never lets a row begin before the last has ended, whatever the clocks say', async () => {
    await three();
    book.clock.ms += DAY;
    await ask(book, 't');
    await unbind(book, 't');
    book.clock.ms -= DAY / 2;
    await ask(book, 't');
    await use(book, { P1: memory(950) });
    book.clock.ms -= DAY / 4;
    expect(said(await ask(book, 't'))).to.equal('P2 bound');
  });

  it('leaves one current binding when many ask at once', async () => {
    await three();
    const books = Array.from({ length: 4 }, () => bookOn(book.store, book.now));
    const answers = await Promise.all(
      books.flatMap((one) => ['t', 't', 'u'].map((tenant) => ask(one, tenant))),
    );
    expect(new Set(answers.map((answer) => answer.kind !== 'none' && answer.pod.name))).to.deep.equal(
      new Set(['P1']),
    );
    expect(answers.filter(({ kind }) => kind === 'bound').length).to.equal(2);
    expect(await rows(book, 't')).to.deep.equal(['P1 initial']);
  });
});
