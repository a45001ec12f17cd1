/** `--ledger URL`: what a ledger of claims has promised, and nobody has built yet, counts as used. */
import { ExecutionError } from '../../../../kit/faults.ts';
import { printErr } from '../../../../kit/report/output.ts';
import { someOf } from '../../../../kit/text/words.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';

const MOST_NAMES = 5;

/** The ledger's side, which is a package of its own: it is loaded only here. */
async function ledgerSide() {
  try {
    return await import('../../../../ledger/claims/cluster/promises.ts');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new ExecutionError(
      '--ledger: the package evenkeel-ledger is not installed',
      'install it with npm, or as a Debian package',
    );
  }
}

/** The cluster with less room, where a ledger is named. @throws ExecutionError when it cannot be read */
export async function withLedgerPromises(
  snapshot: Snapshot,
  url: string | undefined,
  verbosity: number,
): Promise<Snapshot> {
  if (url === undefined) return snapshot;
  const { promisedRoom } = await ledgerSide();
  const promised = await promisedRoom(snapshot, url, Date.now);
  if ('failure' in promised) throw new ExecutionError(promised.failure, promised.remedy);
  const { snapshot: lessRoom, consumers } = promised;
  if (verbosity >= 1 && consumers.length > 0) {
    const names = someOf(consumers, MOST_NAMES);
    printErr(`Note: the ledger has promised room that is not used yet to ${names}\n`);
  }
  return lessRoom;
}
