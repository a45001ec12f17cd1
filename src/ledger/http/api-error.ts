/**
 * An answer that says no: status, a sentence, a code for programs. Thrown by handlers, turned into a document
 * by the server.
 */

/** Titles as the public interface spells them. */
export const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Request Entity Too Large',
  414: 'Request-URI Too Long',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

const DEFAULT_CODE = 'placement.undefined_code';
export const CONCURRENT_UPDATE = 'placement.concurrent_update';

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Further members of the document. */
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    detail: string,
    code: string = DEFAULT_CODE,
    more: { readonly headers?: Record<string, string>; readonly extra?: Record<string, unknown> } = {},
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.headers = more.headers ?? {};
    this.extra = more.extra ?? {};
  }
}

export const NOT_FOUND_DETAIL = 'The resource could not be found.';

/** The document of one error. `code` is shown from microversion 1.23 on. */
export function errorDocument(error: ApiError, requestId: string, showsCode: boolean): object {
  return {
    errors: [
      {
        status: error.status,
        title: TITLES[error.status] ?? 'Error',
        detail: error.message,
        ...(showsCode ? { code: error.code } : {}),
        request_id: requestId,
        ...error.extra,
      },
    ],
  };
}
