/** Which ledger the command line, or else the environment, names. */
import { ExecutionError } from '../../../../kit/faults.ts';

/** @throws {ExecutionError} when nobody says where the ledger is. */
export function ledgerUrl({ db }: { readonly db?: string | undefined }): string {
  const url = db ?? process.env.EVENKEEL_DB;
  if (url === undefined || url === '')
    throw new ExecutionError(
      'which ledger?',
      'name it with --db, or in the environment variable EVENKEEL_DB',
    );
  return url;
}
