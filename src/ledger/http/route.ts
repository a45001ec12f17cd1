/** A routing table: what each path and method does, since when, who may, and how it is described. */
import type { Caller } from './door/tokens.ts';
import { type JsonSchema, readJson } from './json-check.ts';
import type { QueryPair } from './query-string.ts';

export const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** What a handler is given: plain data, for it may be in another thread. */
export interface Request {
  /** Minor number of the microversion. */
  readonly minor: number;
  /** Parts of the path by name, decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** The query string in its order, decoded. */
  readonly query: readonly QueryPair[];
  readonly body: Uint8Array;
  readonly caller: Caller;
  readonly requestId: string;
  /** The header of that name. */
  readonly accept: string | undefined;
  /** Whether a version was asked for. */
  readonly isVersioned: boolean;
  /** Others wait meanwhile: what turns out to take longer throws TakesLonger, and is begun anew elsewhere. */
  readonly isQuick: boolean;
}

/** The request is more than what can be done while others wait. */
export class TakesLonger extends Error {}

/** What a handler answers: `body` is sent as JSON; `text`, in pieces where it is long, as it is. */
export interface Reply {
  /** Usually 200. */
  readonly status?: number;
  readonly body?: unknown;
  readonly text?: readonly string[] | Generator<string>;
  readonly contentType?: string;
  readonly location?: string;
  /** Milliseconds since 1970: from 1.15 on sent as Last-Modified, with Cache-Control: no-cache. */
  readonly lastModified?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Operation {
  /** Name for logs, metrics and the description, such as `listProviders`. */
  readonly id: string;
  readonly summary: string;
  /** First minor number that has it; usually 0. */
  readonly since: number;
  /** Status for older versions. */
  readonly tooOld?: 404 | 405;
  /** `open`: to everybody. Usually GET reads, and the others write. */
  readonly access: 'open' | 'read' | 'write';
  /** Answered at the door; such a handler must be quick. */
  readonly isAtDoor?: boolean;
  /** Who may see no more than a project may ask for its own, as `project_id`. */
  readonly isForProjects?: boolean;
  /** Never done while others wait. */
  readonly isLong?: boolean;
  /** Up to this minor number it needs `content-type: application/json`; usually always, given a schema. */
  readonly takesJsonUntil?: number;
  /** Answers JSON, and 406 to who does not take it; usually what GET succeeds in with 200. */
  readonly givesJson?: boolean;
  /** Schema of the body at a minor number. */
  readonly bodySchema?: (minor: number) => JsonSchema;
  /** Names of query parameters at the newest version. */
  readonly queryNames?: readonly string[];
  /** Status of success; usually 204 for DELETE, 200 for the others. */
  readonly success: number;
  readonly handle: (request: Request) => Promise<Reply>;
}

/** A request with the service that answers it: what a handler is given. */
export type CallOf<Service, Body> = Service &
  Request & {
    /** The body. @throws {ApiError} 400 when it has not the form that its schema says */
    readonly json: () => Body;
  };

/** What a table states of an operation besides its name and its work; what is usual may be left out. */
export type Particulars<Body> = Partial<Omit<Operation, 'id' | 'summary' | 'bodySchema' | 'handle'>> & {
  /** One for all versions, or that of a minor number. */
  readonly bodySchema?: JsonSchema<Body> | ((minor: number) => JsonSchema<Body>);
};

export interface StatedOperation<Service> extends Particulars<unknown>, Pick<Operation, 'id' | 'summary'> {
  readonly handle: (call: CallOf<Service, never>) => Promise<Reply>;
}

/**
 * A part of the routing table: operations by path, written `/resource_providers/{uuid}`, and method; `since`
 * of a path holds for those that state none.
 */
export type OperationTable<Service> = Readonly<
  Record<
    `/${string}`,
    Partial<Readonly<Record<Method, StatedOperation<Service>>>> & { readonly since?: number }
  >
>;

export interface Route {
  readonly path: string;
  readonly operations: Partial<Readonly<Record<Method, Operation>>>;
}

/** Makes each version's schema once, so that its compiled form is kept. */
function keptByVersion(
  schema: NonNullable<Particulars<unknown>['bodySchema']>,
): (minor: number) => JsonSchema {
  if (typeof schema !== 'function') return () => schema;
  const kept: JsonSchema[] = [];
  return (minor) => (kept[minor] ??= schema(minor));
}

const operationOf = <Service>(
  service: Service,
  method: string,
  { handle, bodySchema: schema, ...stated }: StatedOperation<Service>,
): Operation => {
  const success = stated.success ?? (method === 'DELETE' ? 204 : 200);
  const bodySchema = schema && keptByVersion(schema);
  return {
    since: 0,
    access: method === 'GET' ? 'read' : 'write',
    givesJson: method === 'GET' && success === 200 && !stated.isAtDoor,
    success,
    ...(bodySchema && { takesJsonUntil: Number.POSITIVE_INFINITY, bodySchema }),
    ...stated,
    handle: (request) =>
      handle({
        ...service,
        ...request,
        json: () => readJson<never>(request.body, bodySchema!(request.minor) as JsonSchema<never>),
      }),
  };
};

export const routesOf = <Service>(service: Service, table: OperationTable<Service>): readonly Route[] =>
  Object.entries(table).map(([path, { since = 0, ...stated }]) => ({
    path,
    operations: Object.fromEntries(
      Object.entries(stated).map(([method, one]) => [
        method,
        operationOf(service, method, { since, ...one }),
      ]),
    ),
  }));
