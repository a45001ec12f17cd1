/**
 * Who may ask: tokens from a file, one a line (`token role name`), compared in constant time. Without a file
 * the token `admin` may do everything, which is for trials on one's own machine.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { InputError, type InputProblem } from '../../../kit/faults.ts';

export const ROLES = ['admin', 'reader'] as const;
export type Role = (typeof ROLES)[number];

export interface Caller {
  /** Undefined: known to be somebody, with no rights. */
  readonly role: Role | undefined;
  /** For the log and the history. */
  readonly name: string;
}

/** Who knows tokens. */
export interface Authenticator {
  /** Who holds the token; undefined when nobody does. */
  readonly callerOf: (token: string) => Caller | undefined | Promise<Caller | undefined>;
  /** What a 401 says of where to get one, as WWW-Authenticate has it. */
  readonly challenge?: string;
}

interface Entry extends Caller {
  readonly digest: Buffer;
}

const SHORTEST_TOKEN = 16;

// Equal lengths, so that the comparison takes the same time for every token.
const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

export class Tokens implements Authenticator {
  private readonly entries: readonly Entry[];
  private readonly isOpen: boolean;

  private constructor(entries: readonly Entry[], isOpen: boolean) {
    this.entries = entries;
    this.isOpen = isOpen;
  }

  /** For trials: `admin`, or `admin:project`, is an administrator; any other token has no rights. */
  static open(): Tokens {
    return new Tokens([{ digest: digestOf('admin'), role: 'admin', name: 'admin' }], true);
  }

  /**
   * @param source name of the file, for messages
   * @throws {InputError} with all faults of the file
   */
  static parse(text: string, source: string): Tokens {
    const problems: InputProblem[] = [];
    const entries: Entry[] = [];
    text.split('\n').forEach((raw, index) => {
      const line = raw.trim();
      if (line === '' || line.startsWith('#')) return;
      const [token, role, name, ...rest] = line.split(/\s+/);
      const where = { line: index + 1 };
      if (role === undefined || rest.length > 0)
        problems.push({
          ...where,
          problem: 'a line is a token, a role and, if you like, a name',
          remedy: 'write it as TOKEN ROLE [NAME]',
        });
      else if (!ROLES.includes(role as Role))
        problems.push({
          ...where,
          field: 'role',
          value: role,
          problem: 'no such role',
          remedy: `use ${ROLES.join(' or ')}`,
        });
      else if (token!.length < SHORTEST_TOKEN)
        problems.push({
          ...where,
          field: 'token',
          problem: `a token of fewer than ${SHORTEST_TOKEN} characters can be guessed`,
          remedy: 'make one with: openssl rand -hex 24',
        });
      else entries.push({ digest: digestOf(token!), role: role as Role, name: name ?? `line ${index + 1}` });
    });
    if (problems.length === 0 && entries.length === 0)
      problems.push({ problem: 'no token in it', remedy: 'write at least one line TOKEN ROLE [NAME]' });
    if (problems.length > 0) throw new InputError(source, problems);
    return new Tokens(entries, false);
  }

  /** Who holds `token`; undefined when nobody does. Every entry is compared, whichever fits. */
  callerOf(token: string): Caller | undefined {
    const user = this.isOpen ? token.split(':')[0]! : token;
    const digest = digestOf(user);
    let caller: Caller | undefined;
    for (const entry of this.entries) if (timingSafeEqual(entry.digest, digest)) caller = entry;
    // Whose it is may be a secret of another service.
    if (!caller && this.isOpen) return { role: undefined, name: 'somebody' };
    return caller;
  }
}
