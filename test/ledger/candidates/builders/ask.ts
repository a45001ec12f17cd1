/** Asks a model a query, as a test would say it. */
import { Forest } from '../../../../src/ledger/candidates/forest/forest.ts';
import type { ProviderRecord } from '../../../../src/ledger/candidates/forest/provider.ts';
import { readRequest } from '../../../../src/ledger/candidates/request/read-request.ts';
import { type Dialect, FULL_DIALECT } from '../../../../src/ledger/candidates/request/reading.ts';
import {
  findCandidates,
  type SearchOptions,
} from '../../../../src/ledger/candidates/search/find-candidates.ts';
import { parseQueryString } from '../../../../src/ledger/http/query-string.ts';
import { answerTexts } from './answer-text.ts';

export const ANY_NAME = { classes: { has: () => true }, traits: { has: () => true } };

export const readQuery = (query: string, dialect: Dialect = FULL_DIALECT) =>
  readRequest(parseQueryString(query).pairs, dialect).finish(ANY_NAME);

/** Texts of the candidates (see answer-text.ts) in the order of the answer. */
export function ask(
  records: readonly ProviderRecord[],
  query: string,
  options: SearchOptions = {},
): string[] {
  const { request, problems } = readQuery(query);
  if (!request) throw new Error(problems!.map(({ problem }) => problem).join('; '));
  return answerTexts(findCandidates(new Forest(records), request, options), options.distinct);
}
