/** What goes back: what was done, what was refused, and the headers that every answer has. */
import { Readable } from 'node:stream';
import { MS_PER_S } from '../../kit/units.ts';
import { HTML_TYPE, JSON_TYPE, qualityOf } from './accept.ts';
import type { Admission } from './admission.ts';
import { ApiError, TITLES } from './api-error.ts';
import type { Exchange } from './exchange.ts';
import { logLine, type WriteLine } from './metrics.ts';
import { CACHE_HEADERS_SINCE, errorDocument, placementHeaders } from './placement.ts';
import { METHODS } from './route.ts';
import { type Answer, type Refusal, refusalOf } from './work.ts';

export interface ReplyOptions {
  readonly bodyLimit: number;
  /** Seconds that a client may take for one request, and that a silent connection stays open. */
  readonly timeoutSeconds: number;
  /** What went wrong on our side, and at the door. */
  readonly logError: WriteLine | undefined;
}

/** So many times as long as for a request a client may take for a long answer. */
const ANSWER_TIMES = 10;
/** What pages from elsewhere may read of answers, and send. */
const EXPOSED = 'location, openstack-api-version, x-openstack-request-id';
const TAKEN = 'accept, content-type, openstack-api-version, x-auth-token, x-openstack-request-id';

export class Replies {
  isEnding = false;

  constructor(
    private readonly options: ReplyOptions,
    private readonly admission: Admission,
  ) {}

  /** Whether a browser asks what it may ask; then it is answered. */
  isPreflight(exchange: Exchange): boolean {
    const { request, reply } = exchange;
    const { method, headers } = request;
    const asked = headers['access-control-request-method'];
    if (method !== 'OPTIONS' || asked === undefined || !this.admission.isOfOrigin(headers.origin))
      return false;
    this.dress(exchange);
    reply.headers({
      'access-control-allow-methods': METHODS.join(', '),
      'access-control-allow-headers': TAKEN,
    });
    reply.status(204).send();
    return true;
  }

  fail(thrown: unknown, exchange: Exchange): void {
    this.refuse(refusalOf(this.httpFault(thrown) ?? thrown), exchange);
  }

  refuse({ status, detail, more, trace }: Refusal, exchange: Exchange): void {
    const { request, reply } = exchange;
    this.dress(exchange);
    if (trace !== undefined)
      this.options.logError?.(logLine('error', { request_id: request.id, error: trace }));
    reply.headers(more.headers ?? {}).status(status);
    const accept = exchange.header('accept');
    const error = new ApiError(status, detail, more);
    if (qualityOf(accept, HTML_TYPE) > qualityOf(accept, JSON_TYPE))
      reply.type(`${HTML_TYPE}; charset=utf-8`).send(errorPage(error));
    else {
      const document = errorDocument(error, request.id, exchange.minor);
      // As bytes: fastify would add a character set to the type of a text, which JSON has none of.
      reply.header('content-type', JSON_TYPE).send(Buffer.from(JSON.stringify(document)));
    }
  }

  /** @throws {ApiError} 503 when too much is on its way already */
  send({ reply: result, body }: Extract<Answer, { kind: 'reply' }>, exchange: Exchange): void {
    const { request, reply, admitted, minor, gone } = exchange;
    const length = body?.reduce((sum, chunk) => sum + chunk.length, 0) ?? 0;
    // What is done is said, however much else is on its way.
    if (admitted!.operation.access === 'write') this.admission.keep(exchange, length);
    else this.admission.hold(exchange, length);
    this.dress(exchange);
    reply.status(result.status);
    // Old clients do not say by which name they ask; a path means the same to them.
    const origin = request.host ? `${request.protocol}://${request.host}` : '';
    if (result.location !== undefined) reply.header('location', origin + result.location);
    if (result.lastModified !== undefined && minor! >= CACHE_HEADERS_SINCE) {
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
      const late = setTimeout(
        () => reply.raw.destroy(),
        ANSWER_TIMES * this.options.timeoutSeconds * MS_PER_S,
      );
      gone.signal.addEventListener('abort', () => clearTimeout(late));
      reply.header('content-length', length).send(Readable.from(body, { objectMode: false }));
    }
  }

  private dress({ request, reply, minor }: Exchange): void {
    reply.header('x-content-type-options', 'nosniff');
    // Else the client would keep the connection, and the service would wait for it; and what is left of a
    // body that nobody wants would have to be read.
    if (this.isEnding || !request.raw.complete) reply.header('connection', 'close');
    reply.headers(placementHeaders(request.id, minor));
    if (!this.admission.takesOrigins) return;
    // A page of an origin that may ask is told so by its browser.
    const { origin } = request.headers;
    reply.header('vary', [reply.getHeader('vary'), 'origin'].filter(Boolean).join(', '));
    if (this.admission.isOfOrigin(origin))
      reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED });
  }

  private httpFault(thrown: unknown): ApiError | undefined {
    const { statusCode, code } = thrown as { statusCode?: number; code?: string };
    if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
      return new ApiError(413, `A body may have at most ${this.options.bodyLimit} bytes.`);
    if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
      return new ApiError(statusCode, (thrown as Error).message);
    return undefined;
  }
}

const errorPage = ({ status, message }: ApiError): string => {
  const escaped = message.replace(/[&<>"]/g, (letter) => `&#${letter.codePointAt(0)};`);
  const title = `${status} ${TITLES[status] ?? ''}`;
  return `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>${escaped}</p></html>\n`;
};
