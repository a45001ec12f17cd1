/** What is known of a request while it is answered. */
import type { FastifyRequest } from 'fastify';
import type { Caller } from './door/tokens.ts';
import type { Operation, Request, Route } from './route.ts';

export const NOBODY: Caller = { role: undefined, name: 'nobody' };

export interface Context {
  readonly startedMs: number;
  minor: number | undefined;
  operation: string;
  caller: Caller;
  /** What is to be done; undefined until the request has passed the door. */
  admitted: { readonly operation: Operation; readonly query: Request['query'] } | undefined;
  /** Bytes of its body and its answer that are kept in memory for it. */
  heldBytes: number;
  /** Aborted when it is answered, or its client has left. */
  readonly gone: AbortController;
}

export const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
};

/** undefined where the path is nobody's, or ends before what it should name. */
export const routeOf = ({ params, routeOptions }: FastifyRequest): Route | undefined =>
  Object.values(params as object).includes('')
    ? undefined
    : (routeOptions.config as { readonly route?: Route }).route;
