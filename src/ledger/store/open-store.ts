/** The store that a URL means. The driver of the other one is not loaded. */
import { existsSync } from 'node:fs';
import { ExecutionError } from '../../kit/faults.ts';
import { isFolder } from '../../kit/files/read-input.ts';
import type { Store } from './store.ts';

interface OpenStoreOptions {
  /** Make the file when there is none; PostgreSQL's databases are made by their own tools. */
  readonly isMade?: boolean;
  readonly remedy?: string;
}

/**
 * @param url `postgres://...`, or a file (with `sqlite:` in front or not).
 * @throws {ExecutionError} when there is no such file, or a folder; {UsageError} when the URL cannot be read.
 */
export async function openStore(url: string, options: OpenStoreOptions = {}): Promise<Store> {
  if (/^postgres(ql)?:\/\//.test(url)) return new (await import('./postgres-store.ts')).PostgresStore(url);
  const file = url.replace(/^sqlite:(\/\/(?=\/))?/, '');
  if (/^[a-z][a-z0-9+]+:\/\//i.test(file))
    throw new ExecutionError(
      `${file.slice(0, file.indexOf(':'))}: databases of this kind are not known`,
      'name a file, or postgres://...',
    );
  if (isFolder(file)) throw new ExecutionError(`${file}: this is a folder`, 'name a file in it');
  if (!options.isMade && !existsSync(file))
    throw new ExecutionError(
      `${file}: there is no such file`,
      options.remedy ?? 'make it with hclaim init, or hbind init for pods',
    );
  return new (await import('./sqlite-store.ts')).SqliteStore(file);
}
