/**
 * The one door between htools and the ledger: what a ledger has promised (`hbal --ledger`). It is built into
 * a file of its own, and a fault's class is another one in another file: what goes wrong is handed back.
 */
import type { Snapshot } from '../../../htools/cluster/snapshot.ts';
import { Fault } from '../../../kit/faults.ts';
import { openLedger } from '../claim/ledger.ts';
import { readImage } from './read-image.ts';
import { withPromises } from './with-promises.ts';

/** The cluster with what the ledger has promised, and nobody has built yet, counted as used. */
export async function promisedRoom(snapshot: Snapshot, url: string, now: () => number) {
  try {
    const ledger = await openLedger(url, { now, newRequest: () => 'none' });
    try {
      return withPromises(snapshot, await ledger.store.read(readImage), ledger.now());
    } finally {
      await ledger.store.close();
    }
  } catch (error) {
    if (error instanceof Fault) return { failure: error.message, remedy: error.remedy };
    throw error;
  }
}
