import { fdatasyncSync, fstatSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect } from 'chai';
import { SqliteStore } from '../../../src/ledger/store/sqlite-store.ts';
import type { Session } from '../../../src/ledger/store/store.ts';

const put = (name: string) => (session: Session) => session.run('INSERT INTO cups (name) VALUES (?)', [name]);

describe('the log of an SQLite file', () => {
  let folder: string;
  let file: string;
  let store: SqliteStore;
  /** What becomes of the next waits for the disk. */
  let failure: Error | undefined;
  /** Files that were waited for beside other writers. */
  let settled: number[];
  /** What the disk seems to take for a commit under the lock. */
  let commitMs: number;
  let clock = 0;

  const open = (name = file): SqliteStore =>
    new SqliteStore(name, 5, {
      sync: (descriptor) => {
        if (failure !== undefined) throw failure;
        settled.push(fstatSync(descriptor).ino);
        fdatasyncSync(descriptor);
      },
      now: () => (clock += commitMs),
    });

  const cups = (): readonly string[] => {
    const database = new DatabaseSync(file);
    const rows = database.prepare('SELECT name FROM cups ORDER BY name').all() as { name: string }[];
    database.close();
    return rows.map(({ name }) => name);
  };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'evenkeel-log-'));
    file = join(folder, 'cups.db');
    failure = undefined;
    settled = [];
    commitMs = 0.1;
    store = open();
    await store.file.prepare();
    await store.write((session) => session.script('CREATE TABLE cups (name TEXT NOT NULL)'));
    settled = [];
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is waited for once a commit, and not for what is taken back', async () => {
    await store.write(put('a'));
    await store.write(put('b'), () => false);
    await Promise.all(['c', 'd', 'e'].map((name) => store.write(put(name))));
    const log = statSync(`${file}-wal`).ino;
    expect(settled).to.deep.equal([log, log]);
    expect(cups()).to.deep.equal(['a', 'c', 'd', 'e']);
  });

  it('is found behind a link', async () => {
    const link = join(folder, 'link.db');
    symlinkSync(file, link);
    const other = open(link);
    await other.write(put('a'));
    expect(settled).to.deep.equal([statSync(`${file}-wal`).ino]);
    await other.close();
  });

  it('leaves the file free for others while it waits', async () => {
    const other = new DatabaseSync(file);
    const waiting = new SqliteStore(file, 5, {
      sync: () => other.exec("BEGIN IMMEDIATE; INSERT INTO cups (name) VALUES ('of another'); COMMIT"),
      now: () => 0,
    });
    await waiting.write(put('a'));
    await waiting.close();
    other.close();
    expect(cups()).to.deep.equal(['a', 'of another']);
  });

  describe('in a process that makes many changes', () => {
    /** `u`: the commit waited under the lock, `b`: beside the others. */
    const ways = async (count: number): Promise<string> => {
      let said = '';
      for (let i = 0; i < count; i++) {
        const before = settled.length;
        const mode = await store.write(async (session) => {
          await put(`${i}`)(session);
          return session.all<{ synchronous: number }>('PRAGMA synchronous');
        });
        const isBeside = settled.length > before;
        expect(mode[0]!.synchronous).to.equal(isBeside ? 1 : 2);
        said += isBeside ? 'b' : 'u';
      }
      return said;
    };
    // One was made by the test's beginning.
    const BEFORE = 'b'.repeat(15);

    it('is waited for under the lock while the disk is quick', async () => {
      expect(await ways(300)).to.equal(BEFORE + 'u'.repeat(285));
    });

    it('is waited for beside the others on a slow disk, which is tried again now and then', async () => {
      commitMs = 3;
      expect(await ways(300)).to.equal(
        `${BEFORE}${'u'.repeat(8)}${'b'.repeat(256)}${'u'.repeat(8)}${'b'.repeat(13)}`,
      );
    });

    it('is judged by the quickest of several waits, anew when the disk becomes slow', async () => {
      await ways(15);
      commitMs = 3;
      expect(await ways(7)).to.equal('u'.repeat(7));
      commitMs = 0.1;
      expect(await ways(1)).to.equal('u');
      commitMs = 3;
      expect(await ways(9)).to.equal(`${'u'.repeat(8)}b`);
    });
  });

  it('on a disk that does not take it: the change may be there, and nothing is written after it', async () => {
    const fates: string[] = [];
    failure = new Error('EIO: i/o error, fdatasync');
    const change = (name: string) =>
      store.write(put(name)).then(
        () => fates.push('done'),
        (error: Error) => fates.push(error.message),
      );
    await change('a');
    failure = undefined;
    await change('b');
    const said = `${file}: the disk did not take the last changes (EIO: i/o error, fdatasync); whether they were made is not known`;
    expect(fates).to.deep.equal([said, said]);
    expect(cups()).to.deep.equal(['a']);
  });

  it('that is not kept: SQLite itself waits for the disk', async () => {
    const other = open(join(folder, 'other.db'));
    await other.write((session) => session.script('CREATE TABLE cups (name TEXT NOT NULL)'));
    await other.write(put('a'));
    const [mode] = await other.write((session) => session.all<{ synchronous: number }>('PRAGMA synchronous'));
    await other.close();
    expect(mode!.synchronous).to.equal(2);
    expect(settled).to.deep.equal([]);
  });
});
