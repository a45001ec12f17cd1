/**
 * The statements of claims with their values, in their order and nothing else, with the same driver: what the
 * ledger's own work is measured against. They are recorded from claims on one ledger, and sent again to
 * another one that was made in the same way.
 *
 * Arguments: URL to record at, URL to replay at, number of claims.
 */
import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';
import pg from 'pg';
import { sqliteValues, translate } from '../../../src/ledger/store/dialect.ts';
import type { Session, SqlValue, Store } from '../../../src/ledger/store/store.ts';
import { serveWindows } from './window.ts';
import { makeClaim, openBench } from './workload.ts';

type Statement = readonly [text: string, values: readonly SqlValue[]];

/** A store that notes what is asked of `store`, one list a transaction that writes. */
function recording(store: Store, log: Statement[][]): Store {
  const noting = (session: Session, list: Statement[]): Session => {
    const noted =
      <Result>(run: (text: string, values: readonly SqlValue[]) => Result) =>
      (text: string, values: readonly SqlValue[] = []): Result => {
        list.push([text, values]);
        return run(text, values);
      };
    return {
      dialect: session.dialect,
      all: noted((text, values) => session.all(text, values)) as Session['all'],
      get: noted((text, values) => session.get(text, values)) as Session['get'],
      run: noted((text, values) => session.run(text, values)),
      script: (text) => session.script(text),
    };
  };
  return {
    dialect: store.dialect,
    name: store.name,
    read: (work) => store.read(work),
    write(work, isKept) {
      const list: Statement[] = [];
      log.push(list);
      return store.write((session) => work(noting(session, list)), isKept);
    },
    close: () => store.close(),
  };
}

async function record(url: string, count: number): Promise<readonly (readonly Statement[])[]> {
  const ledger = await openBench(url, 'replayed');
  const log: Statement[][] = [];
  const store = recording(ledger.store, log);
  for (let i = 0; i < count; i++) await makeClaim({ ...ledger, store }, 'replayed', i);
  await ledger.store.close();
  return log;
}

type Sender = { readonly send: (transaction: readonly Statement[]) => Promise<void>; close(): Promise<void> };

function sqliteSender(file: string): Sender {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  const prepared = new Map<string, StatementSyncInstance>();
  const statement = (text: string): StatementSyncInstance => {
    const found = prepared.get(text) ?? db.prepare(translate('sqlite', text));
    prepared.set(text, found);
    return found;
  };
  return {
    async send(transaction) {
      statement('BEGIN IMMEDIATE').run();
      for (const [text, values] of transaction)
        if (/^SELECT|RETURNING/.test(text)) statement(text).all(...sqliteValues(values));
        else statement(text).run(...sqliteValues(values));
      statement('COMMIT').run();
    },
    async close() {
      db.close();
    },
  };
}

async function postgresSender(url: string): Promise<Sender> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const names = new Map<string, { name: string; text: string }>();
  const statement = (text: string): { name: string; text: string } => {
    const found = names.get(text) ?? { name: `s${names.size}`, text: translate('postgres', text) };
    names.set(text, found);
    return found;
  };
  return {
    async send(transaction) {
      await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
      for (const [text, values] of transaction)
        await client.query({ ...statement(text), values: values as unknown[] });
      await client.query('COMMIT');
    },
    close: () => client.end(),
  };
}

async function main(): Promise<void> {
  const [recordUrl = '', url = '', count = '0'] = process.argv.slice(2);
  const log = await record(recordUrl, Number(count));
  // The same providers, with the same numbers.
  await (await openBench(url, 'replayed')).store.close();
  const sender = url.startsWith('postgres') ? await postgresSender(url) : sqliteSender(url);
  await serveWindows(
    async (i) => {
      const transaction = log[i];
      if (transaction === undefined) throw new Error(`only ${log.length} claims were recorded`);
      await sender.send(transaction);
    },
    1,
    () => sender.close(),
  );
}

main();
