/** What a service or a client logs in to Keystone with; other files of the door, with words on lines. */
import { InputError, type InputProblem } from '../../../kit/faults.ts';

/** By the names that openrc files have. */
export interface Credentials {
  readonly OS_USERNAME: string;
  readonly OS_PASSWORD: string;
  readonly OS_PROJECT_NAME: string;
  readonly OS_USER_DOMAIN_NAME: string;
  readonly OS_PROJECT_DOMAIN_NAME: string;
}

const USUAL = { OS_USER_DOMAIN_NAME: 'Default', OS_PROJECT_DOMAIN_NAME: 'Default' };
const NEEDED = ['OS_USERNAME', 'OS_PASSWORD', 'OS_PROJECT_NAME'] as const;

/** `export OS_USERNAME="placement"`, one a line, as openrc files have it. */
export const readOpenrc = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from(
      text.matchAll(/^\s*(?:export\s+)?(OS_\w+)=(["']?)(.*?)\2\s*$/gm),
      ([, name, , value]) => [name!, value!] as const,
    ),
  );

/** @param more what is needed besides @throws {InputError} when something is missing */
export function readCredentials<More extends string = never>(
  text: string,
  source: string,
  ...more: readonly More[]
): Credentials & Readonly<Record<More, string>> {
  const found = { ...USUAL, ...readOpenrc(text) } as Readonly<Record<string, string>>;
  const problems = [...more, ...NEEDED]
    .filter((name) => !found[name])
    .map((field) => ({ field, problem: 'is missing', remedy: `write a line ${field}=...` }));
  if (problems.length > 0) throw new InputError(source, problems);
  return found as never;
}

/** Keystone's address as it is configured, without the version. */
export const keystoneUrl = (url: string): string => url.replace(/\/+(v3\/*)?$/, '');

/**
 * Reads words on lines; empty ones and those that start with # say nothing. Messages name the file, which is
 * `source`, and the form of a line.
 * @param read one line by its number, or what is wrong with it
 * @throws {InputError} with all faults, or when there is no line
 */
export function readLines<T extends object>(
  text: string,
  source: string,
  form: string,
  read: (line: string, number: number) => T | InputProblem,
): readonly T[] {
  const problems: InputProblem[] = [];
  const found: T[] = [];
  text.split('\n').forEach((raw, index) => {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) return;
    const one = read(line, index + 1);
    if ('problem' in one) problems.push({ line: index + 1, ...one });
    else found.push(one);
  });
  if (problems.length === 0 && found.length === 0)
    problems.push({ problem: 'nothing is in it', remedy: `write at least one line ${form}` });
  if (problems.length > 0) throw new InputError(source, problems);
  return found;
}
