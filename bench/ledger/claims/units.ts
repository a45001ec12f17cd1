/**
 * Six processes claim single units of one inventory until it is full, and two of them are killed on the way:
 * every unit is given once.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { audit } from '../../../src/ledger/claims/audit/audit.ts';
import { setInventories } from '../../../src/ledger/claims/changes/inventory-changes.ts';
import { createProvider } from '../../../src/ledger/claims/changes/provider-changes.ts';
import { change, initLedger, type Ledger } from '../../../src/ledger/claims/claim/ledger.ts';
import { INVENTORY_DEFAULTS } from '../../../src/ledger/claims/model/inventory.ts';
import { derivedUuid } from '../../../src/ledger/claims/model/names.ts';
import { providerFacts } from '../../../src/ledger/claims/usage/show.ts';
import type { Random } from '../../generate/random.ts';

const PROCESSES = 6;
const KILLED = 2;
const CAPACITY = 1200;
const POLL_MS = 10;

const PROVIDER = 'units';
const UUID = derivedUuid('torture', PROVIDER);
const AUTHOR = { actor: 'torture' };

async function fill(ledger: Ledger): Promise<void> {
  await change(ledger, AUTHOR, (session, context) =>
    createProvider(session, context, { uuid: UUID, name: PROVIDER, parent: null, canHost: true }),
  );
  const stock = new Map([['VCPU', { ...INVENTORY_DEFAULTS, total: CAPACITY }]]);
  await change(ledger, AUTHOR, (session, context) =>
    setInventories(session, context, { provider: UUID }, stock, 'kept'),
  );
}

async function look(ledger: Ledger): Promise<{ readonly used: number; readonly generation: number }> {
  const facts = await ledger.store.read((session) => providerFacts(session, PROVIDER));
  return { used: facts!.inventories[0]!.used, generation: facts!.generation };
}

const isAtWork = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;

/**
 * Kills one process after the other, each when a random share of the units is given.
 * @returns how many were still at work then.
 */
async function killSome(ledger: Ledger, children: readonly ChildProcess[], random: Random): Promise<number> {
  let killed = 0;
  for (let i = 0; i < KILLED; i++) {
    const at = Math.floor(((i + random.fraction()) / (KILLED + 1)) * CAPACITY);
    while ((await look(ledger)).used < at && children.some(isAtWork)) await wait(POLL_MS);
    if (isAtWork(children[i]!) && children[i]!.kill('SIGKILL')) killed++;
  }
  return killed;
}

/** @param workerFile the bundled unit-worker.ts. @returns what is wrong. */
export async function unitClaims(
  url: string,
  workerFile: string,
  random: Random,
): Promise<readonly string[]> {
  let requests = 0;
  const surroundings = { now: () => Date.now(), newRequest: () => `units/${++requests}` };
  const { ledger } = await initLedger(url, surroundings);
  try {
    await fill(ledger);
    const start = (await look(ledger)).generation;
    const children = Array.from({ length: PROCESSES }, (_, i) =>
      spawn(process.execPath, [workerFile, url, UUID, `u${i}`], { stdio: 'inherit' }),
    );
    const ends = children.map(
      (child) =>
        new Promise<string>((resolve) =>
          child.once('exit', (status, signal) => resolve(signal ?? String(status))),
        ),
    );
    const killed = await killSome(ledger, children, random);
    const failed = (await Promise.all(ends)).filter((end) => end !== '0' && end !== 'SIGKILL');
    const { used, generation } = await look(ledger);
    const raised = generation - start;
    console.log(
      `  ${PROCESSES} processes, ${killed} killed: ${used} of ${CAPACITY} units given, generation raised ${raised} times`,
    );
    const troubles = (await ledger.store.read(audit)).map((finding) => JSON.stringify(finding));
    if (killed !== KILLED) troubles.push(`${killed} instead of ${KILLED} processes were killed`);
    if (failed.length > 0) troubles.push(`processes ended with ${failed.join(', ')}`);
    if (used !== CAPACITY) troubles.push(`${used} units are used`);
    if (raised !== CAPACITY) troubles.push(`the generation was raised ${raised} times`);
    if (ledger.store.dialect === 'sqlite') {
      const check = await ledger.store.read((session) =>
        session.all<{ integrity_check: string }>('PRAGMA integrity_check'),
      );
      for (const { integrity_check: said } of check) if (said !== 'ok') troubles.push(`the file: ${said}`);
    }
    return troubles;
  } finally {
    await ledger.store.close();
  }
}
