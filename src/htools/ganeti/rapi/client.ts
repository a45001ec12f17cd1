/** Reads resources of a cluster over RAPI. Source: Ganeti's RAPI documentation. */
import { BackendError } from '../../../kit/faults.ts';
import { decodeAnswer, quoteAnswer } from '../wire/answer-text.ts';
import { askAgain, ConnectionCut } from '../wire/connection-cut.ts';
import { type HttpAnswer, httpGet } from '../wire/http-get.ts';
import type { WireLimits } from '../wire/limits.ts';
import { hostText, openSocket } from '../wire/open-socket.ts';
import { type RapiServer, urlOf } from './address.ts';
import type { Trust } from './trust.ts';

export interface RapiManners {
  readonly limits: WireLimits;
  readonly trust: Trust;
  /** `name:password` for the server. */
  readonly credentials?: string | undefined;
}

const OK = 200;
const REDIRECTS_FROM = 300;
const ERRORS_FROM = 400;
const UNAUTHORISED: ReadonlySet<number> = new Set([401, 403]);
/** The server is there and cannot answer just now. */
const PASSING: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * The text of a resource.
 * @param resource path with its question, as in `/2/nodes?bulk=1`
 * @throws BackendError when the server cannot be reached, is not trusted, does not answer in time, or says no
 */
export const rapiGet = (server: RapiServer, resource: string, manners: RapiManners): Promise<string> =>
  askAgain(() => ask(server, resource, manners));

async function ask(
  server: RapiServer,
  resource: string,
  { limits, trust, credentials }: RapiManners,
): Promise<string> {
  const { host, port, isSecure, base } = server;
  const url = `${urlOf(server)}${resource}`;
  if (
    !isSecure &&
    (credentials !== undefined || trust.authorities !== undefined || trust.fingerprints.length > 0)
  ) {
    throw new BackendError(
      `${url} is not encrypted, so neither passwords nor certificates are of use`,
      'write https://',
    );
  }
  const raw = await openSocket({ host, port }, limits.connectSeconds);
  const socket = isSecure
    ? await (await import('./trust.ts')).secure(
        raw,
        host,
        url,
        trust,
        credentials !== undefined,
        limits.connectSeconds,
      )
    : raw;
  const question = { host: hostText(host, port), path: `${base}${resource}`, credentials, url };
  const answer = await httpGet(socket, question, limits);
  if (answer.status === OK) return decodeAnswer(answer.body);
  throw refusal(url, answer, credentials !== undefined);
}

/** Errors are objects with `message` and `explain`. */
function wordsOf(body: Buffer): string {
  const text = decodeAnswer(body.subarray(0, 10_000));
  try {
    const { message, explain } = JSON.parse(text) as Record<string, unknown>;
    const words = [message, explain].filter((word) => typeof word === 'string' && word !== '');
    if (words.length > 0) return words.join(': ');
  } catch {
    // Another server's page, perhaps.
  }
  return text;
}

function refusal(url: string, { status, body }: HttpAnswer, isLoggedIn: boolean): BackendError {
  if (status >= REDIRECTS_FROM && status < ERRORS_FROM) {
    return new BackendError(
      `${url}: the server redirects elsewhere (status ${status}), and redirects are not followed`,
      'give the address of the cluster itself',
    );
  }
  const words = quoteAnswer(wordsOf(body));
  const message = `${url}: the server answers with status ${status}${words === '' ? '' : `: ${words}`}`;
  if (UNAUTHORISED.has(status))
    return new BackendError(
      message,
      isLoggedIn
        ? 'correct the name or the password that the file of --rapi-credentials has for this server'
        : 'give name and password in a file with --rapi-credentials',
    );
  return new (PASSING.has(status) ? ConnectionCut : BackendError)(message);
}
