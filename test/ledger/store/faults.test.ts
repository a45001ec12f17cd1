import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect } from 'chai';
import type { Fault } from '../../../src/kit/faults.ts';
import { audit } from '../../../src/ledger/claims/audit/audit.ts';
import { initLedger, openLedger } from '../../../src/ledger/claims/claim/ledger.ts';
import { openStore } from '../../../src/ledger/store/open-store.ts';
import { isConnectionLost, shownUrl } from '../../../src/ledger/store/postgres-faults.ts';
import { newFolder } from '../../builders/folder.ts';
import { addProvider, claimFor, freshLedger } from '../claims/ledgers.ts';

const WORLD = { now: () => 0, newRequest: () => 'r' };
const HCLAIM = fileURLToPath(new URL('../../../bin/hclaim', import.meta.url));

/** Modules that tests load late are another copy, so a class does not tell. */
const isFault = (error: unknown): error is Fault => typeof (error as Fault).exitCode === 'number';

/** The fault that a promise ends in. */
const faultOf = (work: Promise<unknown>): Promise<Fault> =>
  work.then(
    () => expect.fail('it went well'),
    (error: unknown) => {
      expect(isFault(error), String(error)).to.equal(true);
      return error as Fault;
    },
  );

describe('an SQLite ledger that cannot be used', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = newFolder();
    file = join(folder, 'ledger.db');
  });

  it('is not made by a spelling mistake', async () => {
    const fault = await faultOf(openLedger(file, WORLD));
    expect([fault.message, fault.remedy]).to.deep.equal([
      `${file}: there is no such file`,
      'make it with hclaim init, or hbind init for pods',
    ]);
  });

  it('is no database at all', async () => {
    writeFileSync(file, 'a shopping list, long enough to be more than the header of a database: '.repeat(20));
    expect((await faultOf(openLedger(file, WORLD))).message).to.match(/this is not an SQLite database/);
    expect((await faultOf(initLedger(file, WORLD))).message).to.match(/this is not an SQLite database/);
    expect(readFileSync(file, 'utf8')).to.match(/^a shopping list/);
  });

  it('is the database of another program', async () => {
    const other = new DatabaseSync(file);
    other.exec('CREATE TABLE bookmarks (url TEXT)');
    other.close();
    expect((await faultOf(openLedger(file, WORLD))).message).to.match(/there are no tables of claims/);
    expect((await faultOf(initLedger(file, WORLD))).message).to.match(/belongs to another program/);
  });

  it('is of a newer version', async () => {
    await (await freshLedger(file)).store.close();
    const newer = new DatabaseSync(file);
    newer.exec('UPDATE schema_versions SET version = 99');
    newer.close();
    const fault = await faultOf(openLedger(file, WORLD));
    expect(fault.message).to.match(/have version 99, and this program knows \d+ at most$/);
    expect(fault.remedy).to.match(/newer Evenkeel/);
  });

  it('is damaged, and the audit says so', async () => {
    const ledger = await freshLedger(file);
    const p = await addProvider(ledger, 1, { VCPU: { total: 1000 } });
    for (let i = 0; i < 200; i++) await claimFor(ledger, `consumer-${i}`, { [p]: { VCPU: 1 } });
    await ledger.store.close();
    const moving = new DatabaseSync(file);
    moving.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    moving.close();
    const bytes = readFileSync(file);
    const page = 4096;
    for (let at = 20 * page; at < bytes.length; at += page) bytes.fill(0x5a, at, at + page);
    writeFileSync(file, bytes);
    const damaged = await openLedger(file, WORLD).catch((error: unknown) => error);
    const said = isFault(damaged)
      ? damaged.message
      : await (damaged as Awaited<ReturnType<typeof openLedger>>).store.read(audit).then(
          (findings) => findings.map(({ kind }) => kind).join(),
          (error: Fault) => error.message,
        );
    if (!isFault(damaged)) await (damaged as Awaited<ReturnType<typeof openLedger>>).store.close();
    expect(said).to.match(/damage/);
  });

  it('is read-only: it can be looked at or says why not, and nothing is written', async function () {
    if (statSync(HCLAIM, { throwIfNoEntry: false }) === undefined) this.skip();
    const ledger = await freshLedger(file);
    await addProvider(ledger, 1, { VCPU: { total: 4 } });
    await ledger.store.close();
    chmodSync(folder, 0o555);
    chmodSync(file, 0o444);
    const before = readFileSync(file);
    // Root may write everywhere; somebody else runs the program then.
    const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const { status, stderr } = spawnSync(
      process.execPath,
      [HCLAIM, '--db', file, 'claim', '--consumer', 'c', 'p1=VCPU:1'],
      { ...user, encoding: 'utf8', env: { ...process.env, HTOOLS: undefined } as NodeJS.ProcessEnv },
    );
    chmodSync(folder, 0o755);
    // That user may not be able to read the program.
    if (/EACCES|Cannot find module/.test(stderr) && !stderr.includes(folder)) this.skip();
    expect({ status, isSaid: /cannot be written|cannot be opened/.test(stderr) }, stderr).to.deep.equal({
      status: 2,
      isSaid: true,
    });
    expect(readFileSync(file).equals(before)).to.equal(true);
  });

  /** A small disk. @returns its folder; undefined where none can be made. */
  function tinyDisk(size: string): string | undefined {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      return undefined;
    }
    return disk;
  }

  // A closed connection keeps its file until its statements are collected.
  const takeOff = (disk: string): unknown => execFileSync('umount', ['-l', disk]);

  it('is backed up to a disk that is full, which is the one that is named', async function () {
    const disk = tinyDisk('64k');
    if (disk === undefined) this.skip();
    const ledger = await freshLedger(file);
    try {
      const copy = join(disk, 'copy.db');
      const fault = await faultOf(ledger.store.file!.backUp(copy));
      expect(fault.message).to.equal(`${copy}: no space left on the disk; nothing was changed`);
      expect(readdirSync(disk)).to.deep.equal([]);
    } finally {
      await ledger.store.close();
      takeOff(disk);
    }
  });

  it('stands on a full disk: the claim says so, and what was claimed before is there', async function () {
    const open: Awaited<ReturnType<typeof openLedger>>[] = [];
    const disk = tinyDisk('1200k');
    if (disk === undefined) this.skip();
    try {
      const full = join(disk, 'ledger.db');
      const ledger = await freshLedger(full);
      open.push(ledger);
      const p = await addProvider(ledger, 1, { VCPU: { total: 1_000_000 } });
      let claimed = 0;
      const fault = await faultOf(
        (async () => {
          for (;;) {
            await claimFor(ledger, `consumer-with-a-long-name-${claimed}`, { [p]: { VCPU: 1 } });
            claimed++;
          }
        })(),
      );
      expect(fault.message).to.equal(`${full}: no space left on the disk; nothing was changed`);
      // With room again, everything that was granted is there.
      const copy = join(folder, 'copy.db');
      for (const ending of ['', '-wal'])
        if (statSync(full + ending, { throwIfNoEntry: false })) copyFileSync(full + ending, copy + ending);
      const again = await openLedger(copy, WORLD);
      open.push(again);
      expect(await again.store.read(audit)).to.deep.equal([]);
      const [row] = await again.store.read((session) =>
        session.all<{ count: number }>('SELECT COUNT(*) AS count FROM consumers'),
      );
      expect(row!.count).to.equal(claimed);
      expect((await claimFor(again, 'next', { [p]: { VCPU: 1 } })).kind).to.equal('done');
    } finally {
      for (const { store } of open) await store.close();
      takeOff(disk);
    }
  });
});

describe('a database that is not reached', () => {
  it('names the server without the password, and a remedy', async () => {
    const url = 'postgres://somebody:secret@127.0.0.1:1/nothing';
    const store = await openStore(url);
    const fault = await faultOf(store.read(async () => 1));
    await store.close();
    expect(fault.message).to.match(/^postgres:\/\/somebody@127\.0\.0\.1:1\/nothing: no connection/);
    expect(fault.message).not.to.include('secret');
    expect(fault.remedy).to.match(/server runs/);
  });

  it('is lost, too, where the server ends a connection that is idle for long', () => {
    const ended = (code: string) => isConnectionLost({ code, message: 'terminating connection' });
    expect(['57P01', '57P04', '57P05', '25P03', '25P04', '57014', '25P02'].map(ended)).to.deep.equal([
      ...[true, true, true, true, true],
      ...[false, false],
    ]);
  });

  it('is of no kind that we know', async () => {
    expect((await faultOf(openStore('mysql://user:secret@host/db'))).message).to.equal(
      'mysql: databases of this kind are not known',
    );
  });

  it('is named without passwords, wherever they stand', () => {
    const shown = {
      'postgres://u:secret@h:1/d?password=secret&sslmode=require': 'postgres://u@h:1/d?sslmode=require',
      'postgres://h:1/d?user=u&sslpassword=secret': 'postgres://h:1/d?user=u',
      'postgres://u:sec@ret@h:1/d': 'postgres://u@h:1/d',
      'postgres:///d?host=/run/postgresql': 'postgres:///d?host=/run/postgresql',
      'postgres://u:secret@/d?host=/run/postgresql': 'postgres://u@/d?host=/run/postgresql',
    };
    for (const [url, name] of Object.entries(shown)) expect(shownUrl(url), url).to.equal(name);
  });

  it('is a usage error where its URL cannot be read, and is not shown', async () => {
    for (const url of [
      'postgres://u:secret@[::1/d',
      'postgres://u:sec/ret@h:1/d',
      'postgres://u:secret@h:1/%ff',
      'postgres://u:secret@h/d?port=x',
      'postgres://u:secret@h/d?port=65536',
    ]) {
      const fault = await faultOf(openStore(url));
      expect(fault.code, url).to.equal('USAGE');
      expect(fault.message + fault.remedy).not.to.match(/sec|ret@/);
    }
  });
});
