import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect } from 'chai';
import pg from 'pg';
import type { Fault } from '../../../src/kit/faults.ts';
import { audit } from '../../../src/ledger/claims/audit/audit.ts';
import { initLedger, type Ledger, openLedger } from '../../../src/ledger/claims/claim/ledger.ts';
import { CLAIMS } from '../../../src/ledger/claims/schema/migrations.ts';
import { addProvider, claimFor } from '../claims/ledgers.ts';
import { PostgresServer, postgresPrograms } from './postgres-server.ts';

const WORLD = { now: () => 0, newRequest: () => 'request' };

const faultOf = async (work: Promise<unknown>): Promise<Fault> => {
  try {
    await work;
  } catch (error) {
    return error as Fault;
  }
  throw new Error('there was no fault');
};

/** Works on the ledger at `url`, and closes it. */
async function withLedgerAt<T>(url: string, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  const ledger = await openLedger(url, WORLD);
  try {
    return await work(ledger);
  } finally {
    await ledger.store.close();
  }
}

describe('a PostgreSQL ledger that cannot be used', () => {
  const bin = postgresPrograms();
  let server: PostgresServer;
  let url: string;
  let p: string;

  before(async function () {
    if (bin === undefined) this.skip();
    server = await PostgresServer.start(bin, 'server');
    url = await server.freshUrl();
    const { ledger } = await initLedger(url, WORLD);
    p = await addProvider(ledger, 1, { VCPU: { total: 8 } });
    await claimFor(ledger, 'first', { [p]: { VCPU: 1 } });
    await ledger.store.close();
    await sql(`CREATE ROLE stranger LOGIN; CREATE ROLE visitor LOGIN; CREATE ROLE guarded LOGIN PASSWORD 'right'; CREATE ROLE reader LOGIN;
      ALTER ROLE reader SET default_transaction_read_only = on;
      GRANT USAGE ON SCHEMA t1 TO reader, visitor; GRANT ALL ON ALL TABLES IN SCHEMA t1 TO reader;
      GRANT ALL ON ALL SEQUENCES IN SCHEMA t1 TO reader`);
    await server.askPasswordOf('guarded');
  });
  after(() => server?.remove());

  async function sql(statements: string): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(statements);
    await client.end();
  }

  const as = (role: string): string => url.replace('evenkeel@', `${role}@`);
  const takeOne = (ledger: Ledger, consumer: string) => claimFor(ledger, consumer, { [p]: { VCPU: 1 } });

  it('has another password', async () => {
    const fault = await faultOf(openLedger(as('guarded:wrong'), WORLD));
    expect(fault.message).to.match(
      /^postgres:\/\/guarded@.*: password authentication failed for user "guarded"$/,
    );
    expect(fault.message).not.to.include('wrong');
    expect(fault.remedy).to.match(/check the password/);
    const none = await faultOf(openLedger(as('guarded'), WORLD));
    expect(none.message).to.match(/^postgres:\/\/guarded@.*: the server lets in who has the password/);
    expect(none.remedy).to.match(/PGPASSWORD/);
  });

  it('is on a server that encrypts nothing where the URL asks for that, without a warning of the driver', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): unknown => warnings.push(warning);
    process.on('warning', note);
    for (const mode of ['verify-full', 'require', 'verify-ca']) {
      const fault = await faultOf(openLedger(`${url}&sslmode=${mode}`, WORLD));
      expect(fault.message).to.match(
        /: no encrypted connection \(The server does not support SSL connections\)$/,
      );
      expect(fault.remedy).to.match(/sslmode/);
    }
    process.off('warning', note);
    expect(warnings).to.deep.equal([]);
  });

  it('stands in a database that is not there', async () => {
    const fault = await faultOf(openLedger(url.replace('/postgres?', '/nowhere?'), WORLD));
    expect(fault.message).to.match(/database "nowhere" does not exist$/);
    expect(fault.remedy).to.match(/createdb/);
  });

  it('belongs to others, who gave no rights', async () => {
    const unseen = await faultOf(openLedger(as('stranger'), WORLD));
    expect(unseen.message).to.match(/there are no tables of claims$/);
    expect(unseen.remedy).to.match(/GRANT USAGE/);
    expect((await faultOf(initLedger(as('stranger'), WORLD))).remedy).to.match(/GRANT USAGE/);
    const seen = await faultOf(openLedger(as('visitor'), WORLD));
    expect(seen.message).to.match(/permission denied for table schema_versions$/);
    expect(seen.remedy).to.match(/grant/);
  });

  it('may only be read: what there is is shown, and a claim is told so', async () => {
    await withLedgerAt(as('reader'), async (ledger) => {
      expect(await ledger.store.read(audit)).to.deep.equal([]);
      const fault = await faultOf(takeOne(ledger, 'second'));
      expect(fault.message).to.match(/^postgres:\/\/reader@.*: the database is read-only$/);
      expect(fault.remedy).to.match(/primary/);
    });
  });

  it('is on a machine that may lose its power: whether it is still there is asked while it is silent', async function () {
    if (process.platform !== 'linux') this.skip();
    const socket = `${new URL(url.replace('@/', '@server/')).searchParams.get('host')}/.s.PGSQL.5432`;
    const ports: number[] = [];
    const bridge = createServer((client) => {
      ports.push(client.remotePort!);
      client.pipe(connect(socket)).pipe(client);
    });
    await once(bridge.listen(0, '127.0.0.1'), 'listening');
    const { port } = bridge.address() as AddressInfo;
    const remote = url.replace(/@.*\?host=[^&]*&/, `@127.0.0.1:${port}/postgres?`);
    await withLedgerAt(remote, async ({ store }) => {
      await store.read(audit);
      const end = `0100007F:${ports[0]!.toString(16).toUpperCase().padStart(4, '0')}`;
      const row = readFileSync('/proc/net/tcp', 'utf8')
        .split('\n')
        .find((line) => line.includes(`: ${end} `))!;
      // The kernel's kinds of timers: 2 is the one that asks, and when in hundredths of a second.
      const [, kind, due] = / (\d\d):([0-9A-F]{8}) /.exec(row)!;
      expect(kind).to.equal('02');
      expect(Number.parseInt(due!, 16)).to.be.within(1, 1000);
    });
    bridge.close();
  });

  it('is held up, or kept in letters that not all names have: the server says so', async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('BEGIN; UPDATE resource_providers SET name = name');
    try {
      const limits = { lock_timeout: /lock timeout$/, statement_timeout: /statement timeout$/ };
      for (const [limit, words] of Object.entries(limits)) {
        const limited = url.replace('-csearch_path', `-c${limit}%3D50%20-csearch_path`);
        const fault = await withLedgerAt(limited, (ledger) => faultOf(takeOne(ledger, 'held up')));
        expect(fault.message).to.match(words);
        expect(fault.code).to.equal('BACKEND');
        expect(fault.remedy).to.include(`raise ${limit}`);
      }
      await client.query('ROLLBACK');
      await client.query(
        "CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0",
      );
    } finally {
      await client.end();
    }
    const latin = url.replace('/postgres?', '/latin?').replace(/&options=.*/, '');
    const { ledger } = await initLedger(latin, WORLD);
    const provider = await addProvider(ledger, 1, { VCPU: { total: 8 } });
    const fault = await faultOf(claimFor(ledger, '\u6f22', { [provider]: { VCPU: 1 } }));
    expect(fault.remedy).to.match(/ENCODING UTF8/);
    await ledger.store.close();
  });

  it('has no tables, or newer ones', async () => {
    const empty = await server.freshUrl();
    expect((await faultOf(openLedger(empty, WORLD))).message).to.match(/there are no tables of claims$/);
    await sql("UPDATE t1.schema_versions SET version = 99 WHERE component = 'claims'");
    const fault = await faultOf(openLedger(url, WORLD));
    expect(fault.message).to.match(
      /the tables of claims have version 99, and this program knows \d+ at most$/,
    );
    expect((await faultOf(initLedger(url, WORLD))).message).to.equal(fault.message);
    await sql(
      `UPDATE t1.schema_versions SET version = ${CLAIMS.migrations.length} WHERE component = 'claims'`,
    );
  });

  it('is on a server that dies and comes back: who asks meanwhile is told, and nothing is lost', async () => {
    await withLedgerAt(url, async (ledger) => {
      expect((await takeOne(ledger, 'before')).kind).to.equal('done');
      await server.end('SIGKILL');
      const fault = await faultOf(takeOne(ledger, 'meanwhile'));
      expect(fault.message).to.match(/^postgres:\/\/evenkeel@.*: no connection/);
      expect(fault.remedy).to.match(/server runs/);
      await server.run();
      expect((await takeOne(ledger, 'after')).kind).to.equal('done');
      expect(await ledger.store.read(audit)).to.deep.equal([]);
      const consumers = await ledger.store.read((session) =>
        session.all<{ uuid: string }>('SELECT uuid FROM consumers ORDER BY uuid'),
      );
      expect(consumers.map(({ uuid }) => uuid)).to.deep.equal(['after', 'before', 'first']);
    });
  });
});
