import { existsSync } from 'node:fs';
import { expect } from 'chai';
import type { ExecutionError } from '../../../src/kit/faults.ts';
import {
  type Component,
  migrate,
  onKnownTables,
  requireSchema,
  schemaVersion,
} from '../../../src/ledger/store/migrations.ts';
import { openStore } from '../../../src/ledger/store/open-store.ts';
import type { Session, Store } from '../../../src/ledger/store/store.ts';
import { describeOnEachStore } from './each-store.ts';

const FIRST = { version: 1, schema: 'CREATE TABLE cups (id {id}, name {text} NOT NULL UNIQUE) {table}' };
const SECOND = { version: 2, schema: "ALTER TABLE cups ADD COLUMN colour {text} NOT NULL DEFAULT 'white'" };
const BROKEN = { version: 2, schema: 'DROP TABLE cups; CREATE TABLE nonsense (' };

const component = (...migrations: Component['migrations']): Component => ({
  name: 'cups',
  madeBy: 'hcup init',
  migrations,
});

const AT = Date.UTC(2026, 0, 2, 3, 4, 5);

describeOnEachStore('migrations', (freshUrl) => {
  let url: string;
  let store: Store;

  beforeEach(async () => {
    url = await freshUrl();
    store = await openStore(url, { isMade: true });
  });
  afterEach(() => store.close());

  const cups = (from = 'cups') =>
    store.read((session) => session.all<{ name: string }>(`SELECT * FROM ${from} ORDER BY name`));
  const add = (name: string) =>
    store.write((session) => session.run('INSERT INTO cups (name) VALUES (?)', [name]));

  it('make the tables once, without a backup of nothing', async () => {
    expect(await migrate(store, component(FIRST), AT)).to.deep.equal({ from: 0, to: 1, backups: [] });
    await add('tea');
    expect(await migrate(store, component(FIRST), AT)).to.deep.equal({ from: 1, to: 1, backups: [] });
    expect(await cups()).to.deep.equal([{ id: 1, name: 'tea' }]);
  });

  it('go forward with what was before kept', async () => {
    await migrate(store, component(FIRST), AT);
    await add('tea');
    const { from, to, backups } = await migrate(store, component(FIRST, SECOND), AT);
    expect({ from, to }).to.deep.equal({ from: 1, to: 2 });
    expect(await cups()).to.deep.equal([{ id: 1, name: 'tea', colour: 'white' }]);
    expect(backups).to.have.length(1);
    if (store.dialect === 'postgres')
      expect(await cups(`${backups[0]}.cups`)).to.deep.equal([{ id: 1, name: 'tea' }]);
    else {
      expect(backups[0]).to.equal(`${url}.cups-1.20260102-030405`);
      const before = await openStore(backups[0]!);
      expect(await before.read((session) => session.all('SELECT * FROM cups'))).to.deep.equal([
        { id: 1, name: 'tea' },
      ]);
      await before.close();
    }
  });

  it('leave everything as it was when a step breaks', async () => {
    await migrate(store, component(FIRST), AT);
    await add('tea');
    const broken = await migrate(store, component(FIRST, BROKEN), AT).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(broken).to.be.an('error');
    expect(await cups()).to.deep.equal([{ id: 1, name: 'tea' }]);
    expect(await schemaVersion(store, component(FIRST))).to.equal(1);
  });

  const refusal = (wanted: Component) =>
    requireSchema(store, wanted).then(
      () => expect.fail('it was accepted'),
      (error: ExecutionError) => error,
    );

  it('refuse tables that are missing, older or newer, and name both versions', async () => {
    await store.file?.prepare();
    expect((await refusal(component(FIRST))).message).to.match(/there are no tables of cups$/);
    await migrate(store, component(FIRST), AT);
    await requireSchema(store, component(FIRST));
    const older = await refusal(component(FIRST, SECOND));
    expect(older.exitCode).to.equal(1);
    expect(older.message).to.match(/have version 1, this program needs 2$/);
    await migrate(store, component(FIRST, SECOND), AT);
    const newer = await refusal(component(FIRST));
    expect(newer.message).to.match(/have version 2, and this program knows 1 at most$/);
    expect(await migrate(store, component(FIRST), AT).catch((error: Error) => error.message)).to.equal(
      newer.message,
    );
    expect(await cups()).to.deep.equal([]);
  });

  it('that somebody else has changed meanwhile are not written any more, and are as he left them', async () => {
    await migrate(store, component(FIRST), AT);
    const other = await openStore(url);
    const running = onKnownTables(store, component(FIRST));
    const putTea = (session: Session) => session.run("INSERT INTO cups (name) VALUES ('tea')");
    await running.write(putTea);
    await migrate(other, component(FIRST, SECOND), AT);
    await other.close();
    const before = await cups();
    const fault = await running
      // What is wrong is the version, not the column that is not there.
      .write((session) => session.run("INSERT INTO saucers (name) VALUES ('tea')"))
      .then(
        () => expect.fail('it was written'),
        (error: ExecutionError) => error,
      );
    expect(fault.message).to.match(
      /the tables of cups have version 2 by now, and this program works with 1; nothing was changed$/,
    );
    await running.write(putTea).catch(() => {});
    expect(await cups()).to.deep.equal(before);
  });

  it('are made once when several processes begin together', async () => {
    const others = await Promise.all([1, 2, 3].map(() => openStore(url, { isMade: true })));
    await Promise.all(others.map((other) => migrate(other, component(FIRST, SECOND), AT)));
    await Promise.all(others.map((other) => other.close()));
    await add('tea');
    expect(await cups()).to.have.length(1);
    if (store.dialect === 'sqlite') expect(existsSync(url)).to.equal(true);
  });
});
