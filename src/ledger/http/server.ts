/**
 * The server: a routing table behind fastify, with what every request goes through in a fixed order: token,
 * version, body, method, rights, media types, handler. Every answer but plain pages is JSON, the errors too.
 */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { HTML_TYPE, JSON_TYPE, qualityOf, requireAccepts, requireContent } from './accept.ts';
import { ApiError, NOT_FOUND_DETAIL, TITLES } from './api-error.ts';
import { RequestMetrics } from './metrics.ts';
import type { Protocol } from './protocol.ts';
import { parseQueryString } from './query-string.ts';
import { RateLimit } from './rate.ts';
import type { Method, Operation, Reply, Route } from './route.ts';
import type { Caller, Tokens } from './tokens.ts';

export interface ServerOptions {
  readonly routes: readonly Route[];
  readonly tokens: Pick<Tokens, 'callerOf'>;
  readonly protocol: Protocol;
  /** Bytes. */
  readonly bodyLimit: number;
  /** Seconds that a client may take for one request, and that a silent connection stays open. */
  readonly timeoutSeconds: number;
  /** Requests a second and client address; 0: no limit. */
  readonly ratePerSecond: number;
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** One line a request, as JSON. */
  readonly logRequest: ((line: string) => void) | undefined;
  /** What went wrong on our side, as JSON. */
  readonly logError: ((line: string) => void) | undefined;
  /** Faults of stores and the like as answers; undefined: our own mistake. */
  readonly asApiError: (error: unknown) => ApiError | undefined;
}

/** Longest header block, bytes, and longest path with query, characters. */
const MOST_HEADER_BYTES = 16_384;
/** How often connections are looked at that take too long to send a request. */
const CHECK_EVERY_MS = 1_000;
const NOBODY: Caller = { role: undefined, name: 'nobody' };

/** What is known of a request while it is answered. */
interface Context {
  readonly requestId: string;
  readonly startedMs: number;
  minor: number | undefined;
  operation: string;
  caller: Caller;
}

export interface ApiServer {
  readonly app: FastifyInstance;
  readonly metrics: RequestMetrics;
}

const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
};

/** As bytes: fastify would add a character set to the type of a text, which JSON has none of. */
const sendText = (reply: FastifyReply, type: string, text: string): void => {
  reply.header('content-type', type).send(Buffer.from(text));
};

export function makeServer(options: ServerOptions): ApiServer {
  const { protocol } = options;
  const contexts = new WeakMap<FastifyRequest, Context>();
  const metrics = new RequestMetrics();
  const rate = new RateLimit(options.ratePerSecond);
  let isEnding = false;
  const app = fastify({
    bodyLimit: options.bodyLimit,
    requestTimeout: options.timeoutSeconds * 1000,
    connectionTimeout: options.timeoutSeconds * 1000,
    keepAliveTimeout: options.timeoutSeconds * 1000,
    exposeHeadRoutes: false,
    logger: false,
    forceCloseConnections: 'idle',
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 2048 },
    clientErrorHandler: (error: Error & { code?: string }, socket: Socket) =>
      answerUnreadable(error, socket, protocol),
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      fail(error, request, reply),
    http: { maxHeaderSize: MOST_HEADER_BYTES, connectionsCheckingInterval: CHECK_EVERY_MS },
    ...(options.tls
      ? {
          https: {
            ...options.tls,
            maxHeaderSize: MOST_HEADER_BYTES,
            connectionsCheckingInterval: CHECK_EVERY_MS,
          },
        }
      : {}),
  } as Parameters<typeof fastify>[0]) as unknown as FastifyInstance;

  const contextOf = (request: FastifyRequest): Context => {
    let context = contexts.get(request);
    if (!context) {
      context = {
        requestId: `req-${randomUUID()}`,
        startedMs: performance.now(),
        minor: undefined,
        operation: 'none',
        caller: NOBODY,
      };
      contexts.set(request, context);
      metrics.begin();
    }
    return context;
  };

  /** Headers that every answer has. */
  function dress(reply: FastifyReply, context: Context): void {
    reply.header('x-content-type-options', 'nosniff');
    // Else the client would keep the connection, and the service would wait for it.
    if (isEnding) reply.header('connection', 'close');
    reply.headers(protocol.headersOf(context.requestId, context.minor));
  }

  function fail(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const context = contextOf(request);
    const error = asAnswer(thrown);
    dress(reply, context);
    if (error.status >= 500)
      options.logError?.(
        JSON.stringify({
          level: 'error',
          time: new Date().toISOString(),
          request_id: context.requestId,
          error: String((thrown as Error)?.stack ?? thrown),
        }),
      );
    for (const [name, value] of Object.entries(error.headers)) reply.header(name, value);
    reply.status(error.status);
    const accept = headerOf(request, 'accept');
    if (qualityOf(accept, HTML_TYPE) > qualityOf(accept, JSON_TYPE)) {
      reply.type(`${HTML_TYPE}; charset=utf-8`).send(errorPage(error));
      return;
    }
    const document = protocol.errorDocument(error, context.requestId, context.minor);
    sendText(reply, JSON_TYPE, JSON.stringify(document));
  }

  function asAnswer(thrown: unknown): ApiError {
    if (thrown instanceof ApiError) return thrown;
    const known = options.asApiError(thrown);
    if (known) return known;
    const { statusCode, code } = thrown as { statusCode?: number; code?: string };
    if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
      return new ApiError(413, `A body may have at most ${options.bodyLimit} bytes.`);
    if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
      return new ApiError(statusCode, (thrown as Error).message);
    return new ApiError(500, 'The server made a mistake; its log has details under the request id.');
  }

  function limitRate(request: FastifyRequest): void {
    const wait = rate.secondsToWait(request.ip, performance.now());
    if (wait > 0)
      throw new ApiError(429, 'Too many requests from this address.', undefined, {
        headers: { 'retry-after': String(Math.ceil(wait)) },
      });
  }

  /** @throws {ApiError} 401 for a path that is not open to everybody */
  function identify(request: FastifyRequest, isOpen: boolean): Caller {
    const token = headerOf(request, 'x-auth-token');
    const caller = token === undefined ? undefined : options.tokens.callerOf(token);
    if (caller || isOpen) return caller ?? NOBODY;
    throw new ApiError(401, 'A valid token is needed in the header X-Auth-Token.');
  }

  function checkRights(operation: Operation, { role }: Caller): void {
    if (operation.access === 'open' || role === 'admin') return;
    if (operation.access === 'read' && role === 'reader') return;
    throw new ApiError(403, `This token may not ${operation.access} here.`);
  }

  const isOpenRoute = ({ operations }: Route): boolean =>
    Object.values(operations).every(({ access }) => access === 'open');

  async function answer(route: Route, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const context = contextOf(request);
    limitRate(request);
    context.caller = identify(request, isOpenRoute(route));
    context.minor = protocol.minorOf((name) => headerOf(request, name));
    const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
    if (Number(request.headers['content-length'] ?? 0) > 0 && !headerOf(request, 'content-type'))
      throw new ApiError(400, 'content-type header required when content-length > 0');
    const operation = route.operations[request.method as Method];
    if (!operation)
      throw new ApiError(405, `The method ${request.method} is not allowed for this resource.`, undefined, {
        headers: { allow: Object.keys(route.operations).join(', ') },
      });
    context.operation = operation.id;
    if (context.minor < operation.since)
      throw new ApiError(
        operation.tooOld ?? 404,
        operation.tooOld === 405
          ? 'The method specified is not allowed for this resource.'
          : NOT_FOUND_DETAIL,
      );
    if (operation.takesJson || context.minor <= (operation.takesJsonUntil ?? -1))
      requireContent(headerOf(request, 'content-type'), JSON_TYPE);
    if (operation.givesJson) requireAccepts(headerOf(request, 'accept'), JSON_TYPE);
    checkRights(operation, context.caller);
    const mark = request.raw.url!.indexOf('?');
    const { pairs, unreadable } = parseQueryString(mark < 0 ? '' : request.raw.url!.slice(mark + 1));
    if (unreadable[0])
      throw new ApiError(400, `Invalid query string parameters: ${unreadable[0].part} cannot be decoded`);
    const result = await operation.handle({
      minor: context.minor,
      path: request.params as Record<string, string>,
      query: pairs,
      body,
      caller: context.caller,
      requestId: context.requestId,
      header: (name) => headerOf(request, name),
    });
    send(result, request, reply, context);
  }

  function send(result: Reply, request: FastifyRequest, reply: FastifyReply, context: Context): void {
    dress(reply, context);
    reply.status(result.status);
    if (result.location !== undefined)
      reply.header('location', `${request.protocol}://${request.host}${result.location}`);
    if (result.lastModified !== undefined && context.minor! >= protocol.cacheHeadersSince) {
      reply.header('last-modified', new Date(result.lastModified).toUTCString());
      reply.header('cache-control', 'no-cache');
    }
    for (const [name, value] of Object.entries(result.headers ?? {})) reply.header(name, value);
    if (result.text !== undefined)
      sendText(reply, result.contentType ?? 'text/plain; charset=utf-8', result.text);
    else if (result.body !== undefined)
      sendText(reply, result.contentType ?? JSON_TYPE, JSON.stringify(result.body));
    else reply.send();
  }

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, request, reply) => fail(error, request, reply));
  app.setNotFoundHandler((request, reply) => {
    const context = contextOf(request);
    limitRate(request);
    context.caller = identify(request, false);
    context.minor = protocol.minorOf((name) => headerOf(request, name));
    fail(new ApiError(404, NOT_FOUND_DETAIL), request, reply);
  });
  app.addHook('preClose', async () => {
    isEnding = true;
  });
  app.addHook('onRequest', async (request) => {
    contextOf(request);
  });
  app.addHook('onResponse', async (request, reply) => {
    const context = contextOf(request);
    const seconds = (performance.now() - context.startedMs) / 1000;
    metrics.end(context.operation, reply.statusCode, seconds);
    options.logRequest?.(
      JSON.stringify({
        level: 'info',
        time: new Date().toISOString(),
        request_id: context.requestId,
        client: request.ip,
        caller: context.caller.name,
        method: request.method,
        url: request.raw.url,
        version: context.minor === undefined ? null : protocol.versionText(context.minor),
        operation: context.operation,
        status: reply.statusCode,
        ms: Math.round(seconds * 1e6) / 1000,
      }),
    );
  });
  for (const route of options.routes)
    app.route({
      method: ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'],
      url: route.path.replace(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) => {
        await answer(route, request, reply);
        return reply;
      },
    });
  return { app, metrics };
}

const errorPage = ({ status, message }: ApiError): string => {
  const escaped = message.replace(/[&<>"]/g, (letter) => `&#${letter.codePointAt(0)};`);
  return `<!doctype html><html lang="en"><title>${status} ${TITLES[status] ?? ''}</title><h1>${status} ${TITLES[status] ?? ''}</h1><p>${escaped}</p></html>\n`;
};

/** What cannot be read as HTTP at all never becomes a request; it gets the same kind of document. */
function answerUnreadable(
  error: Error & { code?: string },
  socket: Socket,
  { errorDocument }: Protocol,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, detail] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, `The headers may have at most ${MOST_HEADER_BYTES} bytes in all.`]
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'The request did not arrive in time.']
        : error.code === 'HPE_INVALID_CONTENT_LENGTH'
          ? [400, 'content-length header must be an integer']
          : [400, 'This is not valid HTTP.'];
  const body = JSON.stringify(
    errorDocument(new ApiError(status as number, detail as string), `req-${randomUUID()}`),
  );
  socket.end(
    `HTTP/1.1 ${status} ${TITLES[status as number]}\r\ncontent-type: ${JSON_TYPE}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
