/** PostgreSQL's errors (codes: appendix A of its manual) for the user, and how its databases are called. */
import { BackendError, Fault, UsageError } from '../../kit/faults.ts';
import { StoreConflict } from './store.ts';

/** Serialization failure, deadlock, and violated constraints: another writer came first. */
const CONFLICTS = new Set(['40001', '40P01', '23505', '23503']);

const OTHER_TABLES = 'see who changed them, and which schema search_path names';
const POOLER =
  'let the pooler keep prepared statements (PgBouncer: max_prepared_statements), or have it pool whole sessions';
const OUT_OF_ORDER = 'look at the server and its log; then try again';

/** What to do about an error or its class; and what is said of it, where not in the server's own words. */
const REFUSALS: Readonly<Record<string, readonly [remedy: string, words?: string]>> = {
  '0A000': ['try again: the tables were changed meanwhile'],
  '22P05': ['keep the ledger in a database with ENCODING UTF8, which holds all names'],
  '25006': ['name the primary server, not a standby', 'the database is read-only'],
  '26000': [POOLER],
  '28000': ['check user and pg_hba.conf'],
  '28P01': ['check the password'],
  '3D000': ['make the database first: createdb'],
  '3F000': ['make the schema that search_path names, or let the user use it (GRANT USAGE)'],
  '42501': ['grant the user its rights on the database and its schema'],
  '42703': [OTHER_TABLES],
  '42P01': [OTHER_TABLES],
  '42P05': [POOLER],
  '53': [OUT_OF_ORDER],
  '53100': ['make room, then try again', "no space left on the server's disk; nothing was changed"],
  '53300': ['raise max_connections, or run fewer programs at once'],
  '55P03': ['see who holds the rows (pg_locks), or raise lock_timeout; then try again'],
  '57014': ['raise statement_timeout, or see who ended it; then try again'],
  '58': [OUT_OF_ORDER],
  XX: [OUT_OF_ORDER],
};

/** The fault, or the conflict, that `error` means; other errors come back as they are. */
export function postgresFault(error: unknown, name: string): Fault | StoreConflict | unknown {
  if (error instanceof Fault) return error;
  const { code, message } = error as { code?: string; message: string };
  if (code !== undefined && CONFLICTS.has(code)) return new StoreConflict(message);
  const [remedy, words = message] = REFUSALS[code ?? ''] ?? REFUSALS[code?.slice(0, 2) ?? ''] ?? [];
  if (remedy !== undefined) return new BackendError(`${name}: ${words}`, remedy);
  if (message.startsWith('SASL'))
    return new BackendError(
      `${name}: the server lets in who has the password (${message})`,
      'give the password in the URL, in PGPASSWORD or in ~/.pgpass; look into pg_hba.conf',
    );
  if (/SSL|TLS|CERT/.test(code ?? message))
    return new BackendError(
      `${name}: no encrypted connection (${message})`,
      'check sslmode and sslrootcert in the URL, and the certificate of the server',
    );
  if (isConnectionLost(error))
    return new BackendError(
      `${name}: no connection (${message || code})`,
      'check that the server runs; then try again',
    );
  return error;
}

/** Whether a statement failed only because the transaction had ended in another error. */
export const isAfterwards = (error: unknown): boolean => (error as { code?: string }).code === '25P02';

/** Whether statements that a connection keeps are of no use: tables were changed, or a pooler is between. */
export const isOutdated = (error: unknown): boolean =>
  ['0A000', '26000'].includes((error as { code?: string }).code ?? '');

/** Whether a statement was not even sent, for the connection was known to be broken. */
export const isUnsent = (error: unknown): boolean => /not queryable/.test((error as Error).message);

/** Whether the server itself said so. */
export const isOfServer = (error: unknown): boolean =>
  (error as { severity?: string }).severity !== undefined;

/** Whether the server is gone, was not there, is starting or stopping, or has ended an idle connection. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof Fault) return false;
  const { code, message } = error as { code?: string; message?: string };
  if (code !== undefined && /^(57P0[1-5]|25P0[34]|08...|E(AI_)?[A-Z]+)$/.test(code)) return true;
  return /connection (terminated|ended|is closed|error)|not queryable|timeout (exceeded|expired)|read timeout/i.test(
    message ?? '',
  );
}

const SECRET_PARAMETER = /password/i;
/** A URL without a server has a socket's folder in its query; the URL parser wants a server all the same. */
const NO_SERVER = /@(?=\/)/;
const ANY_SERVER = '@server';

/** It may hold a password. */
export const unreadableUrl = (): UsageError =>
  new UsageError(
    'the URL of the database cannot be read; it is not shown, since it may hold a password',
    'write postgres://USER@HOST/DATABASE; in names and passwords @ is %40, / is %2F, : is %3A, [ is %5B',
  );

/** The URL without passwords, wherever they stand. @throws {UsageError} for what is none */
export function shownUrl(url: string): string {
  if (!URL.canParse(url.replace(NO_SERVER, ANY_SERVER))) throw unreadableUrl();
  const shown = new URL(url.replace(NO_SERVER, ANY_SERVER));
  shown.password = '';
  for (const key of [...shown.searchParams.keys()])
    if (SECRET_PARAMETER.test(key)) shown.searchParams.delete(key);
  return shown.href.replace(`${ANY_SERVER}/`, '@/');
}
