/**
 * Who holds a token, by OpenStack's Keystone. What it said is believed for a while, so that a revoked token
 * is refused soon; when it does not answer, tokens that it knew go on until they end.
 */
import { createHash } from 'node:crypto';
import { kept } from '../../../kit/kept.ts';
import type { Credentials } from './credentials.ts';
import type { Right } from './rights.ts';
import { type Authenticator, AuthenticatorDown, type Caller } from './tokens.ts';

interface KeystoneOptions {
  /** Without `/v3`. */
  readonly url: string;
  readonly credentials: Credentials;
  readonly rights: readonly Right[];
  readonly now: () => number;
}

const BELIEVED_MS = 30_000;
/** Tokens that are nobody's are remembered for less: they may be made any moment. */
const UNKNOWN_MS = 5_000;
const MOST_KNOWN = 10_000;
/** A busy Keystone takes seconds for its first answers. */
const ANSWER_MS = 15_000;

interface Known {
  /** Undefined: the token is nobody's. */
  readonly caller: Caller | undefined;
  readonly askedAt: number;
  readonly believedUntil: number;
  readonly endsAt: number;
}

interface TokenDocument {
  readonly expires_at: string;
  readonly roles?: readonly { readonly name: string }[];
  readonly user: { readonly name: string };
  readonly project?: { readonly id: string };
  readonly system?: { readonly all?: boolean };
}

/** The rights of the holder, by the first line that fits. */
export function callerFrom(
  { roles = [], user, project, system }: TokenDocument,
  rights: readonly Right[],
): Caller {
  const { name } = user;
  const scopes = [...(system?.all === true ? ['system'] : []), ...(project ? ['project'] : [])];
  const right = rights.find(
    ({ role, scope, gives }) =>
      roles.some((held) => held.name === role) &&
      (scope === undefined || scopes.includes(scope)) &&
      (gives !== 'project' || project),
  )?.gives;
  return right === 'project' ? { role: right, name, project: project!.id } : { role: right, name };
}

export class Keystone implements Authenticator {
  readonly challenge: string;
  private readonly known = new Map<string, Known>();
  private readonly asking = new Map<string, Promise<Caller | undefined>>();
  private ownToken: string | undefined;

  constructor(private readonly options: KeystoneOptions) {
    this.challenge = `Keystone uri="${options.url}"`;
  }

  /** @throws {AuthenticatorDown} when Keystone does not answer, and did not before */
  callerOf(token: string): Promise<Caller | undefined> {
    // The tokens themselves are kept nowhere.
    const key = createHash('sha256').update(token).digest('base64');
    const known = this.known.get(key);
    const now = this.options.now();
    // Where the clock was set back, it would be believed for as much longer.
    if (known && now >= known.askedAt && now < known.believedUntil && now < known.endsAt)
      return Promise.resolve(known.caller);
    return kept(this.asking, key, () => this.ask(token, key, known).finally(() => this.asking.delete(key)));
  }

  private async ask(token: string, key: string, known: Known | undefined): Promise<Caller | undefined> {
    let document: TokenDocument | undefined;
    try {
      document = await this.describe(token);
    } catch (error) {
      const later = this.options.now();
      if (known?.caller && later < known.endsAt) {
        // It may have been waited for in vain for long: not for each request anew.
        this.known.set(key, { ...known, askedAt: later, believedUntil: later + BELIEVED_MS });
        return known.caller;
      }
      throw new AuthenticatorDown(
        `Keystone at ${this.options.url} does not answer: ${(error as Error).message}`,
      );
    }
    const now = this.options.now();
    const endsAt = document ? Date.parse(document.expires_at) : Number.POSITIVE_INFINITY;
    const caller = document && now < endsAt ? callerFrom(document, this.options.rights) : undefined;
    this.known.delete(key);
    if (this.known.size >= MOST_KNOWN) this.known.delete(this.known.keys().next().value!);
    const believedUntil = now + (caller ? BELIEVED_MS : UNKNOWN_MS);
    this.known.set(key, { caller, askedAt: now, believedUntil, endsAt });
    return caller;
  }

  private async describe(token: string): Promise<TokenDocument | undefined> {
    for (const isFirst of [true, false]) {
      const { url, credentials } = this.options;
      this.ownToken ??= await logIn(url, credentials);
      const response = await askTokens(url, 'GET', {
        'x-auth-token': this.ownToken,
        'x-subject-token': token,
      });
      if (response.status === 200) return ((await response.json()) as { token: TokenDocument }).token;
      await response.body?.cancel();
      if (response.status === 404) return undefined;
      // Our own token has ended, perhaps.
      this.ownToken = undefined;
      if (response.status !== 401 || !isFirst) throw new Error(`status ${response.status}`);
    }
    return undefined;
  }
}

/** Keystone does not take what was to log in with. */
export class LogInRefused extends Error {}

/** Busy, restarting, or behind a proxy that is. */
export const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** @param url of Keystone, without `/v3` @throws {LogInRefused}; {Error} where it does not answer */
export async function logIn(url: string, own: Credentials): Promise<string> {
  const user = {
    name: own.OS_USERNAME,
    password: own.OS_PASSWORD,
    domain: { name: own.OS_USER_DOMAIN_NAME },
  };
  const project = { name: own.OS_PROJECT_NAME, domain: { name: own.OS_PROJECT_DOMAIN_NAME } };
  const auth = { identity: { methods: ['password'], password: { user } }, scope: { project } };
  const response = await askTokens(
    url,
    'POST',
    { 'content-type': 'application/json' },
    JSON.stringify({ auth }),
  );
  await response.body?.cancel();
  const token = response.headers.get('x-subject-token');
  if (response.status === 201 && token !== null) return token;
  if (PASSING.has(response.status)) throw new Error(`status ${response.status}`);
  throw new LogInRefused(`the service's own credentials are refused with status ${response.status}`);
}

const askTokens = (
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: string,
): Promise<Response> =>
  fetch(`${url}/v3/auth/tokens`, {
    method,
    // It is asked seldom, and a connection that it closes just then would look as if it were down.
    headers: { ...headers, connection: 'close' },
    signal: AbortSignal.timeout(ANSWER_MS),
    ...(body === undefined ? {} : { body }),
  });
