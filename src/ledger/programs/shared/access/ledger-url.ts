/** What the command line, or else the environment, says: the ledger, times, who asks. */
import { hostname, userInfo } from 'node:os';
import { refuseAs } from '../../../../kit/cli/all-said.ts';
import { EXIT } from '../../../../kit/exit-status.ts';
import { ExecutionError, UsageError } from '../../../../kit/faults.ts';
import { isHolderName, MAX_NAME_LENGTH } from '../../../claims/model/names.ts';

/** @param orElse what else could be named. @throws {ExecutionError} when nobody says where the ledger is. */
export function ledgerUrl({ db }: { readonly db?: string | undefined }, orElse = ''): string {
  const url = db || process.env.EVENKEEL_DB;
  if (url) return url;
  throw new ExecutionError(
    'which ledger?',
    `name it with --db, or in the environment variable EVENKEEL_DB${orElse}`,
  );
}

export const badArgument = (message: string, remedy: string): UsageError =>
  new UsageError(message, remedy, EXIT.bad);
export const refuse = refuseAs(badArgument);

/** What must be said. @throws {UsageError} when it is not */
export function required<Value>(value: Value | undefined, message: string, remedy: string): Value {
  if (value === undefined) throw badArgument(message, remedy);
  return value;
}

/** @throws {UsageError} with all that is said twice: nobody could tell whether one is meant, or the sum. */
export function refuseTwice(texts: readonly string[], remedy: string): void {
  const twice = texts.filter((text, at) => texts.indexOf(text) < at);
  if (twice.length > 0) throw badArgument(`said more than once: ${[...new Set(twice)].join(', ')}`, remedy);
}

const MS_PER_UNIT: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const LONGEST_MS = 100 * 365 * 86_400_000;

/** `90s`, `10m`, `2h`, `1d` in milliseconds; undefined where nothing was said. @throws {UsageError} */
export function readDuration(option: string, text: string): number;
export function readDuration(option: string, text: string | undefined): number | undefined;
export function readDuration(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d{1,9}(?:\.\d{1,3})?)([smhd])$/.exec(text);
  const ms = match === null ? 0 : Math.round(Number(match[1]) * MS_PER_UNIT[match[2]!]!);
  if (ms < 1 || ms > LONGEST_MS)
    throw badArgument(`--${option}: '${text}' is not a time`, 'give a number with a unit: 90s, 10m, 2h, 1d');
  return ms;
}

/** @throws {UsageError} with all of these that are no names for who holds, owns or changes something. */
export function checkHolders(names: Readonly<Record<string, string | undefined>>): void {
  const wrong = Object.entries(names).filter(([, name]) => name !== undefined && !isHolderName(name));
  if (wrong.length > 0)
    throw badArgument(
      wrong.map(([what, name]) => `${what}: '${name}' is not a name`).join('\n'),
      `give 1 to ${MAX_NAME_LENGTH} printable characters`,
    );
}

export const thisUser = (): string => `${userInfo().username}@${hostname()}`;
