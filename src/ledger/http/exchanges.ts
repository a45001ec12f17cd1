/** All requests that are being answered, by connection, and when each is over. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { kept } from '../../kit/kept.ts';
import { MS_PER_S } from '../../kit/units.ts';
import type { Admission } from './admission.ts';
import { Exchange } from './exchange.ts';
import { logLine, type RequestMetrics, type WriteLine } from './metrics.ts';
import { versionText } from './placement.ts';

/** Status, as in nginx, of a request whose connection was closed before all of its answer was handed over. */
const LEFT = 499;

/** Answers under way on a connection, in their order, and what to call when they are over. */
type UnderWay = Map<ServerResponse, (status: number) => void>;

export class Exchanges {
  private readonly exchanges = new WeakMap<FastifyRequest, Exchange>();
  private readonly connections = new WeakMap<Socket, UnderWay>();

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

  of(request: FastifyRequest, reply: FastifyReply): Exchange {
    return kept(this.exchanges, request, () => {
      const exchange = new Exchange(request, reply);
      const underWay = this.underWayOn(request.raw.socket);
      // Not fastify's onResponse: it is told neither of who left nor of paths that cannot be decoded.
      const end = (status: number): void => {
        if (underWay.delete(reply.raw)) this.finish(exchange, status);
      };
      underWay.set(reply.raw, end);
      reply.raw.once('finish', () => end(reply.statusCode));
      this.metrics.begin();
      return exchange;
    });
  }

  private finish(exchange: Exchange, status: number): void {
    const { request, operation, caller, minor } = exchange;
    const seconds = (performance.now() - exchange.startedMs) / MS_PER_S;
    this.metrics.end(operation, status, seconds);
    this.admission.release(exchange);
    exchange.gone.abort();
    this.logRequest?.(
      logLine('info', {
        request_id: request.id,
        client: request.ip,
        caller: caller.name,
        method: request.method,
        url: request.raw.url,
        version: minor === undefined ? null : versionText(minor),
        operation,
        status,
        ms: Math.round(seconds * 1e6) / 1000,
      }),
    );
  }
}
