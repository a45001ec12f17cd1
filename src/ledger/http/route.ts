/** What a route is: what a path and method do, since when, who may, and how it is described. */
import type { Caller } from './door/tokens.ts';
import type { JsonSchema } from './json-check.ts';
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
  readonly accept: string | undefined;
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
  readonly bodySchema?: (minor: number) => JsonSchema;
  /** Names of query parameters at the newest version. */
  readonly queryNames?: readonly string[];
  /** Status of success; usually 204 for DELETE, 200 for the others. */
  readonly success: number;
  readonly handle: (request: Request) => Promise<Reply>;
}

export interface Route {
  readonly path: string;
  readonly operations: Partial<Readonly<Record<Method, Operation>>>;
}
