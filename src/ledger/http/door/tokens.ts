/**
 * Who may ask: tokens from a file, a line each (`token role name until`), plain or as digests, compared in
 * constant time. Without a file `admin` may do everything, and `user` nothing, as for trials of Placement.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { InputError, type InputProblem } from '../../../kit/faults.ts';
import { readMoment } from '../../../kit/report/moments.ts';
import { readLines } from './credentials.ts';

const ROLES = ['admin', 'reader'] as const;
type Role = (typeof ROLES)[number];

export interface Caller {
  /** `project`: may see what its project uses. Undefined: known to be somebody, with no rights. */
  readonly role: Role | 'project' | undefined;
  readonly project?: string;
  /** For the log and the history. */
  readonly name: string;
}

export interface Authenticator {
  /** Who holds the token; undefined when nobody does. */
  readonly callerOf: (token: string) => Caller | undefined | Promise<Caller | undefined>;
  /** What a 401 says of where to get one, as WWW-Authenticate has it. */
  readonly challenge?: string | undefined;
}

/** Nobody can be asked who holds a token. */
export class AuthenticatorDown extends Error {}

interface Entry extends Caller {
  readonly digest: Buffer;
  /** Milliseconds since 1970; undefined: for good. */
  readonly until: number | undefined;
}

const SHORTEST_TOKEN = 16;

// Equal lengths, so that the comparison takes the same time for every token.
const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** How a token is written that the file is not to show: its digest, which nothing can be done with. */
const HASHED = /^sha256:([0-9a-f]{64})$/i;
const FORM = 'TOKEN ROLE [NAME [UNTIL]]';

/** A new token, and its line for the file. @param words ROLE [NAME [UNTIL]] */
export function newToken(words: string): { readonly token: string; readonly line: string } {
  const token = randomBytes(24).toString('hex');
  const line = `sha256:${digestOf(token).toString('hex')} ${words.trim()}`;
  const entry = readLine(line, 1);
  if ('problem' in entry) throw new InputError('--new-token', [entry]);
  return { token, line };
}

function readLine(line: string, number: number): Entry | InputProblem {
  const [token = '', role, name = `line ${number}`, end, ...rest] = line.split(/\s+/);
  const until = end === undefined ? undefined : readMoment(end);
  if (role === undefined || rest.length > 0)
    return {
      problem: 'a line is a token, a role and, if you like, a name and an end',
      remedy: `write it as ${FORM}`,
    };
  if (!ROLES.includes(role as Role))
    return { field: 'role', value: role, problem: 'no such role', remedy: `use ${ROLES.join(' or ')}` };
  if (Number.isNaN(until))
    return { field: 'end', value: end, problem: 'no date', remedy: 'write it as 2027-01-31' };
  if (token.length < SHORTEST_TOKEN)
    return {
      field: 'token',
      problem: `a token of fewer than ${SHORTEST_TOKEN} characters can be guessed`,
      remedy: `make one with: hplaced --new-token '${role} ${name}'`,
    };
  const hex = HASHED.exec(token)?.[1];
  // Taken as a token it would let in whoever has seen the file, and nobody else.
  if (hex === undefined && /^sha256:/i.test(token))
    return {
      field: 'token',
      problem: 'this is no digest',
      remedy: 'write sha256: and 64 hexadecimal digits, as hplaced --new-token does',
    };
  const digest = hex === undefined ? digestOf(token) : Buffer.from(hex, 'hex');
  return { digest, role: role as Role, name, until };
}

/** For trials: `admin`, or `admin:project`, and `user`. */
export const OPEN = {
  callerOf(token: string): Caller | undefined {
    const [name] = token.split(':');
    if (name === 'admin') return { role: 'admin', name };
    return name === 'user' ? { role: undefined, name } : undefined;
  },
} satisfies Authenticator;

/** Holders of the tokens in a file. @throws {InputError} with all its faults */
export function tokensIn(text: string, source: string, now: () => number) {
  const entries = new Map<string, Entry>();
  readLines(text, source, FORM, (line, number) => {
    const entry = readLine(line, number);
    if ('problem' in entry) return entry;
    const key = entry.digest.toString('hex');
    const before = entries.get(key);
    if (before && before.role !== entry.role)
      return {
        problem: `the token of ${before.name} is here again, with another role`,
        remedy: 'leave one of the lines out',
      };
    entries.set(key, entry);
    return entry;
  });
  return {
    /** Who holds `token`; undefined when nobody does. Every entry is compared, whichever fits. */
    callerOf(token: string): Caller | undefined {
      const digest = digestOf(token);
      let caller: Caller | undefined;
      for (const { digest: own, role, name, until = Number.POSITIVE_INFINITY } of entries.values())
        if (timingSafeEqual(own, digest) && now() < until) caller = { role, name };
      return caller;
    },
  } satisfies Authenticator;
}
