/** A client of Placement's HTTP interface, which only reads. */
import { setTimeout as wait } from 'node:timers/promises';
import { BackendError, ExecutionError } from '../../kit/faults.ts';
import { readPrivate } from '../../kit/files/read-input.ts';
import { keystoneUrl, readCredentials, readOpenrc } from '../http/door/credentials.ts';
import { LogInRefused, logIn, PASSING } from '../http/door/keystone.ts';

/** The first version whose answers say all but kinds of consumers, and the first that says those. */
const LEAST_MINOR = 36;
const TYPES_SINCE = 38;
/** What Placement says where a consumer has no kind. */
export const NO_TYPE = 'unknown';

const ANSWER_MS = 60_000;
const MAX_TRIES = 6;
const FIRST_WAIT_MS = 200;

/** What a Placement without authentication, and `hplaced` without tokens, take. */
const OPEN_TOKEN = 'admin';

/** Gives a token, a new one each time. */
type LogIn = () => Promise<string>;

/** @param file with OS_TOKEN, or with what openrc files have; undefined: none is needed. */
export function logInWith(file: string | undefined): LogIn {
  if (file === undefined) return async () => OPEN_TOKEN;
  const text = readPrivate(file, 'credentials');
  const { OS_TOKEN: token } = readOpenrc(text);
  if (token) return async () => token;
  const credentials = readCredentials(text, file, 'OS_AUTH_URL');
  const url = keystoneUrl(credentials.OS_AUTH_URL);
  return () =>
    logIn(url, credentials).catch((error: Error & { cause?: { code?: string } }) => {
      const said = `no token from Keystone at ${url}: ${error.cause?.code ?? error.message}`;
      throw error instanceof LogInRefused ? new BackendError(said, `check ${file}`) : new Error(said);
    });
}

export class Client {
  readonly url: string;
  private token: Promise<string> | undefined;
  private minor = LEAST_MINOR;

  /** @param url as Keystone's catalogue has it. */
  constructor(
    url: string,
    private readonly logIn: LogIn,
  ) {
    this.url = url.replace(/\/+$/, '');
  }

  get hasTypes(): boolean {
    return this.minor >= TYPES_SINCE;
  }

  /** Agrees upon a version. @throws {ExecutionError} when it is an older Placement. */
  async greet(): Promise<void> {
    const { versions } = await this.get<{ versions: readonly { max_version: string }[] }>('/', 'versions');
    const newest = versions[0]?.max_version ?? '';
    const minor = Number(/^1\.(\d+)$/.exec(newest)?.[1] ?? 0);
    if (minor < LEAST_MINOR)
      throw new ExecutionError(
        `${this.url} speaks version ${newest || 'none'} of the interface at most; 1.${LEAST_MINOR} is needed`,
        'import from its database, or bring Placement up to date',
      );
    this.minor = Math.min(minor, TYPES_SINCE);
  }

  /** What is at a path, with this member. What passes is waited for, an ended token replaced. */
  async get<Body extends object>(path: string, member: keyof Body & string): Promise<Body> {
    let isRenewed = false;
    for (let tries = 1; ; tries++) {
      let trouble: string;
      this.token ??= this.logIn().catch((error) => {
        this.token = undefined;
        throw error;
      });
      const { token } = this;
      try {
        const response = await this.send(path, await token);
        const text = await response.text();
        if (response.status === 200) return this.parsed(path, text, member);
        trouble = `status ${response.status}${detailOf(text)}`;
        // The token has ended, perhaps; somebody else may have a new one already.
        if (response.status === 401 && !isRenewed) {
          isRenewed = true;
          if (this.token === token) this.token = undefined;
        } else if (!PASSING.has(response.status))
          throw new BackendError(`${this.url}${path}: ${trouble}`, remedyFor(response.status));
      } catch (error) {
        if (error instanceof BackendError) throw error;
        const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
        trouble = cause?.code ?? cause?.message ?? message;
      }
      if (tries === MAX_TRIES)
        throw new BackendError(
          `${this.url}${path}: ${trouble}`,
          'check that Placement runs; then run this again',
        );
      await wait(FIRST_WAIT_MS * 2 ** (tries - 1));
    }
  }

  private send(path: string, token: string): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      headers: {
        'x-auth-token': token,
        'openstack-api-version': `placement 1.${this.minor}`,
        accept: 'application/json',
      },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
  }

  private parsed<Body extends object>(path: string, text: string, member: keyof Body & string): Body {
    try {
      const body = JSON.parse(text);
      if (typeof body?.[member] === 'object' && body[member] !== null) return body;
    } catch {
      // Told below.
    }
    throw new BackendError(
      `${this.url}${path} answers, but not as Placement does`,
      "name Placement's address, as 'openstack endpoint list --service placement' says it",
    );
  }
}

function detailOf(text: string): string {
  try {
    const { detail } = JSON.parse(text).errors[0];
    return ` (${String(detail).trim()})`;
  } catch {
    return '';
  }
}

const remedyFor = (status: number): string | undefined =>
  status === 401 || status === 403
    ? 'name a file with what to log in with: --placement-credentials; its user needs the role admin or service'
    : undefined;
