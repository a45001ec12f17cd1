/** Requests and answers of LUXI, as bytes and as values. Pure. */
import { BackendError } from '../../../kit/faults.ts';
import { readJson } from '../../../kit/json/json-document.ts';
import { decodeAnswer, errorText, quoteAnswer } from '../wire/answer-text.ts';

export type LuxiMethod =
  | 'Query'
  | 'QueryClusterInfo'
  | 'QueryConfigValues'
  | 'QueryJobs'
  | 'SubmitManyJobs'
  | 'WaitForJobChange';

/** Follows each message. Source: Ganeti's design of LUXI. */
export const END_OF_MESSAGE = 0x03;

export const encodeCall = (method: LuxiMethod, args: readonly unknown[]): Buffer =>
  Buffer.from(`${JSON.stringify({ method, args })}${String.fromCharCode(END_OF_MESSAGE)}`, 'utf8');

/** The cluster understood the request and says no. Nothing is wrong with the connection. */
export class LuxiRefusal extends BackendError {
  constructor(method: LuxiMethod, words: string) {
    super(
      `the cluster refuses ${method}: ${words}`,
      /drained/i.test(words) ? 'have the queue take jobs again: gnt-cluster queue undrain' : undefined,
    );
  }
}

/** The result in an answer. @throws LuxiRefusal with the cluster's words @throws BackendError for none */
export function decodeResult(method: LuxiMethod, bytes: Buffer): unknown {
  const text = decodeAnswer(bytes);
  const answer = readJson(text).value as { success?: unknown; result?: unknown } | null | undefined;
  if (
    typeof answer !== 'object' ||
    answer === null ||
    typeof answer.success !== 'boolean' ||
    !('result' in answer)
  ) {
    throw new BackendError(
      `the answer to ${method} is not one of a Ganeti master: ${quoteAnswer(text.slice(0, 100)) || 'it is empty'}`,
      'the socket belongs to another daemon',
    );
  }
  if (answer.success) return answer.result;
  throw new LuxiRefusal(method, quoteAnswer(errorText(answer.result)));
}
