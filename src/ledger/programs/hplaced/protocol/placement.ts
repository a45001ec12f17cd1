/** What Placement's clients expect of every answer: request ids, microversions, and the form of errors. */
import { UNDEFINED_CODE } from '../../../candidates/request/problem.ts';
import { ApiError, TITLES } from '../../../http/api-error.ts';
import type { Protocol } from '../../../http/protocol.ts';
import { requestedMinor, VERSION_HEADER, versionText } from './microversion.ts';

/** From 1.15 answers say when they were last modified; from 1.23 errors have codes. */
const CACHE_HEADERS_SINCE = 15;
const CODES_SINCE = 23;

/** The document of one error. */
function errorDocument(error: ApiError, requestId: string, minor = 0): object {
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

/** @param latestMinor what `latest` means @param mostMinor the highest that may be asked for */
export const placementProtocol = (latestMinor: number, mostMinor: number): Protocol => ({
  minorOf: (header) => requestedMinor(header(VERSION_HEADER), latestMinor, mostMinor),
  isVersioned: (header) => header(VERSION_HEADER) !== undefined,
  versionText,
  headersOf: (requestId, minor) => ({
    'x-openstack-request-id': requestId,
    ...(minor === undefined
      ? {}
      : { vary: VERSION_HEADER, [VERSION_HEADER]: `placement ${versionText(minor)}` }),
  }),
  cacheHeadersSince: CACHE_HEADERS_SINCE,
  errorDocument,
});

/** Somebody else was quicker; whoever reads again may try again. */
export const concurrentUpdate = (detail: string): ApiError =>
  new ApiError(409, detail, { code: 'placement.concurrent_update' });
