/** `--ledger URL`: what a ledger of claims has promised, and nobody has built yet, counts as used. */
import { printErr } from '../../../../kit/report/output.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';

/** Names that a note lists before it only counts. */
const MOST_NAMES = 5;

/**
 * The cluster with less room; as it is when no ledger is named. The ledger's code is loaded only here.
 * @throws a Fault when the ledger cannot be read.
 */
export async function withLedgerPromises(
  snapshot: Snapshot,
  url: string | undefined,
  verbosity: number,
): Promise<Snapshot> {
  if (url === undefined) return snapshot;
  const { openLedger } = await import('../../../../ledger/claims/claim/ledger.ts');
  const { readImage } = await import('../../../../ledger/claims/cluster/read-image.ts');
  const { withPromises } = await import('../../../../ledger/claims/cluster/with-promises.ts');
  const ledger = await openLedger(url, { now: Date.now, newRequest: () => 'none' });
  try {
    const { snapshot: lessRoom, consumers } = withPromises(
      snapshot,
      await ledger.store.read(readImage),
      ledger.now(),
    );
    if (verbosity >= 1 && consumers.length > 0) {
      const names = consumers.slice(0, MOST_NAMES).join(', ');
      const more = consumers.length > MOST_NAMES ? ` and ${consumers.length - MOST_NAMES} more` : '';
      printErr(`Note: the ledger has promised room that is not used yet to ${names}${more}\n`);
    }
    return lessRoom;
  } finally {
    await ledger.store.close();
  }
}
