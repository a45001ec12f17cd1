/** A request from its first header to the end of its answer, with what is known of it meanwhile. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from './door/tokens.ts';
import type { Operation, Request, Route } from './route.ts';

export const NOBODY: Caller = { role: undefined, name: 'nobody' };

export class Exchange {
  readonly startedMs = performance.now();
  /** Minor number of the microversion; undefined where the request did not get as far. */
  minor: number | undefined;
  operation = 'none';
  caller = NOBODY;
  /** What is to be done; undefined until the request has passed the door. */
  admitted: { readonly operation: Operation; readonly query: Request['query'] } | undefined;
  /** Bytes of its body and its answer that are kept in memory for it. */
  heldBytes = 0;
  /** Aborted when it is answered, or its client has left. */
  readonly gone = new AbortController();

  constructor(
    readonly request: FastifyRequest,
    readonly reply: FastifyReply,
  ) {}

  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /** undefined where the path is nobody's, or ends before what it should name. */
  get route(): Route | undefined {
    const { params, routeOptions } = this.request;
    if (Object.values(params as object).includes('')) return undefined;
    return (routeOptions.config as { readonly route?: Route }).route;
  }
}
