/** A routing table behind fastify, which reads HTTP, bounds and times it; admission.ts lets requests in. */
import { once } from 'node:events';
import { METHODS, ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { MS_PER_S } from '../../kit/units.ts';
import { JSON_TYPE } from './accept.ts';
import { Admission, type AdmissionOptions } from './admission.ts';
import { ApiError, TITLES } from './api-error.ts';
import type { Exchange } from './exchange.ts';
import { Exchanges } from './exchanges.ts';
import { logLine, RequestMetrics, type WriteLine } from './metrics.ts';
import { errorDocument, newRequestId, requestIdOf, VERSION_HEADER } from './placement.ts';
import { Replies, type ReplyOptions } from './replies.ts';
import type { Operation, Request, Route } from './route.ts';
import type { Answer } from './work.ts';

/** Has the work done once, where it is in nobody's way. @param gone aborted when the client has left */
type Perform = (operation: Operation, request: Request, gone: AbortSignal) => Promise<Answer>;

export interface ServerOptions extends Omit<AdmissionOptions, 'onStranger' | 'onDown'>, ReplyOptions {
  readonly routes: readonly Route[];
  readonly perform: Perform;
  readonly mostConnections: number;
  /** Addresses of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  readonly logRequest: WriteLine | undefined;
}

/** Longest header block, bytes, and longest path with query, characters. */
const MOST_HEADER_BYTES = 16_384;
/** How often connections are looked at that take too long to send a request. */
const CHECK_EVERY_MS = 1_000;
/** What happens at the door is logged so often at most. */
const DOOR_EVERY_MS = 1_000;

export interface ApiServer {
  readonly app: FastifyInstance;
  readonly metrics: RequestMetrics;
  readonly admission: Admission;
}

export function makeServer(options: ServerOptions): ApiServer {
  const metrics = new RequestMetrics();
  const admission = admissionOf(options, metrics);
  const exchanges = new Exchanges(metrics, admission, options.logRequest);
  const replies = new Replies(options, admission);
  const app = fastify(fastifyOptions(options, exchanges, replies));
  app.server.maxConnections = options.mostConnections;
  // Whoever waits for an answer is not idle, however long that takes.
  app.server.on('timeout', (socket: Socket) => {
    const awaited = [...exchanges.underWayOn(socket).keys()];
    if (!awaited.some(({ req, headersSent }) => req.complete && !headersSent)) socket.destroy();
  });
  // Whatever is expected, what is asked is answered.
  app.server.on('checkExpectation', (...exchange) => app.server.emit('request', ...exchange));
  app.server.on('connect', (request, socket) => {
    const response = new ServerResponse(request);
    response.assignSocket(socket as Socket);
    response.once('finish', () => socket.end());
    app.server.emit('request', request, response);
  });

  async function answer(exchange: Exchange): Promise<void> {
    const { request, admitted, minor, caller } = exchange;
    const { operation, query } = admitted!;
    const gone = exchange.gone.signal;
    const asked: Request = {
      minor: minor!,
      path: request.params as Record<string, string>,
      query,
      body: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
      caller,
      requestId: request.id,
      accept: exchange.header('accept'),
      isVersioned: exchange.header(VERSION_HEADER) !== undefined,
      isQuick: false,
    };
    const result = await options.perform(operation, asked, gone);
    if (gone.aborted) return;
    if (result.kind === 'reply') replies.send(result, exchange);
    else if (result.kind === 'refused') replies.refuse(result.refusal, exchange);
  }

  // A path says of all methods that are read which of them it has.
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, request, reply) => replies.fail(error, exchanges.of(request, reply)));
  app.addHook('preClose', async () => {
    replies.isEnding = true;
  });
  app.addHook('onRequest', async (request, reply) => {
    const exchange = exchanges.of(request, reply);
    if (replies.isPreflight(exchange)) return reply;
    await admission.admit(exchange);
    // The door has looked at it, and fastify would want one of what reads no body.
    delete request.raw.headers['content-type'];
  });
  for (const route of options.routes)
    app.route({
      method: app.supportedMethods,
      url: route.path.replace(/\{(\w+)\}/g, ':$1'),
      config: { route } as object,
      handler: async (request, reply) => {
        await answer(exchanges.of(request, reply));
        return reply;
      },
    });
  return { app, metrics, admission };
}

/** What comes by these addresses, on the same port, is the server's, with its limits and certificate. */
export async function alsoOn(
  server: Server,
  addresses: readonly Pick<AddressInfo, 'address'>[],
): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const options = { allowHalfOpen: true, noDelay: true };
  for (const { address: host } of addresses) {
    const other = createServer(options, (socket) => server.emit('connection', socket));
    other.maxConnections = server.maxConnections;
    server.once('close', () => other.close());
    // Where such an address cannot be had, the server's own does.
    await once(other.listen({ host, port }), 'listening').catch(() => {});
  }
}

function admissionOf(options: ServerOptions, metrics: RequestMetrics): Admission {
  let saidMs = Number.NEGATIVE_INFINITY;
  /** What strangers can cause fills no log. */
  const say = (more: object): void => {
    if (performance.now() - saidMs < DOOR_EVERY_MS) return;
    saidMs = performance.now();
    options.logError?.(logLine('warning', more));
  };
  return new Admission({
    ...options,
    onStranger: (client) => {
      metrics.strangers++;
      say({ what: 'unknown token', client, so_far: metrics.strangers });
    },
    onDown: (what) => say({ what }),
  });
}

function fastifyOptions(
  { bodyLimit, timeoutSeconds, trustedProxies, tls }: ServerOptions,
  exchanges: Exchanges,
  replies: Replies,
): FastifyServerOptions {
  const timeout = timeoutSeconds * MS_PER_S;
  const http = {
    maxHeaderSize: MOST_HEADER_BYTES,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    // The door asks for it: Node's own answer has no document.
    requireHostHeader: false,
  };
  return {
    bodyLimit,
    requestTimeout: timeout,
    connectionTimeout: timeout,
    keepAliveTimeout: timeout,
    exposeHeadRoutes: false,
    logger: false,
    forceCloseConnections: 'idle',
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    // What arrives at the last moment is answered like any other.
    return503OnClosing: false,
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 2048 },
    genReqId: requestIdOf,
    clientErrorHandler: (error, socket) => answerUnreadable(exchanges, error, socket),
    frameworkErrors: (error, request, reply) => replies.fail(error, exchanges.of(request, reply)),
    http,
    // Whoever says nothing is thrown out, also before TLS is agreed upon.
    ...(tls ? { https: { ...tls, ...http, handshakeTimeout: timeout } } : {}),
  } as FastifyServerOptions;
}

const UNREADABLE: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, `The headers may have at most ${MOST_HEADER_BYTES} bytes in all.`],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  HPE_INVALID_CONTENT_LENGTH: [400, 'content-length header must be an integer'],
};

/** What cannot be read as HTTP never becomes a request; it gets the same kind of document. */
function answerUnreadable(exchanges: Exchanges, error: Error & { code?: string }, socket: Socket): void {
  // Whoever could not even agree upon TLS in time can be told nothing.
  const isHttp = error.code?.startsWith('HPE_') || error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  if (!isHttp || !socket.writable) {
    socket.destroy();
    return;
  }
  const [[awaited, end] = []] = exchanges.underWayOn(socket);
  if (awaited?.headersSent || awaited?.req.complete) {
    // What is said now would be taken for its answer, or for a part of it.
    socket.pause();
    awaited.once('finish', () => answerUnreadable(exchanges, error, socket));
    return;
  }
  const [status, detail] = UNREADABLE[error.code ?? ''] ?? [400, 'This is not valid HTTP.'];
  end?.(status);
  const body = JSON.stringify(errorDocument(new ApiError(status, detail), newRequestId()));
  socket.end(
    `HTTP/1.1 ${status} ${TITLES[status]}\r\ncontent-type: ${JSON_TYPE}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
