/** What goes wrong below the routes, and what others were quicker with, as answers. */
import { BackendError, ExecutionError, InputError } from '../../../../kit/faults.ts';
import type { ClaimConflict } from '../../../claims/model/refusal.ts';
import { ApiError, badRequest, retryAfter } from '../../../http/api-error.ts';
import { UnstorableText } from '../../../store/storable.ts';
import { OutcomeUnknown, StoreConflict } from '../../../store/store.ts';

/** Somebody else was quicker; whoever reads again may try again. */
export const concurrentUpdate = (detail: string): ApiError =>
  new ApiError(409, detail, { code: 'placement.concurrent_update' });

/** Of a provider that has moved on, or is gone, since the request was read. */
export const PROVIDER_MOVED_ON =
  'Another thread concurrently updated the resource provider data. Please retry your update';
const WHAT_ANOTHER_DID = 'Another thread concurrently updated the data. Please retry your update';

export function conflictAnswer(conflict: ClaimConflict, what: string): ApiError {
  switch (conflict.kind) {
    case 'consumer-generation':
      return concurrentUpdate(
        `consumer generation conflict - expected ${conflict.found} but got ${conflict.expected ?? 'None'}`,
      );
    case 'provider-generation':
      return concurrentUpdate(`${what}: ${PROVIDER_MOVED_ON}`);
    case 'busy':
      return concurrentUpdate(`${what}: ${WHAT_ANOTHER_DID}`);
  }
}

/** The one answer of a 503 after which the change may have been made: to try again might do it twice. */
export const OUTCOME_UNKNOWN_ANSWER = new ApiError(
  503,
  'Whether the change was made is not known: the ledger was lost at the last moment. Look before you repeat the request.',
  { code: 'hplaced.outcome_unknown' },
);

/** @returns undefined for what can only be our own mistake */
export function asApiError(error: unknown): ApiError | undefined {
  if (error instanceof StoreConflict) return concurrentUpdate(`update conflict: ${WHAT_ANOTHER_DID}`);
  if (error instanceof UnstorableText)
    return badRequest(`${error.problems[0]!.value}: ${error.problems[0]!.problem}`);
  if (error instanceof OutcomeUnknown) return OUTCOME_UNKNOWN_ANSWER;
  // The store is full, read-only, locked or gone: the client may try again, the operator has to look.
  if (error instanceof BackendError || error instanceof ExecutionError || error instanceof InputError)
    return new ApiError(503, 'The ledger cannot be used at the moment.', retryAfter(5));
  return undefined;
}
