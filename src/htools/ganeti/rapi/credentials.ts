/** Names and passwords for RAPI, from a file in the form of ~/.netrc. Source: netrc(5). */
import { BackendError } from '../../../kit/faults.ts';
import { readPrivate } from '../../../kit/files/read-input.ts';

export interface Credentials {
  /** undefined = at every host that has no entry of its own. */
  readonly host: string | undefined;
  readonly login: string;
  readonly password: string;
}

/**
 * Entries `machine HOST login NAME password WORD` and `default login NAME password WORD`, over any lines.
 * @returns them in order, or what is wrong with which word
 */
function parseCredentials(text: string): readonly Credentials[] | { readonly problem: string } {
  const words = text
    .split('\n')
    .map((line) => line.replace(/^\s*#.*/, ''))
    .join('\n')
    .split(/\s+/)
    .filter((word) => word !== '');
  const entries: { host: string | undefined; login?: string; password?: string }[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word === 'default') {
      entries.push({ host: undefined });
      continue;
    }
    const value = words[++at];
    const entry = entries.at(-1);
    // Passwords are never shown, and any word may be one.
    if (value === undefined) return { problem: 'the file ends in the middle of an entry' };
    if (word === 'machine') entries.push({ host: value });
    else if (entry === undefined) return { problem: `word ${at} comes before any "machine"` };
    else if (word === 'login') entry.login = value;
    else if (word === 'password') entry.password = value;
    else if (word !== 'account')
      return { problem: `word ${at} is none of machine, default, login, password` };
  }
  const half = entries.findIndex(({ login, password }) => login === undefined || password === undefined);
  if (half >= 0) return { problem: `entry ${half + 1} has no login or no password` };
  return entries as Credentials[];
}

/** The first entry for a host, with or without its port, or the default one: `name:password`. */
export function credentialsFor(
  entries: readonly Credentials[],
  host: string,
  port: number,
): string | undefined {
  const names = new Set([host, `${host}:${port}`]);
  const entry = entries.find((one) => one.host === undefined || names.has(one.host));
  return entry && `${entry.login}:${entry.password}`;
}

/** Reads such a file. @throws BackendError when it is none, cannot be read, or may be read by others */
export function readCredentials(path: string): readonly Credentials[] {
  const entries = parseCredentials(readPrivate(path, 'credentials'));
  if (!('problem' in entries)) return entries;
  throw new BackendError(
    `the credentials in ${path} cannot be read: ${entries.problem}`,
    'write lines like "machine HOST login NAME password WORD"',
  );
}
