/** Names and passwords for RAPI, from a file in the form of ~/.netrc. Source: netrc(5). */
import { InputError, type InputProblem } from '../../../kit/faults.ts';
import { readPrivate } from '../../../kit/files/read-input.ts';

export interface Credentials {
  /** undefined = at every host that has no entry of its own. */
  readonly host: string | undefined;
  readonly login: string;
  readonly password: string;
}

const WORDS: ReadonlySet<string | undefined> = new Set('machine default login password account'.split(' '));

/** Entries `machine HOST login NAME password WORD` and `default login NAME password WORD`, over any lines. */
function parseCredentials(text: string, source: string): readonly Credentials[] {
  const words = text.split('\n').flatMap((one, at) => {
    const found = one.replace(/^\s*#.*/, '').split(/\s+/);
    return found.flatMap((word) => (word === '' ? [] : [{ word, line: at + 1 }]));
  });
  const problems: InputProblem[] = [];
  // Passwords are never shown, and any word may be one.
  const refuse = (line: number, problem: string): void => {
    problems.push({ line, problem, remedy: 'write lines like "machine HOST login NAME password WORD"' });
  };
  const entries: { host: string | undefined; line: number; login?: string; password?: string }[] = [];
  for (let at = 0; at < words.length; at++) {
    const { word, line } = words[at]!;
    if (word === 'default') {
      entries.push({ host: undefined, line });
      continue;
    }
    const value = words[++at]?.word;
    const entry = entries.at(-1);
    if (!WORDS.has(word)) {
      refuse(line, `word ${at} is none of ${[...WORDS].join(', ')}`);
      if (WORDS.has(value)) at--;
    } else if (value === undefined) refuse(line, 'the file ends in the middle of an entry');
    else if (word === 'machine') entries.push({ host: value, line });
    else if (entry === undefined) refuse(line, `word ${at} comes before any "machine"`);
    else if (word !== 'account') entry[word as 'login' | 'password'] = value;
  }
  for (const { line, login, password } of entries)
    if (login === undefined || password === undefined) refuse(line, 'this entry has no login or no password');
  problems.sort((a, b) => a.line! - b.line!);
  if (problems.length > 0) throw new InputError(source, problems);
  return entries as readonly Credentials[];
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

/**
 * Reads such a file.
 * @throws BackendError when it cannot be read, or may be read by others; InputError with all its faults
 */
export const readCredentials = (path: string): readonly Credentials[] =>
  parseCredentials(readPrivate(path, 'credentials'), path);
