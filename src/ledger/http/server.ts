/**
 * The server: a routing table behind fastify, which reads HTTP, bounds and times it. What a request has to
 * pass stands in admission.ts; what it asks for is done wherever `perform` has it done. Every answer but
 * plain pages is JSON, the errors too.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { kept } from '../../kit/kept.ts';
import { HTML_TYPE, JSON_TYPE, qualityOf } from './accept.ts';
import { Admission, type AdmissionOptions } from './admission.ts';
import { ApiError, TITLES } from './api-error.ts';
import { type Context, headerOf, NOBODY } from './context.ts';
import { RequestMetrics } from './metrics.ts';
import {
  CACHE_HEADERS_SINCE,
  errorDocument,
  placementHeaders,
  VERSION_HEADER,
  versionText,
} from './placement.ts';
import { METHODS, type Operation, type Request, type Route } from './route.ts';
import { type Answer, type Refusal, refusalOf, type WorkRules } from './work.ts';

/** Has the work done once, where it is in nobody's way. @param gone aborted when the client has left */
export type Perform = (operation: Operation, request: Request, gone: AbortSignal) => Promise<Answer>;

export interface ServerOptions
  extends Omit<AdmissionOptions, 'onStranger' | 'onDown'>,
    Pick<WorkRules, 'asApiError'> {
  readonly routes: readonly Route[];
  readonly perform: Perform;
  /** Seconds that a client may take for one request, and that a silent connection stays open. */
  readonly timeoutSeconds: number;
  readonly mostConnections: number;
  /** Addresses of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** One line a request, as JSON. */
  readonly logRequest: ((line: string) => void) | undefined;
  /** What went wrong on our side, and at the door, as JSON. */
  readonly logError: ((line: string) => void) | undefined;
}

/** Longest header block, bytes, and longest path with query, characters. */
const MOST_HEADER_BYTES = 16_384;
/** How often connections are looked at that take too long to send a request. */
const CHECK_EVERY_MS = 1_000;
/** So many times as long as for a request a client may take for a long answer. */
const ANSWER_TIMES = 10;
/** As OpenStack's services make and take them. */
const REQUEST_ID = /^req-[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const newRequestId = (): string => `req-${randomUUID()}`;
/** What pages from elsewhere may read of answers, and send. */
const EXPOSED = 'location, openstack-api-version, x-openstack-request-id';
const TAKEN = 'accept, content-type, openstack-api-version, x-auth-token, x-openstack-request-id';
/** What happens at the door is logged so often at most. */
const DOOR_EVERY_MS = 1_000;
/** Status, as in nginx, of a request whose connection was closed before all of its answer was handed over. */
const LEFT = 499;

export interface ApiServer {
  readonly app: FastifyInstance;
  readonly metrics: RequestMetrics;
  readonly admission: Admission;
}

const line = (level: string, more: object): string =>
  JSON.stringify({ level, time: new Date().toISOString(), ...more });

export function makeServer(options: ServerOptions): ApiServer {
  const { timeoutSeconds } = options;
  const contexts = new WeakMap<FastifyRequest, Context>();
  const metrics = new RequestMetrics();
  let doorSaidMs = Number.NEGATIVE_INFINITY;
  /** What strangers can cause fills no log. */
  const sayAtDoor = (more: object): void => {
    if (performance.now() - doorSaidMs < DOOR_EVERY_MS) return;
    doorSaidMs = performance.now();
    options.logError?.(line('warning', more));
  };
  const admission = new Admission({
    ...options,
    onStranger: (client) => {
      metrics.strangers++;
      sayAtDoor({ what: 'unknown token', client, so_far: metrics.strangers });
    },
    onDown: (what) => sayAtDoor({ what }),
  });
  let isEnding = false;
  const http = { maxHeaderSize: MOST_HEADER_BYTES, connectionsCheckingInterval: CHECK_EVERY_MS };
  const app = fastify({
    bodyLimit: options.bodyLimit,
    requestTimeout: timeoutSeconds * 1000,
    connectionTimeout: timeoutSeconds * 1000,
    keepAliveTimeout: timeoutSeconds * 1000,
    exposeHeadRoutes: false,
    logger: false,
    forceCloseConnections: 'idle',
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    // What arrives at the last moment is answered like any other.
    return503OnClosing: false,
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 2048 },
    // A request keeps the id that it comes with.
    genReqId: ({ headers }: IncomingMessage) => {
      const given = String(headers['x-openstack-request-id']);
      return REQUEST_ID.test(given) ? given : newRequestId();
    },
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      fail(error, request, reply),
    http,
    // Whoever says nothing is thrown out, also before TLS is agreed upon.
    ...(options.tls ? { https: { ...options.tls, ...http, handshakeTimeout: timeoutSeconds * 1000 } } : {}),
  } as Parameters<typeof fastify>[0]) as unknown as FastifyInstance;
  app.server.maxConnections = options.mostConnections;

  /** Answers under way on each connection, in their order, and what to call when they are over. */
  const connections = new WeakMap<Socket, Map<ServerResponse, (status: number) => void>>();
  const underWayOn = (socket: Socket) =>
    kept(connections, socket, () => {
      const underWay = new Map<ServerResponse, (status: number) => void>();
      socket.once('close', () => {
        for (const end of underWay.values()) end(LEFT);
      });
      return underWay;
    });

  const contextOf = (request: FastifyRequest, reply: FastifyReply): Context =>
    kept(contexts, request, () => {
      const context: Context = {
        startedMs: performance.now(),
        minor: undefined,
        operation: 'none',
        caller: NOBODY,
        admitted: undefined,
        heldBytes: 0,
        gone: new AbortController(),
      };
      const underWay = underWayOn(request.raw.socket);
      // Not fastify's onResponse: it is told neither of who left nor of paths that cannot be decoded.
      const end = (status: number): void => {
        if (underWay.delete(reply.raw)) finish(request, context, status);
      };
      underWay.set(reply.raw, end);
      reply.raw.once('finish', () => end(reply.statusCode));
      metrics.begin();
      return context;
    });

  function finish(request: FastifyRequest, context: Context, status: number): void {
    const seconds = (performance.now() - context.startedMs) / 1000;
    metrics.end(context.operation, status, seconds);
    admission.release(context);
    context.gone.abort();
    options.logRequest?.(
      line('info', {
        request_id: request.id,
        client: request.ip,
        caller: context.caller.name,
        method: request.method,
        url: request.raw.url,
        version: context.minor === undefined ? null : versionText(context.minor),
        operation: context.operation,
        status,
        ms: Math.round(seconds * 1e6) / 1000,
      }),
    );
  }

  function dress(request: FastifyRequest, reply: FastifyReply, context: Context): void {
    reply.header('x-content-type-options', 'nosniff');
    // Else the client would keep the connection, and the service would wait for it; and what is left of a
    // body that nobody wants would have to be read.
    if (isEnding || !request.raw.complete) reply.header('connection', 'close');
    reply.headers(placementHeaders(request.id, context.minor));
    if (options.cors.length > 0) allowOrigin(request, reply);
  }

  /** A page of an origin that may ask is told so by its browser. */
  function allowOrigin(request: FastifyRequest, reply: FastifyReply): void {
    const { origin } = request.headers;
    reply.header('vary', [reply.getHeader('vary'), 'origin'].filter(Boolean).join(', '));
    if (!admission.isOfOrigin(origin)) return;
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED });
  }

  /** Whether a browser asks what it may ask; then it is answered. */
  function isPreflight(request: FastifyRequest, reply: FastifyReply): boolean {
    const { method, headers } = request;
    const asked = headers['access-control-request-method'];
    if (method !== 'OPTIONS' || asked === undefined || !admission.isOfOrigin(headers.origin)) return false;
    dress(request, reply, contextOf(request, reply));
    reply.headers({
      'access-control-allow-methods': METHODS.join(', '),
      'access-control-allow-headers': TAKEN,
    });
    reply.status(204).send();
    return true;
  }

  const fail = (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void =>
    refuse(refusalOf(httpFault(thrown) ?? thrown, options.asApiError), request, reply);

  function httpFault(thrown: unknown): ApiError | undefined {
    const { statusCode, code } = thrown as { statusCode?: number; code?: string };
    if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
      return new ApiError(413, `A body may have at most ${options.bodyLimit} bytes.`);
    if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
      return new ApiError(statusCode, (thrown as Error).message);
    return undefined;
  }

  function refuse(refusal: Refusal, request: FastifyRequest, reply: FastifyReply): void {
    const context = contextOf(request, reply);
    const { status, detail, more, trace } = refusal;
    dress(request, reply, context);
    if (trace !== undefined) options.logError?.(line('error', { request_id: request.id, error: trace }));
    reply.headers(more.headers ?? {}).status(status);
    const accept = headerOf(request, 'accept');
    const error = new ApiError(status, detail, more);
    if (qualityOf(accept, HTML_TYPE) > qualityOf(accept, JSON_TYPE))
      reply.type(`${HTML_TYPE}; charset=utf-8`).send(errorPage(error));
    else {
      const document = errorDocument(error, request.id, context.minor);
      // As bytes: fastify would add a character set to the type of a text, which JSON has none of.
      reply.header('content-type', JSON_TYPE).send(Buffer.from(JSON.stringify(document)));
    }
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const context = contextOf(request, reply);
    const { operation, query } = context.admitted!;
    const gone = context.gone.signal;
    const asked: Request = {
      minor: context.minor!,
      path: request.params as Record<string, string>,
      query,
      body: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
      caller: context.caller,
      requestId: request.id,
      accept: headerOf(request, 'accept'),
      isVersioned: headerOf(request, VERSION_HEADER) !== undefined,
      isQuick: false,
    };
    const result = await options.perform(operation, asked, gone);
    if (gone.aborted) return;
    if (result.kind === 'reply') send(result, request, reply, context);
    else if (result.kind === 'refused') refuse(result.refusal, request, reply);
  }

  function send(
    { reply: result, body }: Extract<Answer, { kind: 'reply' }>,
    request: FastifyRequest,
    reply: FastifyReply,
    context: Context,
  ): void {
    const length = body?.reduce((sum, chunk) => sum + chunk.length, 0) ?? 0;
    // What is done is said, however much else is on its way.
    if (context.admitted!.operation.access === 'write') admission.keep(context, length);
    else admission.hold(context, length);
    dress(request, reply, context);
    reply.status(result.status);
    if (result.location !== undefined)
      reply.header('location', `${request.protocol}://${request.host}${result.location}`);
    if (result.lastModified !== undefined && context.minor! >= CACHE_HEADERS_SINCE) {
      reply.header('last-modified', new Date(result.lastModified).toUTCString());
      reply.header('cache-control', 'no-cache');
    }
    reply.headers(result.headers ?? {});
    if (body === undefined) {
      reply.send();
      return;
    }
    reply.header('content-type', result.contentType ?? 'text/plain; charset=utf-8');
    const [first = Buffer.alloc(0), second] = body;
    if (request.method === 'HEAD') reply.header('content-length', length).send();
    else if (second === undefined) reply.send(Buffer.from(first.buffer, first.byteOffset, first.length));
    else {
      const late = setTimeout(() => reply.raw.destroy(), ANSWER_TIMES * timeoutSeconds * 1000);
      context.gone.signal.addEventListener('abort', () => clearTimeout(late));
      reply.header('content-length', length).send(Readable.from(body, { objectMode: false }));
    }
  }

  /** What cannot be read as HTTP at all never becomes a request; it gets the same kind of document. */
  function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
    // Whoever could not even agree upon TLS in time can be told nothing.
    const isHttp = error.code?.startsWith('HPE_') || error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    if (!isHttp || !socket.writable) {
      socket.destroy();
      return;
    }
    const [[awaited, end] = []] = underWayOn(socket);
    if (awaited?.headersSent || awaited?.req.complete) {
      // What is said now would be taken for its answer, or for a part of it.
      socket.pause();
      awaited.once('finish', () => answerUnreadable(error, socket));
      return;
    }
    const [status, detail] = UNREADABLE[error.code ?? ''] ?? [400, 'This is not valid HTTP.'];
    end?.(status);
    const body = JSON.stringify(errorDocument(new ApiError(status, detail), newRequestId()));
    socket.end(
      `HTTP/1.1 ${status} ${TITLES[status]}\r\ncontent-type: ${JSON_TYPE}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    );
  }

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, request, reply) => fail(error, request, reply));
  app.setNotFoundHandler(() => {
    throw new Error('the door lets nobody pass who asks for what there is not');
  });
  app.addHook('preClose', async () => {
    isEnding = true;
  });
  app.addHook('onRequest', async (request, reply) => {
    if (isPreflight(request, reply)) return reply;
    await admission.admit(request, contextOf(request, reply));
    // The door has looked at it, and fastify would want one of what reads no body.
    delete request.raw.headers['content-type'];
  });
  for (const route of options.routes)
    app.route({
      method: app.supportedMethods,
      url: route.path.replace(/\{(\w+)\}/g, ':$1'),
      config: { route } as object,
      handler: async (request, reply) => {
        await answer(request, reply);
        return reply;
      },
    });
  return { app, metrics, admission };
}

const errorPage = ({ status, message }: ApiError): string => {
  const escaped = message.replace(/[&<>"]/g, (letter) => `&#${letter.codePointAt(0)};`);
  const title = `${status} ${TITLES[status] ?? ''}`;
  return `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>${escaped}</p></html>\n`;
};

const UNREADABLE: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, `The headers may have at most ${MOST_HEADER_BYTES} bytes in all.`],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  HPE_INVALID_CONTENT_LENGTH: [400, 'content-length header must be an integer'],
};
