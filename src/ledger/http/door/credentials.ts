/** What a service or a client logs in to Keystone with. */
import { InputError } from '../../../kit/faults.ts';

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
