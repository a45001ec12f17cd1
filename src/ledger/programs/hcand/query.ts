/** The command line's query: one query string, parameters as arguments, options that are parameters too. */
import { InputError, UsageError } from '../../../kit/faults.ts';
import { FULL_DIALECT } from '../../candidates/request/dialect.ts';
import { readRequest } from '../../candidates/request/read-request.ts';
import type { CandidateRequest, QueryPair, Vocabulary } from '../../candidates/request/request.ts';
import { parseQueryString } from '../../http/query-string.ts';
import type { Options } from './sources.ts';

/** @throws {UsageError} for arguments that are no parameters, {InputError} for what cannot be decoded */
export function queryPairs(options: Options, words: readonly string[]): readonly QueryPair[] {
  const { pairs, unreadable } = parseQueryString(options.query ?? '');
  if (unreadable.length > 0)
    throw new InputError(
      '--query',
      unreadable.map((part) => ({
        value: part,
        problem: 'cannot be decoded',
        remedy: 'write a percent sign as %25',
      })),
    );
  const more = words.map((word): QueryPair => {
    const mark = word.indexOf('=');
    if (mark < 1)
      throw new UsageError(
        `'${word}' is not a parameter`,
        'write parameters as in resources=VCPU:2,MEMORY_MB:512',
      );
    return [word.slice(0, mark), word.slice(mark + 1)];
  });
  const all = [...pairs, ...more];
  if (all.length === 0)
    throw new UsageError('there is no query', "ask for example: hcand --db FILE 'resources=VCPU:2'");
  return all;
}

/** @throws {InputError} with everything that is wrong with the query */
export function requestOf(pairs: readonly QueryPair[], vocabulary: Vocabulary): CandidateRequest {
  const { request, problems } = readRequest(pairs, FULL_DIALECT).finish(vocabulary);
  if (request) return request;
  throw new InputError(
    'query',
    problems.map(({ parameter, value, problem, remedy }) => ({ field: parameter, value, problem, remedy })),
  );
}
