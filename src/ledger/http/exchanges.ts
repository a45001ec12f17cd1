/** Each request from its first header to the end of its answer: what is known of it, and when it is over. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { kept } from '../../kit/kept.ts';
import { MS_PER_S } from '../../kit/units.ts';
import type { Admission } from './admission.ts';
import { type Context, NOBODY } from './context.ts';
import { logLine, type WriteLine } from './log-line.ts';
import type { RequestMetrics } from './metrics.ts';
import { versionText } from './placement.ts';

/** Status, as in nginx, of a request whose connection was closed before all of its answer was handed over. */
const LEFT = 499;

/** Answers under way on a connection, in their order, and what to call when they are over. */
type UnderWay = Map<ServerResponse, (status: number) => void>;

export class Exchanges {
  private readonly contexts = new WeakMap<FastifyRequest, Context>();
  private readonly connections = new WeakMap<Socket, UnderWay>();

  /** @param logRequest takes one line a request */
  constructor(
    private readonly metrics: RequestMetrics,
    private readonly admission: Admission,
    private readonly logRequest: WriteLine | undefined,
  ) {}

  underWayOn(socket: Socket): UnderWay {
    return kept(this.connections, socket, () => {
      const underWay: UnderWay = new Map();
      socket.once('close', () => {
        for (const end of underWay.values()) end(LEFT);
      });
      return underWay;
    });
  }

  contextOf(request: FastifyRequest, reply: FastifyReply): Context {
    return kept(this.contexts, request, () => {
      const context: Context = {
        startedMs: performance.now(),
        minor: undefined,
        operation: 'none',
        caller: NOBODY,
        admitted: undefined,
        heldBytes: 0,
        gone: new AbortController(),
      };
      const underWay = this.underWayOn(request.raw.socket);
      // Not fastify's onResponse: it is told neither of who left nor of paths that cannot be decoded.
      const end = (status: number): void => {
        if (underWay.delete(reply.raw)) this.finish(request, context, status);
      };
      underWay.set(reply.raw, end);
      reply.raw.once('finish', () => end(reply.statusCode));
      this.metrics.begin();
      return context;
    });
  }

  private finish(request: FastifyRequest, context: Context, status: number): void {
    const seconds = (performance.now() - context.startedMs) / MS_PER_S;
    this.metrics.end(context.operation, status, seconds);
    this.admission.release(context);
    context.gone.abort();
    this.logRequest?.(
      logLine('info', {
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
}
