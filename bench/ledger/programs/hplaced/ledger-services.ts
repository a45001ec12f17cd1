/** Services on a ledger of their own: one over a file, or two over PostgreSQL. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audit } from '../../../../src/ledger/claims/audit/audit.ts';
import { openLedger } from '../../../../src/ledger/claims/claim/ledger.ts';
import { PostgresServer, postgresPrograms } from '../../../../test/ledger/store/postgres-server.ts';
import { ServiceProcess } from './service-process.ts';

const SERVICES = { sqlite: 1, postgres: 2 } as const;
export type StoreName = keyof typeof SERVICES;
export const STORES = Object.keys(SERVICES) as readonly StoreName[];

export class LedgerServices {
  /** For their files, and gone with them. */
  readonly folder = mkdtempSync(join(tmpdir(), 'evenkeel-services-'));
  readonly services: ServiceProcess[] = [];
  private database: PostgresServer | undefined;
  /** Of the ledger. */
  url = join(this.folder, 'ledger.db');

  private constructor() {}

  static async on(store: StoreName): Promise<LedgerServices> {
    const all = new LedgerServices();
    if (store === 'sqlite') return all;
    const bin = postgresPrograms();
    if (bin === undefined) throw new Error('PostgreSQL is not installed');
    all.database = await PostgresServer.start(bin, 'server');
    all.url = all.database.url();
    return all;
  }

  /**
   * As many as the store is for.
   * @param firstPort of the first; undefined: any, and they go before whatever else the machine does
   */
  async start(words: readonly string[], firstPort?: number): Promise<void> {
    const count = SERVICES[this.database ? 'postgres' : 'sqlite'];
    for (let k = 0; k < count; k++)
      this.services[k] = await ServiceProcess.start(
        ['--db', this.url, ...words],
        `127.0.0.1:${firstPort === undefined ? 0 : firstPort + k}`,
        firstPort === undefined,
      );
  }

  async kill(): Promise<void> {
    await Promise.all(this.services.map((service) => service.kill()));
  }

  /**
   * Ends all, and audits the ledger.
   * @param isExpected lines of a log that are no fault
   * @returns what is wrong
   */
  async end(isExpected = (line: string): boolean => line === ''): Promise<readonly string[]> {
    const problems: string[] = [];
    for (const service of this.services) {
      const status = await service.stop();
      if (status !== 0) problems.push(`ended with status ${status}`);
      problems.push(...service.stderr.split('\n').filter((line) => line !== '' && !isExpected(line)));
    }
    const ledger = await openLedger(this.url, { now: Date.now, newRequest: randomUUID });
    problems.push(...(await ledger.store.read(audit)).map((finding) => JSON.stringify(finding)));
    await ledger.store.close();
    await this.database?.remove();
    rmSync(this.folder, { recursive: true });
    return problems;
  }
}
