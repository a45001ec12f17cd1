import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect } from 'chai';
import { Fault, InputError } from '../../../src/kit/faults.ts';
import { commitFault } from '../../../src/ledger/store/sqlite-faults.ts';
import { SqliteStore } from '../../../src/ledger/store/sqlite-store.ts';
import { OutcomeUnknown, type Session } from '../../../src/ledger/store/store.ts';
import { newFolder } from '../../builders/folder.ts';

const put = (name: string) => (session: Session) => session.run('INSERT INTO cups (name) VALUES (?)', [name]);
const all = (session: Session) => session.all<{ name: string }>('SELECT name FROM cups ORDER BY name');

/** What a connection that knows nothing of the log's file finds. */
function cupsIn(file: string): readonly string[] {
  const database = new DatabaseSync(file);
  const rows = database.prepare('SELECT name FROM cups ORDER BY name').all() as unknown as { name: string }[];
  database.close();
  return rows.map(({ name }) => name);
}

/** The work ends with a fault that says so. */
async function refused(work: Promise<unknown>, words: string): Promise<void> {
  const fault = await work.then(
    () => expect.fail(`no fault: ${words}`),
    (error: unknown) => error,
  );
  expect(fault).to.be.instanceOf(Fault);
  expect((fault as Fault).message).to.include(words);
}

describe('the files of an SQLite store', () => {
  let folder: string;
  let file: string;
  let store: SqliteStore;

  const mode = (ending = ''): string => (statSync(file + ending).mode & 0o777).toString(8);
  const logBytes = (): number => statSync(`${file}-wal`).size;

  beforeEach(async () => {
    folder = newFolder();
    file = join(folder, 'cups.db');
    store = new SqliteStore(file);
    await store.file.prepare();
    await store.write((session) => session.script('CREATE TABLE cups (name TEXT NOT NULL)'));
  });
  afterEach(async () => {
    await store.close();
  });

  it('have a commit on the disk before anybody sees it, however many there were', async () => {
    for (let i = 0; i < 40; i++) {
      const row = await store.write(async (session) => {
        await put(`${i}`)(session);
        return session.get<{ synchronous: number }>('PRAGMA synchronous');
      });
      expect(row!.synchronous, `commit ${i}`).to.equal(2);
    }
  });

  it("are nobody else's to read, the log and its index and a backup neither", async () => {
    await store.write(put('a'));
    expect([mode(), mode('-wal'), mode('-shm')]).to.deep.equal(['600', '600', '600']);
    await store.file.backUp(`${file}.copy`);
    expect(mode('.copy')).to.equal('600');
    symlinkSync('elsewhere.db', `${file}.link`);
    const linked = new SqliteStore(`${file}.link`);
    await linked.file.prepare();
    await linked.close();
    expect(statSync(join(folder, 'elsewhere.db')).mode & 0o777).to.equal(0o600);
  });

  it('are one file when all have ended: copied alone it has everything', async () => {
    await store.write(put('a'));
    await store.read(all);
    await store.close();
    expect(readdirSync(folder)).to.deep.equal(['cups.db']);
    copyFileSync(file, join(folder, 'copy.db'));
    expect(cupsIn(join(folder, 'copy.db'))).to.deep.equal(['a']);
  });

  it('are complete without the log when a writer has ended beside others', async () => {
    const other = new SqliteStore(file);
    await other.read(all);
    await store.write(put('a'));
    expect(logBytes()).to.be.above(0);
    await store.close();
    expect(logBytes()).to.equal(0);
    copyFileSync(file, join(folder, 'copy.db'));
    expect(cupsIn(join(folder, 'copy.db'))).to.deep.equal(['a']);
    await other.close();
  });

  it('are let go: a hundred times opened and closed leave no descriptor', async function () {
    if (!existsSync('/proc/self/fd')) this.skip();
    const open = (): readonly string[] =>
      readdirSync('/proc/self/fd').filter((one) => {
        try {
          return readlinkSync(`/proc/self/fd/${one}`).startsWith(folder);
        } catch {
          // The descriptor of the look itself.
          return false;
        }
      });
    // A descriptor of a file that has another connection in this process is kept for the next one.
    await store.close();
    for (let i = 0; i < 100; i++) {
      const one = new SqliteStore(file);
      await one.read(all);
      await one.write(put(`${i}`));
      await one.close();
    }
    expect(open()).to.deep.equal([]);
  });

  it('are cut back when a long look has ended beside which the log grew', async () => {
    const mebibyte = 'x'.repeat(1024 * 1024);
    const reader = new DatabaseSync(file);
    reader.exec('BEGIN');
    reader.prepare('SELECT COUNT(*) AS count FROM cups').get();
    for (let i = 0; i < 20; i++) await store.write(put(mebibyte));
    expect(logBytes()).to.be.above(20 * 1024 * 1024);
    reader.exec('COMMIT');
    reader.close();
    // The first moves the log to the database, the second begins it anew.
    for (let i = 0; i < 2; i++) await store.write(put('a'));
    expect(logBytes()).to.be.most(16 * 1024 * 1024);
  });

  it('are not made anew while they are away, and are written to when they are back', async () => {
    await store.close();
    const names = ['', '-wal', '-shm'];
    const move = (from: string, to: string): void => {
      for (const name of names) if (existsSync(from + name)) renameSync(from + name, to + name);
    };
    await store.read(all);
    move(file, `${file}.away`);
    await refused(store.write(put('lost')), 'cannot be opened');
    expect(names.filter((name) => existsSync(file + name))).to.deep.equal([]);
    move(`${file}.away`, file);
    await store.write(put('kept'));
    expect((await store.read(all)).map(({ name }) => name)).to.deep.equal(['kept']);
  });

  it('may have names that mean something in a URL', async () => {
    for (const name of ['a?mode=memory', 'b#c', 'd%41', 'e f&g', 'file:h', ':memory:', 'ü']) {
      const odd = new SqliteStore(join(folder, name));
      await odd.file.prepare();
      await odd.close();
      expect(readdirSync(folder)).to.include(name);
    }
  });

  it('are made beside nothing of another program', async () => {
    const foreign = join(folder, 'foreign.db');
    const database = new DatabaseSync(foreign);
    database.exec('CREATE TABLE theirs (name TEXT)');
    database.close();
    const before = readFileSync(foreign);
    await refused(
      new SqliteStore(foreign).file.prepare(),
      'foreign.db: this database belongs to another program',
    );
    expect(readFileSync(foreign)).to.deep.equal(before);
    await refused(
      new SqliteStore(join(folder, 'no', 'cups.db')).file.prepare(),
      'no/cups.db: cannot be opened',
    );
  });

  it('are copied under a name that nobody has, or not at all', async () => {
    await store.write(put('a'));
    const copy = join(folder, 'copy.db');
    await store.file.backUp(copy);
    await refused(store.file.backUp(copy), 'copy.db: there is such a file already');
    await refused(store.file.backUp(join(folder, 'no', 'copy.db')), 'cannot write');
    expect(cupsIn(copy)).to.deep.equal(['a']);
    await store.close();
    expect(readdirSync(folder).sort()).to.deep.equal(['copy.db', 'cups.db']);
  });

  it('are smaller once compacted, with the log that others keep open', async () => {
    const other = new SqliteStore(file);
    await other.read(all);
    for (let i = 0; i < 20; i++) await store.write(put('x'.repeat(100_000)));
    await store.write((session) => session.run('DELETE FROM cups'));
    const written = statSync(file).size + logBytes();
    const { before, after } = await store.file.compact();
    expect(before).to.equal(written);
    expect(after).to.equal(statSync(file).size);
    expect(after).to.be.below(20_000);
    expect(logBytes()).to.equal(0);
    await other.close();
  });

  it('are not used any more once they were moved away or replaced, until they are back', async () => {
    await store.write(put('a'));
    await store.read(all);
    const words = 'cups.db: the file was moved or replaced while it was open here; nothing was changed';
    renameSync(file, `${file}.away`);
    await refused(store.write(put('b')), words);
    await refused(store.read(all), words);
    copyFileSync(`${file}.away`, file);
    await refused(store.write(put('b')), words);
    renameSync(`${file}.away`, file);
    await store.write(put('c'));
    expect(cupsIn(file)).to.deep.equal(['a', 'c']);
  });

  describe('are replaced by a copy', () => {
    let copy: string;
    const kept = () => `${file}.kept`;
    const restored = (from = copy) =>
      new SqliteStore(file).file.restore(async (draft) => copyFileSync(from, draft), kept());

    beforeEach(async () => {
      copy = join(folder, 'copy.db');
      await store.write(put('a'));
      await store.file.backUp(copy);
      await store.write(put('b'));
    });

    it('that works as they did, beside what was', async () => {
      await store.close();
      expect(await restored()).to.equal(kept());
      expect(await restored(kept())).to.equal(`${kept()}.2`);
      expect([cupsIn(file), cupsIn(kept()), cupsIn(`${kept()}.2`)]).to.deep.equal([
        ['a', 'b'],
        ['a', 'b'],
        ['a'],
      ]);
      expect(await store.read((session) => session.get('PRAGMA journal_mode'))).to.deep.include({
        journal_mode: 'wal',
      });
      await store.close();
      expect(readdirSync(folder).sort()).to.deep.equal([
        'copy.db',
        'cups.db',
        'cups.db.kept',
        'cups.db.kept.2',
      ]);
    });

    it('unless somebody has them open', async () => {
      await refused(restored(), 'cups.db: somebody has the ledger open; nothing was changed');
      expect(await store.read(all)).to.have.length(2);
      await store.close();
      expect(readdirSync(folder).sort()).to.deep.equal(['copy.db', 'cups.db']);
    });

    it('where they are missing, or nobody can read them or their log', async () => {
      await store.close();
      rmSync(file);
      writeFileSync(`${file}-wal`, 'a log of nothing');
      expect(await restored()).to.equal(undefined);
      expect(cupsIn(file)).to.deep.equal(['a']);
      writeFileSync(file, 'no database at all'.repeat(100));
      writeFileSync(`${file}-wal`, 'a log of that');
      expect(await restored()).to.equal(kept());
      expect(cupsIn(file)).to.deep.equal(['a']);
      expect(readFileSync(kept(), 'utf8')).to.match(/^no database at all/);
      expect(readFileSync(`${kept()}-wal`, 'utf8')).to.equal('a log of that');
    });

    it('where one that was killed has left its draft, which goes; not what another works on, or a log', async () => {
      await store.close();
      const [left, log] = [`${file}.0123456789ab.new`, `${file}.fedcba987654.new-wal`];
      for (const name of [left, `${left}-lock`, `${left}.ba9876543210.new-journal`, log])
        writeFileSync(name, '');
      const bring = async (draft: string) => {
        copyFileSync(copy, draft);
        expect(readdirSync(folder).filter((name) => name.includes('0123456789ab'))).to.deep.equal([]);
        await restored();
      };
      await new SqliteStore(file).file.restore(bring, kept());
      const names = ['copy.db', 'cups.db', 'cups.db.fedcba987654.new-wal', 'cups.db.kept', 'cups.db.kept.2'];
      expect(readdirSync(folder).sort()).to.deep.equal(names);
    });

    it('or stay as they are where it cannot be made, or they cannot be kept', async () => {
      await store.close();
      const bring = async (draft: string) => copyFileSync(copy, draft);
      await refused(new SqliteStore(file).file.restore(bring, join(folder, 'no', 'kept')), 'cannot write');
      expect(await store.read((session) => session.get('PRAGMA journal_mode'))).to.deep.include({
        journal_mode: 'wal',
      });
      await store.close();
      await refused(restored(join(folder, 'none.db')), 'cannot write');
      await refused(
        new SqliteStore(file).file.restore(async () => {
          throw new InputError('copy', [{ problem: 'no copy' }]);
        }, kept()),
        'copy: no copy',
      );
      expect(readdirSync(folder).sort()).to.deep.equal(['copy.db', 'cups.db']);
      expect(cupsIn(file)).to.deep.equal(['a', 'b']);
    });
  });

  it('say of a commit that the disk does not take that its fate is not known', () => {
    const ofCommit = (errcode: number): unknown =>
      commitFault(Object.assign(new Error('disk I/O error'), { errcode }), file);
    const IO_ERROR_AT_FSYNC = 1034;
    expect(ofCommit(IO_ERROR_AT_FSYNC)).to.be.instanceOf(OutcomeUnknown);
    expect((ofCommit(IO_ERROR_AT_FSYNC) as Error).message).to.equal(
      `${file}: the disk did not take the last changes (disk I/O error); whether they were made is not known`,
    );
    const FULL = 13;
    expect(ofCommit(FULL)).not.to.be.instanceOf(OutcomeUnknown);
  });
});
