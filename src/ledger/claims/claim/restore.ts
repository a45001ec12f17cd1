/** Putting a backup in the place of a ledger. */
import { BackendError, InputError } from '../../../kit/faults.ts';
import { refuseNewer, schemaVersion, stampOf } from '../../store/migrations.ts';
import { openStore } from '../../store/open-store.ts';
import type { FileStore, Store } from '../../store/store.ts';
import { CLAIMS } from '../schema/migrations.ts';

/**
 * @param at for the name of what is kept @throws a Fault for a bad backup, or an open ledger
 * @returns the version of the backup's tables, which may be an older one; the file that has what was there
 */
export async function restoreLedger(
  ledger: Pick<Store, 'name'> & { readonly file: FileStore },
  backup: string,
  at: number,
) {
  const copy = await openStore(backup, { remedy: BACKUP });
  try {
    if (copy.file === undefined) throw noBackup(backup);
    const { file } = copy;
    const version = await schemaVersion(copy, CLAIMS);
    if (version === 0) throw noBackup(backup);
    refuseNewer(copy, CLAIMS, version);
    const [found] = await copy.read((session) =>
      session.all<{ integrity_check: string }>('PRAGMA integrity_check'),
    );
    if (found!.integrity_check !== 'ok')
      throw new BackendError(
        `${backup}: the database is damaged (${found!.integrity_check})`,
        'take another backup',
      );
    const bring = async (draft: string): Promise<void> => {
      await file.backUp(draft);
      // Somebody may put back a ledger itself, which nobody is to have open then.
      await copy.close();
    };
    return { version, keptAs: await ledger.file.restore(bring, `${ledger.name}.${stampOf(at)}`) };
  } finally {
    await copy.close();
  }
}

const BACKUP = 'name a file that hclaim backup has made';

const noBackup = (file: string): InputError =>
  new InputError(file, [{ problem: 'this is no backup of a ledger', remedy: BACKUP }]);
