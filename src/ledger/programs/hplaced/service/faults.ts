/** What goes wrong below the routes, as answers. */
import { BackendError, ExecutionError, InputError } from '../../../../kit/faults.ts';
import { ApiError } from '../../../http/api-error.ts';
import { StoreConflict } from '../../../store/store.ts';
import { CONCURRENT_UPDATE } from '../protocol/error-codes.ts';

/** @returns undefined for what can only be our own mistake */
export function asApiError(error: unknown): ApiError | undefined {
  if (error instanceof StoreConflict)
    return new ApiError(
      409,
      'update conflict: Another thread concurrently updated the data. Please retry your update',
      CONCURRENT_UPDATE,
    );
  // The store is full, read-only, locked or gone: the client may try again, the operator has to look.
  if (error instanceof BackendError || error instanceof ExecutionError || error instanceof InputError)
    return new ApiError(503, 'The ledger cannot be used at the moment.', undefined, {
      headers: { 'retry-after': '5' },
    });
  return undefined;
}
