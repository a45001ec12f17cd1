import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { ROOT, runBuilt, STOPPED_CLOCK } from '../../../suite/run-built.ts';
import { PostgresServer, postgresPrograms } from '../../store/postgres-server.ts';

/** `hclaim watch` at work. */
class Watch {
  private readonly child: ChildProcess;
  private readonly said = { stdout: '', stderr: '' };
  readonly ended: Promise<unknown>;

  constructor(db: string, words: readonly string[] = []) {
    this.child = spawn(`${ROOT}/bin/hclaim`, ['--db', db, 'watch', '--interval', '0.05', ...words]);
    for (const stream of ['stdout', 'stderr'] as const)
      this.child[stream]!.on('data', (piece) => {
        this.said[stream] += piece;
      });
    this.ended = new Promise((resolve) => this.child.once('exit', resolve));
  }

  get lines(): readonly string[] {
    return this.said.stdout.split('\n').slice(0, -1);
  }

  /** Waits until a stream has said so. */
  async has(stream: 'stdout' | 'stderr', words: RegExp): Promise<void> {
    while (!words.test(this.said[stream])) {
      expect(this.child.exitCode, this.said.stderr).to.equal(null);
      await wait(20);
    }
  }

  /** Nobody reads it any more. */
  leave(): void {
    this.child.stdout!.destroy();
  }

  async end(): Promise<void> {
    this.child.kill();
    await this.ended;
  }
}

describe('hclaim watch', () => {
  const folder = newFolder();
  let db: string;

  const hclaim = (words: string, url = db) => runBuilt(`hclaim --db ${url} ${words}`);
  const makeLedger = (url = db) => {
    hclaim('init', url);
    hclaim('provider add n', url);
    hclaim('inventory set n VCPU=100', url);
  };
  const numberOf = (line: string) => Number(line.split(' ')[0]);

  before(() => {
    db = join(folder, 'ledger.db');
    makeLedger();
  });

  it('prints changes as they happen, and none of those before', async () => {
    const watch = new Watch(db, ['--json']);
    try {
      // Nothing tells when it has begun to look.
      while (watch.lines.length === 0) {
        hclaim('claim --consumer seen n=VCPU:1');
        await wait(100);
        hclaim('release seen');
      }
      expect(JSON.parse(watch.lines[0]!)).to.deep.include({ consumer: 'seen' });
    } finally {
      await watch.end();
    }
  });

  it('goes on behind the number of a line, with everything and nothing twice', async () => {
    hclaim('claim --consumer a n=VCPU:1');
    const first = new Watch(db, ['--after', '0', '--for', '0.2s']);
    expect(await first.ended).to.equal(0);
    const last = numberOf(first.lines.at(-1)!);
    expect(first.lines.map(numberOf)).to.deep.equal(Array.from({ length: last }, (_, i) => i + 1));
    hclaim('claim --consumer b n=VCPU:1');
    const second = new Watch(db, ['--after', String(last)]);
    try {
      await second.has('stdout', /claim b/);
      hclaim('claim --consumer c n=VCPU:1');
      await second.has('stdout', /claim c/);
      expect(second.lines.map(numberOf)).to.deep.equal([last + 1, last + 2]);
    } finally {
      await second.end();
    }
    expect(hclaim('watch --after -1').status).to.equal(2);
  });

  it('ends when its reader leaves', async () => {
    const watch = new Watch(db, ['--after', '0']);
    await watch.has('stdout', /\n/);
    watch.leave();
    hclaim('claim --consumer unseen n=VCPU:1');
    expect(await watch.ended).to.equal(0);
  });

  it('ends when its time is over, whatever is done to the clock', () => {
    const around = { env: { ...process.env, NODE_OPTIONS: STOPPED_CLOCK }, timeout: 60_000 };
    expect(spawnSync(`${ROOT}/bin/hclaim`, ['--db', db, 'watch', '--for', '0.1s'], around).status).to.equal(
      0,
    );
  });

  it('takes long histories in pieces, each change once', async () => {
    const long = join(folder, 'long.db');
    makeLedger(long);
    const database = new DatabaseSync(long);
    database.exec(`INSERT INTO history (at, request, actor, action) WITH RECURSIVE n (i) AS
      (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000) SELECT 0, 'r', 'x', 'trait-add' FROM n`);
    database.close();
    const watch = new Watch(long, ['--after', '2', '--for', '0.1s']);
    expect(await watch.ended).to.equal(0);
    expect(watch.lines.map(numberOf)).to.deep.equal(Array.from({ length: 25_000 }, (_, i) => i + 3));
  });

  it('goes on when the database comes back, and says so', async function () {
    const bin = postgresPrograms();
    if (bin === undefined) this.skip();
    const server = await PostgresServer.start(bin, 'server');
    try {
      const url = await server.freshUrl();
      makeLedger(url);
      const watch = new Watch(url, ['--after', '0']);
      try {
        await watch.has('stdout', /inventory/);
        await server.end();
        await watch.has('stderr', /^Warning: postgres:.*; trying again\n/);
        await server.run();
        hclaim('claim --consumer late n=VCPU:1', url);
        await watch.has('stdout', / claim late n@2 {2}- => VCPU:1\n/);
        await watch.has('stderr', /trying again\nWarning: the database answers again\n$/);
        expect(watch.lines).to.have.length(3);
      } finally {
        await watch.end();
      }
      await server.end();
      const gone = new Watch(url);
      expect(await gone.ended).to.equal(2);
    } finally {
      await server.remove();
    }
  });
});
