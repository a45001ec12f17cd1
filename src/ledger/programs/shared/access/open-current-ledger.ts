/** The ledger as it stands now: what has expired is given back before anybody looks. */
import { randomUUID } from 'node:crypto';
import { BackendError } from '../../../../kit/faults.ts';
import { printErr } from '../../../../kit/report/output.ts';
import { warning } from '../../../../kit/report/tone.ts';
import { expireDue } from '../../../claims/claim/claim.ts';
import { type Ledger, openLedger, type Surroundings } from '../../../claims/claim/ledger.ts';
import { closedOnFault } from '../../../store/migrations.ts';

export const SURROUNDINGS: Surroundings = { now: () => Date.now(), newRequest: () => randomUUID() };

/** Gives back what has expired. @returns why that cannot be done, for who may only read. */
export async function sweep(ledger: Ledger): Promise<string | undefined> {
  try {
    await expireDue(ledger);
    return undefined;
  } catch (error) {
    if (error instanceof BackendError) return error.message;
    throw error;
  }
}

/** @param url a file, or postgres://... @throws a Fault when the ledger cannot be used. */
export async function openCurrentLedger(url: string): Promise<Ledger> {
  const ledger = await openLedger(url, SURROUNDINGS);
  const trouble = await closedOnFault(ledger.store, () => sweep(ledger));
  if (trouble !== undefined)
    printErr(warning(`what has expired still counts, for it cannot be given back: ${trouble}`));
  return ledger;
}
