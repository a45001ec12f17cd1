/** One suite for both databases: SQLite always, PostgreSQL where it is installed. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../../builders/folder.ts';
import { halved } from '../../builders/seeds.ts';
import { PostgresServer, postgresPrograms } from './postgres-server.ts';

let server: Promise<PostgresServer> | undefined;

/**
 * The server that all suites of this process share. Mocha's hooks end with a file where files run in
 * parallel; a process does not.
 */
function sharedServer(bin: string): Promise<PostgresServer> {
  server ??= PostgresServer.start(bin).then((started) => {
    started.leaveToProcess();
    return started;
  });
  return server;
}

/** Gives the URL of an empty database. */
export type FreshUrl = () => Promise<string>;

/**
 * Describes `name` once for each database; `body` asks for empty databases inside its tests and hooks.
 *
 * @param body its second argument is the share of a property's seeds that a database is tried with: what is
 * wrong on both SQLite tells, five times sooner
 */
export function describeOnEachStore(name: string, body: (freshUrl: FreshUrl, share: number) => void): void {
  describe(`${name} on SQLite`, () => {
    const folder = newFolder();
    let count = 0;
    // Hundreds of ledgers would fill the memory that they are in.
    after(() => rmSync(folder, { recursive: true }));
    body(async () => join(folder, `${++count}.db`), 1);
  });
  describe(`${name} on PostgreSQL`, () => {
    const bin = postgresPrograms();
    if (bin === undefined) {
      it('needs the package postgresql, which is not installed');
      return;
    }
    before(async () => {
      await sharedServer(bin);
    });
    body(async () => (await sharedServer(bin)).freshUrl(), halved(1));
  });
}
