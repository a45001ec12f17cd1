/** Saving snapshots for `-S`, and saying so. */

import { printErr } from '../../../cli/output.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { saveSnapshot } from '../../../sources/save-snapshot.ts';
import { snapshotSaved } from './warnings.ts';

/**
 * Saves a state as `PREFIX.SUFFIX` when `-S PREFIX` was given.
 * @param what which state it is, for the note on standard error
 */
export function saveState(
  prefix: string | undefined,
  suffix: string,
  what: string,
  snapshot: () => Snapshot,
): void {
  if (prefix === undefined) return;
  const file = `${prefix}.${suffix}`;
  saveSnapshot(snapshot(), file);
  printErr(snapshotSaved(what, file));
}
