/**
 * The door: who and what is let in, decided by the headers alone, before any of the body is read. In a fixed
 * order: names of the host, rate, token, version, method, media types, rights, bytes.
 */
import type { FastifyRequest } from 'fastify';
import { requireAcceptsJson, requireJson } from './accept.ts';
import { ApiError, badQuery, badRequest, NOT_FOUND_DETAIL, noMethodDetail, retryAfter } from './api-error.ts';
import { areOwnNames } from './door/names.ts';
import { RateLimit } from './door/rate.ts';
import { type Authenticator, AuthenticatorDown, type Caller } from './door/tokens.ts';
import { type Exchange, NOBODY } from './exchange.ts';
import { requestedMinor, VERSION_HEADER } from './placement.ts';
import { parseQueryString } from './query-string.ts';
import type { Method, Operation, Request, Route } from './route.ts';

export interface AdmissionOptions {
  readonly authenticator: Authenticator;
  /** Minor number of the version that `latest` means, and of the newest that may be asked for. */
  readonly latestMinor: number;
  readonly mostMinor: number;
  readonly bodyLimit: number;
  /** Bytes of bodies and answers that all requests together may keep in memory. */
  readonly bytesInFlight: number;
  /** Requests a second and client: address or token; 0: no limit. */
  readonly ratePerSecond: number;
  /** Only names of this machine itself are served. */
  readonly isLocal: boolean;
  /** Origins of pages elsewhere that may ask; `*`: all. */
  readonly cors: readonly string[];
  /** Told of a token that is nobody's. */
  readonly onStranger: (client: string) => void;
  /** Told that nobody can be asked who holds a token. */
  readonly onDown: (why: string) => void;
}

const isOpen = ({ access }: Operation): boolean => access === 'open';

export class Admission {
  private readonly rate: RateLimit;
  heldBytes = 0;

  constructor(private readonly options: AdmissionOptions) {
    this.rate = new RateLimit(options.ratePerSecond);
  }

  async admit(exchange: Exchange): Promise<void> {
    const { latestMinor, mostMinor, isLocal } = this.options;
    const { request, route } = exchange;
    const { headers, method, raw } = request;
    if (headers.host === undefined && raw.httpVersion === '1.1') throw badRequest('host header required');
    if (isLocal && !this.isOfOrigin(headers.origin) && !areOwnNames(headers, method))
      throw new ApiError(403, 'Without tokens only names of this machine are served, such as localhost.');
    // Whoever comes by a socket in the file system has no address: they share one.
    this.limitRate('address', request.ip);
    const isForAll = route !== undefined && Object.values(route.operations).every(isOpen);
    exchange.caller = isForAll ? NOBODY : await this.identify(exchange);
    if (exchange.caller !== NOBODY) this.limitRate('token', exchange.caller.name);
    exchange.minor = requestedMinor(exchange.header(VERSION_HEADER), latestMinor, mostMinor);
    if (Number(headers['content-length'] ?? 0) > 0 && !exchange.header('content-type'))
      throw badRequest('content-type header required when content-length > 0');
    if (!route) throw new ApiError(404, NOT_FOUND_DETAIL);
    const operation = operationOf(route, method);
    exchange.operation = operation.id;
    checkForm(operation, exchange, exchange.minor);
    const url = raw.url!;
    const mark = url.indexOf('?');
    const { pairs: query, unreadable } = parseQueryString(mark < 0 ? '' : url.slice(mark + 1));
    if (unreadable[0] !== undefined) throw badQuery(`${unreadable[0]} cannot be decoded`);
    checkRights(operation, exchange.caller, query);
    this.hold(exchange, this.announced(request));
    exchange.admitted = { operation, query };
  }

  get takesOrigins(): boolean {
    return this.options.cors.length > 0;
  }

  isOfOrigin(origin: string | undefined): boolean {
    const { cors } = this.options;
    return origin !== undefined && (cors.includes('*') || cors.includes(origin));
  }

  /** @throws {ApiError} 503 when there are too many already */
  hold(exchange: Exchange, bytes: number): void {
    if (bytes > 0 && this.heldBytes > 0 && this.heldBytes + bytes > this.options.bytesInFlight)
      throw new ApiError(503, 'Too much is being sent at the moment.', retryAfter(1));
    this.keep(exchange, bytes);
  }

  /** Counts what is kept in any case. */
  keep(exchange: Exchange, bytes: number): void {
    // Nothing would release them any more.
    if (exchange.gone.signal.aborted) return;
    this.heldBytes += bytes;
    exchange.heldBytes += bytes;
  }

  release(exchange: Exchange): void {
    this.heldBytes -= exchange.heldBytes;
    exchange.heldBytes = 0;
  }

  private announced({ headers }: FastifyRequest): number {
    if (headers['transfer-encoding'] !== undefined) return this.options.bodyLimit;
    return Math.min(this.options.bodyLimit, Number(headers['content-length'] ?? 0));
  }

  private limitRate(by: 'address' | 'token', client: string | undefined): void {
    const wait = this.rate.secondsToWait(`${by} ${client}`, performance.now());
    if (wait > 0) throw new ApiError(429, `Too many requests from this ${by}.`, retryAfter(Math.ceil(wait)));
  }

  private async callerOf(token: string): Promise<Caller | undefined> {
    try {
      return await this.options.authenticator.callerOf(token);
    } catch (error) {
      if (!(error instanceof AuthenticatorDown)) throw error;
      this.options.onDown(error.message);
      throw new ApiError(503, 'Who holds this token cannot be found out at the moment.', retryAfter(5));
    }
  }

  private async identify(exchange: Exchange): Promise<Caller> {
    const { authenticator, onStranger } = this.options;
    const token = exchange.header('x-auth-token');
    const caller = token === undefined ? undefined : await this.callerOf(token);
    if (caller) return caller;
    if (token !== undefined) onStranger(exchange.request.ip);
    const { challenge } = authenticator;
    throw new ApiError(401, 'A valid token is needed in the header X-Auth-Token.', {
      headers: challenge === undefined ? {} : { 'www-authenticate': challenge },
    });
  }
}

function operationOf({ operations }: Route, method: string): Operation {
  const operation = operations[method as Method] ?? (method === 'HEAD' ? operations.GET : undefined);
  if (operation && (method !== 'HEAD' || isOpen(operation))) return operation;
  throw new ApiError(405, noMethodDetail(method), { headers: { allow: Object.keys(operations).join(', ') } });
}

function checkForm(operation: Operation, exchange: Exchange, minor: number): void {
  if (minor < operation.since)
    throw new ApiError(
      operation.tooOld ?? 404,
      operation.tooOld === 405 ? noMethodDetail(exchange.request.method) : NOT_FOUND_DETAIL,
    );
  if (minor <= (operation.takesJsonUntil ?? -1)) requireJson(exchange.header('content-type'));
  if (operation.givesJson) requireAcceptsJson(exchange.header('accept'));
}

function checkRights(operation: Operation, { role, project }: Caller, query: Request['query']): void {
  if (operation.access === 'open' || role === 'admin') return;
  if (operation.access === 'read' && role === 'reader') return;
  const asked = query.findLast(([name]) => name === 'project_id')?.[1];
  if (operation.isForProjects && role === 'project' && asked === project) return;
  throw new ApiError(403, `Policy does not allow ${operation.id} to be performed.`);
}
