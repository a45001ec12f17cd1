/** What goes wrong below the routes, as answers. */
import { BackendError, ExecutionError, InputError } from '../../../../kit/faults.ts';
import { ApiError, retryAfter } from '../../../http/api-error.ts';
import { isUnstorable } from '../../../store/storable.ts';
import { isOutcomeUnknown, StoreConflict } from '../../../store/store.ts';
import { concurrentUpdate } from '../protocol/placement.ts';

/** The one answer of a 503 after which the change may have been made: to try again might do it twice. */
export const OUTCOME_UNKNOWN_ANSWER = new ApiError(
  503,
  'Whether the change was made is not known: the ledger was lost at the last moment. Look before you repeat the request.',
  { code: 'hplaced.outcome_unknown' },
);

/** @returns undefined for what can only be our own mistake */
export function asApiError(error: unknown): ApiError | undefined {
  if (error instanceof StoreConflict)
    return concurrentUpdate(
      'update conflict: Another thread concurrently updated the data. Please retry your update',
    );
  if (isUnstorable(error))
    return new ApiError(400, `${error.problems[0]!.value}: ${error.problems[0]!.problem}`);
  if (isOutcomeUnknown(error)) return OUTCOME_UNKNOWN_ANSWER;
  // The store is full, read-only, locked or gone: the client may try again, the operator has to look.
  if (error instanceof BackendError || error instanceof ExecutionError || error instanceof InputError)
    return new ApiError(503, 'The ledger cannot be used at the moment.', retryAfter(5));
  return undefined;
}
