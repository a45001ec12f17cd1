/** What Placement's clients expect of every answer: request ids, microversions, and the form of errors. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ApiError, badRequest, TITLES } from './api-error.ts';

/** `placement X.Y`: which form of each answer the client understands. Only Y matters: X is 1. */
export const VERSION_HEADER = 'openstack-api-version';
const SERVICE = 'placement';

/** As OpenStack's services make and take them. */
const REQUEST_ID = /^req-[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
export const newRequestId = (): string => `req-${randomUUID()}`;

/** A request keeps the id that it comes with. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = String(headers['x-openstack-request-id']);
  return REQUEST_ID.test(given) ? given : newRequestId();
}

export const versionText = (minor: number): string => `1.${minor}`;

/**
 * @param header may name several services, divided by commas
 * @param latest minor number of `latest`
 * @param most highest that may be asked for
 * @returns the minor number; 0 without a version of this service
 * @throws {ApiError} 400 when it cannot be read, 406 when there is no such version
 */
export function requestedMinor(header: string | undefined, latest: number, most: number): number {
  const item = (header ?? '')
    .split(',')
    .map((part) => part.trim().split(/\s+/))
    .findLast(([service, version]) => version !== undefined && service!.toLowerCase() === SERVICE);
  if (!item) return 0;
  const text = item.slice(1).join(' ');
  if (text === 'latest') return latest;
  const match = /^([+-]?\d+) ?\. ?([+-]?\d+)$/.exec(text);
  if (!match) throw badRequest(`Invalid microversion: invalid version string: ${text}`);
  const [, major, minor] = match.map(Number);
  if (major === 1 && minor! >= 0 && minor! <= most) return minor!;
  throw new ApiError(406, `Invalid microversion: Unacceptable version header: ${text}`, {
    extra: { max_version: versionText(most), min_version: versionText(0) },
  });
}

/** From 1.15 answers say when they were last modified; from 1.23 errors have codes. */
export const CACHE_HEADERS_SINCE = 15;
const CODES_SINCE = 23;
const UNDEFINED_CODE = 'placement.undefined_code';

export function errorDocument(error: ApiError, requestId: string, minor = 0): object {
  return {
    errors: [
      {
        status: error.status,
        title: TITLES[error.status] ?? 'Error',
        detail: error.message,
        ...(minor >= CODES_SINCE ? { code: error.more.code ?? UNDEFINED_CODE } : {}),
        request_id: requestId,
        ...error.more.extra,
      },
    ],
  };
}

/** What every answer has. @param minor undefined where the request did not get as far */
export const placementHeaders = (requestId: string, minor?: number): Readonly<Record<string, string>> => ({
  'x-openstack-request-id': requestId,
  ...(minor !== undefined && { vary: VERSION_HEADER, [VERSION_HEADER]: `placement ${versionText(minor)}` }),
});
