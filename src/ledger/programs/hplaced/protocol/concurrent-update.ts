/** Errors that several routes have. */
import { ApiError } from '../../../http/api-error.ts';

/** Somebody else was quicker; whoever reads again may try again. */
export const concurrentUpdate = (detail: string): ApiError =>
  new ApiError(409, detail, { code: 'placement.concurrent_update' });
