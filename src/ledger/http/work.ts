/** A request answered where its work is done; the answer as bytes that go to another thread. */
import { JSON_TYPE } from './accept.ts';
import { ApiError, badRequest, type MoreOfError } from './api-error.ts';
import { type Operation, type Reply, type Request, TakesLonger } from './route.ts';

export type Answer =
  | {
      readonly kind: 'reply';
      readonly reply: Omit<Reply, 'body' | 'text'> & { readonly status: number };
      readonly body: readonly Uint8Array[] | undefined;
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'takes-longer' };

export interface Refusal {
  readonly status: number;
  readonly detail: string;
  readonly more: MoreOfError;
  /** Of what went wrong on our side: for the log. */
  readonly trace: string | undefined;
}

export interface WorkRules {
  /** Faults of stores and the like as answers; undefined: our own mistake. */
  readonly asApiError: (error: unknown) => ApiError | undefined;
  /** Bytes that an answer may have. */
  readonly mostAnswer: number;
}

/** Pieces are gathered to about so many bytes, which is what a connection takes at once. */
const CHUNK = 64 * 1024;

function bytesOf(pieces: Iterable<string>, most: number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let gathered = '';
  const flush = (): void => {
    const chunk = Buffer.from(gathered);
    gathered = '';
    size += chunk.length;
    if (size > most)
      throw badRequest(`The answer would have more than ${most} bytes. Ask for less, as with limit=100.`, {
        code: 'hplaced.answer_too_large',
      });
    chunks.push(chunk);
  };
  for (const piece of pieces) {
    gathered += piece;
    if (gathered.length >= CHUNK) flush();
  }
  if (gathered !== '' || chunks.length === 0) flush();
  return chunks;
}

export const refusalOf = (thrown: unknown, asApiError?: WorkRules['asApiError']): Refusal => {
  const known = thrown instanceof ApiError ? thrown : asApiError?.(thrown);
  const {
    status,
    message: detail,
    more,
  } = known ?? new ApiError(500, 'The server made a mistake; its log has details under the request id.');
  if (thrown instanceof ApiError || status < 500) return { status, detail, more, trace: undefined };
  // Where the ledger is away, each request says so: only our own mistakes are looked for in our code.
  return { status, detail, more, trace: String((known ? undefined : (thrown as Error)?.stack) ?? thrown) };
};

/** Does what a request asks for. Never throws. */
export async function answerOf(operation: Operation, request: Request, rules: WorkRules): Promise<Answer> {
  try {
    const { body, text, status = 200, ...rest } = await operation.handle(request);
    const reply = { status, ...rest };
    if (text !== undefined) return { kind: 'reply', reply, body: bytesOf(text, rules.mostAnswer) };
    if (body === undefined) return { kind: 'reply', reply, body };
    const json = bytesOf([JSON.stringify(body)], rules.mostAnswer);
    return { kind: 'reply', reply: { contentType: JSON_TYPE, ...reply }, body: json };
  } catch (thrown) {
    if (thrown instanceof TakesLonger) return { kind: 'takes-longer' };
    return { kind: 'refused', refusal: refusalOf(thrown, rules.asApiError) };
  }
}
