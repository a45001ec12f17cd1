/** What the interface of a service wants of every request and answer, beyond plain HTTP. */
import type { ApiError } from './api-error.ts';

export interface Protocol {
  /**
   * The version that a client asks for: its minor number. @param header a header of the request, by name
   * @throws {ApiError} when there is no such version
   */
  readonly minorOf: (header: (name: string) => string | undefined) => number;
  /** Whether a version is asked for at all. */
  readonly isVersioned: (header: (name: string) => string | undefined) => boolean;
  /** How logs write it. */
  readonly versionText: (minor: number) => string;
  /** What every answer has; without a minor number where the request did not get as far. */
  readonly headersOf: (requestId: string, minor?: number) => Readonly<Record<string, string>>;
  /** From this minor number on answers tell when they were last modified. */
  readonly cacheHeadersSince: number;
  /** An error as JSON. */
  readonly errorDocument: (error: ApiError, requestId: string, minor?: number) => object;
}
