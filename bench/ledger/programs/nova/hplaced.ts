/** hplaced as the cloud's Placement: one or two services on one ledger, which can be killed. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { launcherOf } from '../../../launchers.ts';
import { LedgerServices, type StoreName } from '../hplaced/ledger-services.ts';
import type { Away } from './check.ts';
import { KEYSTONE, openrc } from './keystone.ts';

export const FIRST_PORT = 8778;

export class Placement {
  /** When the services were killed and came back; what was before them is no fault of theirs. */
  readonly away: Away[] = [{ from: 0, until: Date.now() }];
  private readonly all: LedgerServices;

  private constructor(all: LedgerServices) {
    this.all = all;
  }

  /** @param from URL of a Placement that it takes over from */
  static async start(store: StoreName, from?: string): Promise<Placement> {
    const placement = new Placement(await LedgerServices.on(store));
    if (from !== undefined)
      for (const words of [['init'], ['import', '--verify', '--placement', from]])
        execFileSync(process.execPath, [launcherOf('hclaim')!, '--db', placement.all.url, ...words], {
          stdio: 'ignore',
        });
    const lines = Object.entries(openrc('placement', 'service')).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(placement.credentials, lines.join(''), { mode: 0o600 });
    await placement.startAll();
    return placement;
  }

  get urls(): readonly string[] {
    return this.all.services.map(({ url }) => url);
  }

  private get credentials(): string {
    return join(this.all.folder, 'openrc');
  }

  private startAll(): Promise<void> {
    return this.all.start(['--keystone', KEYSTONE, '--keystone-credentials', this.credentials], FIRST_PORT);
  }

  /** Kills the services, and starts them again. */
  async killFor(ms: number): Promise<void> {
    const from = Date.now();
    await this.all.kill();
    await wait(ms);
    await this.startAll();
    this.away.push({ from, until: Date.now() });
  }

  /** Ends the services. @returns what is wrong with them or the ledger */
  async end(): Promise<string | undefined> {
    const problems = await this.all.end();
    return problems.length === 0 ? undefined : problems.slice(0, 20).join('\n');
  }
}
