import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { ROOT, runBuilt } from '../../../suite/run-built.ts';
import { PostgresServer, postgresPrograms } from '../../store/postgres-server.ts';

describe('looking after a ledger', () => {
  let folder: string;
  let db: string;
  let copy: string;

  const hclaim = (words: string, url = db) => runBuilt(`hclaim --db ${url} ${words}`);
  /** In a process of its own: of one process's connections none keeps the others out here. */
  const apart = (words: string) =>
    spawnSync(`${ROOT}/bin/hclaim`, ['--db', db, ...words.split(' ')], { encoding: 'utf8' });
  const claim = (name: string) => hclaim(`claim --consumer ${name} n=VCPU:1`);
  const holders = (url = db) =>
    JSON.parse(hclaim('show n --json', url).stdout).found[0].consumers.map(
      ({ consumer }: { consumer: string }) => consumer,
    );
  const kept = () => readdirSync(folder).filter((name) => /^ledger\.db\.\d{8}-\d{6}(\.\d+)?$/.test(name));
  const others = () =>
    readdirSync(folder).filter((name) => !['ledger.db', 'copy.db', ...kept()].includes(name));

  beforeEach(() => {
    folder = newFolder();
    db = join(folder, 'ledger.db');
    copy = join(folder, 'copy.db');
    hclaim('init');
    hclaim('provider add n');
    hclaim('inventory set n VCPU=100');
    claim('a');
  });

  it('copies a ledger that is in use, as one whole private file', () => {
    const user = new DatabaseSync(db);
    user.exec('BEGIN; SELECT COUNT(*) FROM consumers');
    apart('claim --consumer b n=VCPU:1');
    expect(apart(`backup ${copy}`)).to.deep.include({ status: 0, stdout: `${db} is copied to ${copy}.\n` });
    user.close();
    expect((statSync(copy).mode & 0o777).toString(8)).to.equal('600');
    expect(holders(copy)).to.deep.equal(['a', 'b']);
    expect(others()).to.deep.equal([]);
  });

  it('copies to no file that is there, and leaves nothing behind', () => {
    writeFileSync(copy, 'mine');
    const { status, stderr } = hclaim(`backup ${copy}`);
    expect([status, stderr]).to.deep.equal([
      2,
      `Error: ${copy}: there is such a file already\nMaybe name one that is not there\n`,
    ]);
    expect(readFileSync(copy, 'utf8')).to.equal('mine');
    expect(hclaim(`backup ${join(folder, 'no', 'copy.db')}`)).to.include({ status: 2, stdout: '' });
    expect(others()).to.deep.equal([]);
  });

  it('takes every name for that of a file, also those that SQLite has meanings for', () => {
    const cwd = join(folder, 'names');
    mkdirSync(cwd);
    const run = (words: string) =>
      spawnSync(`${ROOT}/bin/hclaim`, words.split(' '), { cwd, encoding: 'utf8' });
    for (const name of [':memory:', 'file:a.db?mode=memory']) {
      expect(run(`--db ${name} init`).status).to.equal(0);
      expect(run(`--db ${name} provider add n`).status).to.equal(0);
      expect(run(`--db ${name} backup file:${name}`).status).to.equal(0);
      expect(run(`--db file:${name} provider list`).stdout).to.match(/^ *n /m);
      for (const file of [name, `file:${name}`])
        expect(statSync(join(cwd, file)).mode & 0o777).to.equal(0o600);
    }
    expect(readdirSync(cwd)).to.have.length(4);
  });

  it('puts a backup back, keeps what was, and can undo that', () => {
    hclaim(`backup ${copy}`);
    claim('b');
    const { status, stdout } = hclaim(`restore ${copy}`);
    const [name] = kept();
    expect([status, stdout]).to.deep.equal([
      0,
      `${db} is what ${copy} was (version 4).\nWhat was before is kept in ${join(folder, name!)}.\n`,
    ]);
    expect(holders()).to.deep.equal(['a']);
    expect(others()).to.deep.equal([]);
    hclaim(`restore ${join(folder, name!)}`);
    expect(holders()).to.deep.equal(['a', 'b']);
    expect(kept()).to.have.length(2);
    // Readers and a writer work side by side, as before.
    const reader = new DatabaseSync(db);
    reader.exec('BEGIN; SELECT COUNT(*) FROM consumers');
    expect(apart('claim --consumer c n=VCPU:1').status).to.equal(0);
    reader.close();
  });

  it('puts it where a link leads, under the same owner and for nobody else', () => {
    hclaim(`backup ${copy}`);
    const real = join(folder, 'real.db');
    renameSync(db, real);
    symlinkSync(real, db);
    hclaim(`restore ${copy}`);
    expect(readlinkSync(db)).to.equal(real);
    expect((statSync(real).mode & 0o777).toString(8)).to.equal('600');
    expect(holders()).to.deep.equal(['a']);
  });

  it('puts nothing in the place of a ledger that somebody has open, not even idly', () => {
    hclaim(`backup ${copy}`);
    const user = new DatabaseSync(db);
    user.prepare('SELECT COUNT(*) FROM consumers').get();
    const { status, stderr } = apart(`restore ${copy}`);
    expect(status).to.equal(2);
    expect(stderr).to.equal(
      `Error: ${db}: somebody has the ledger open; nothing was changed\nMaybe end what works with it (hplaced, hclaim watch...); fuser tells who that is\n`,
    );
    user.close();
    expect([...kept(), ...others()]).to.deep.equal([]);
    expect(hclaim(`restore ${copy}`).status).to.equal(0);
  });

  it('restores where the ledger is missing, or damaged beside a log that nobody can read', () => {
    hclaim(`backup ${copy}`);
    rmSync(db);
    expect(hclaim(`restore ${copy}`).stdout).to.equal(`${db} is what ${copy} was (version 4).\n`);
    expect(holders()).to.deep.equal(['a']);
    writeFileSync(db, 'no ledger any more, and long enough to be one: '.repeat(200));
    writeFileSync(`${db}-wal`, 'nor is this a log');
    hclaim(`restore ${copy}`);
    expect(holders()).to.deep.equal(['a']);
    const [name] = kept();
    expect(readFileSync(join(folder, name!), 'utf8')).to.match(/^no ledger any more/);
    expect(readFileSync(join(folder, `${name}-wal`), 'utf8')).to.equal('nor is this a log');
  });

  it('restores from nothing that is no whole ledger of a known version', () => {
    claim('somebody-special');
    hclaim(`backup ${copy}`);
    const wrong = (message: RegExp) => {
      const { status, stderr } = hclaim(`restore ${copy}`);
      expect(status).to.equal(2);
      expect(stderr).to.match(message);
      expect([...kept(), ...others()]).to.deep.equal([]);
    };
    const tampered = (statement: string) => {
      const database = new DatabaseSync(copy);
      database.exec(statement);
      database.close();
    };
    tampered("UPDATE schema_versions SET version = 5 WHERE component = 'claims'");
    wrong(/have version 5, and this program knows 4 at most/);
    tampered('DELETE FROM schema_versions');
    wrong(/this is no backup of a ledger/);
    tampered("INSERT INTO schema_versions VALUES ('claims', 4)");
    // An index that says something else than its table is what only the full check finds.
    const bytes = readFileSync(copy);
    const at = bytes.lastIndexOf('somebody-special');
    bytes.write('S', at);
    writeFileSync(copy, bytes);
    wrong(/the database is damaged \(.*index/);
    truncateSync(copy, 20_000);
    wrong(/damaged/);
    writeFileSync(copy, 'x'.repeat(5000));
    wrong(/this is not an SQLite database/);
    rmSync(copy);
    wrong(/there is no such file\n.*hclaim backup has made/);
    expect(holders()).to.deep.equal(['a', 'somebody-special']);
  });

  it('lets who waits for the ledger meanwhile find the copy', async function () {
    if (!existsSync('/proc/self/fd')) this.skip();
    hclaim(`backup ${copy}`);
    claim('b');
    const prepared = new DatabaseSync(copy);
    prepared.exec('PRAGMA journal_mode = WAL');
    prepared.close();
    // What restore does, with time for somebody to come in between.
    const owner = new DatabaseSync(db);
    owner.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; COMMIT');
    const show = spawn(`${ROOT}/bin/hclaim`, ['--db', db, 'show', 'n', '--json']);
    let seen = '';
    show.stdout.on('data', (piece) => {
      seen += piece;
    });
    const ended = new Promise((resolve) => show.once('exit', resolve));
    const hasOpened = () =>
      readdirSync(`/proc/${show.pid}/fd`).some((one) => {
        try {
          return readlinkSync(`/proc/${show.pid}/fd/${one}`) === db;
        } catch {
          return false;
        }
      });
    while (!hasOpened()) await wait(5);
    renameSync(db, `${db}.before`);
    renameSync(copy, db);
    owner.close();
    expect(await ended).to.equal(0);
    expect(JSON.parse(seen).found[0].consumers).to.have.length(1);
  });

  it('makes a file smaller once there is less in it, while others have it open', () => {
    const filler = new DatabaseSync(db);
    filler.exec(`INSERT INTO history (at, request, actor, action, reason) WITH RECURSIVE n (i) AS
      (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT 0, 'r', 'x', 'trait-add', 'because' FROM n;
      UPDATE history SET at = 0`);
    expect(hclaim('prune').stderr).to.match(/hclaim prune: --before is missing\nMaybe say how old/);
    expect(apart('prune --before 1h').stdout).to.equal(
      `Removed 20002 changes; the history is whole since ${JSON.parse(hclaim('history --json').stdout).wholeSince}.\n`,
    );
    expect(hclaim('prune --before 30d').stdout).to.match(/^Removed 0 changes; the history is whole since /);
    const [, before, after] = /(\d+) bytes before, (\d+) now\.\n$/.exec(apart('compact').stdout)!;
    expect(Number(before)).to.be.above(1_500_000);
    expect(Number(after)).to.be.below(400_000);
    expect(statSync(db).size).to.equal(Number(after));
    filler.close();
    expect(holders()).to.deep.equal(['a']);
    expect(hclaim('audit').status).to.equal(0);
  });

  it('tells from when on the history is whole, and draws no use before', () => {
    const ahead = (words: string) => runBuilt(`hclaim --db ${db} ${words}`, { aheadSeconds: 3600 });
    ahead('prune --before 30m');
    const { wholeSince } = JSON.parse(hclaim('history --json').stdout);
    expect(hclaim('history').stdout.split('\n')[0]).to.equal(
      `(Removed: changes before ${wholeSince.replace(/\.\d+Z/, 'Z')}.)`,
    );
    expect(hclaim('history --limit 1').stdout).not.to.match(/Removed/);
    const drawn = ahead('usage --over 2h --json');
    expect(drawn.stderr).to.match(/^Note: older changes were removed from the history: drawn from \d{4}-/);
    const { from, series } = JSON.parse(drawn.stdout);
    expect(from).to.equal(wholeSince.replace(/\.\d+Z/, 'Z'));
    expect(series[0].used[0]).to.equal(1);
    expect(ahead('usage --over 5m --json').stderr).to.equal('');
  });

  it('of a PostgreSQL ledger is left to its own programs, which are named', async function () {
    const bin = postgresPrograms();
    if (bin === undefined) this.skip();
    const server = await PostgresServer.start(bin);
    try {
      const url = await server.freshUrl();
      hclaim('init', url);
      for (const [words, program] of [
        [`backup ${copy}`, 'pg_dump'],
        [`restore ${copy}`, 'pg_restore'],
        ['compact', 'VACUUM'],
      ] as const) {
        const { status, stderr } = hclaim(words, url);
        expect(status, words).to.equal(2);
        expect(stderr).to.match(
          new RegExp(`is looked after by PostgreSQL\\nMaybe ${program.replace('(', '\\(')}`),
        );
      }
      expect(hclaim(`restore ${url}`).stderr).to.match(/this is no backup of a ledger/);
      expect(existsSync(copy)).to.equal(false);
    } finally {
      await server.remove();
    }
  });
});
