/** An answer that says no: status, sentence, code for programs. Thrown by handlers, told by the protocol. */
import { STATUS_CODES } from 'node:http';

/** Titles as the public interface spells them. */
export const TITLES: Readonly<Record<number, string | undefined>> = {
  ...STATUS_CODES,
  413: 'Request Entity Too Large',
  414: 'Request-URI Too Long',
};

export interface MoreOfError {
  readonly code?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members of the document. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export class ApiError extends Error {
  constructor(
    readonly status: number,
    detail: string,
    readonly more: MoreOfError = {},
  ) {
    super(detail);
  }
}

export const badRequest = (detail: string, more?: MoreOfError): ApiError => new ApiError(400, detail, more);
/** In the words of the public interface. */
export const badQuery = (why: string): ApiError => badRequest(`Invalid query string parameters: ${why}`);
export const badBody = (why: string): ApiError => badRequest(`JSON does not validate: ${why}`);

/** Whoever asks again after so many seconds may be served. */
export const retryAfter = (seconds: number): MoreOfError => ({ headers: { 'retry-after': `${seconds}` } });

export const NOT_FOUND_DETAIL = 'The resource could not be found.';
export const noMethodDetail = (method: string): string =>
  `The method ${method} is not allowed for this resource.`;
