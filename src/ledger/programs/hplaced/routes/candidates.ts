/** GET /allocation_candidates. */
import { readRequest } from '../../../candidates/request/read-request.ts';
import { type Dialect, dialectOf } from '../../../candidates/request/reading.ts';
import type { CandidateRequest } from '../../../candidates/request/request.ts';
import { SearchTooWide } from '../../../candidates/search/anchor-walk.ts';
import { findCandidates } from '../../../candidates/search/find-candidates.ts';
import type { Candidate } from '../../../candidates/search/slots.ts';
import { badRequest } from '../../../http/api-error.ts';
import { type Reply, TakesLonger } from '../../../http/route.ts';
import { type Call, operation, type Routes, type Service } from '../service/service.ts';
import { candidatesJson } from './candidates-json.ts';
import { vocabularyOf } from './provider-query.ts';

const SINCE = 10;
export const CANDIDATE_QUERY = [
  'resources',
  'required',
  'member_of',
  'in_tree',
  'same_subtree',
  'root_required',
  'group_policy',
  'limit',
];

/** Of more, others would have to wait longer than a few hundredths of a second. */
const QUICK_CANDIDATES = 2000;
const QUICK_TRIALS = 200_000;

/** @throws {ApiError} 400 with everything that is wrong */
export async function readCandidateRequest(call: Call, dialect: Dialect): Promise<CandidateRequest> {
  const { names, finish } = readRequest(call.query, dialect);
  const { request, problems } = finish(await vocabularyOf(call, names));
  if (request) return request;
  throw badRequest(problems.map(({ problem }) => problem).join('\n'), { code: problems[0]!.code });
}

const adviceOf = ({ limit }: CandidateRequest, { mostCandidates }: Service): string =>
  limit !== undefined && limit <= mostCandidates
    ? 'Ask for more exact groups.'
    : 'A limit is needed, as in limit=100.';

async function list(call: Call): Promise<Reply> {
  const { isQuick, mostCandidates } = call;
  const dialect = dialectOf(call.minor);
  const wanted = await readCandidateRequest(call, dialect);
  const forest = await call.forest.fresh();
  // From here on nothing is awaited: the forest stays as it is until the answer is written.
  const { slots, candidates } = findCandidates(forest, wanted, {
    stepMode: call.stepMode,
    isNested: dialect.nested,
    mostCandidates: isQuick ? Math.min(QUICK_CANDIDATES, mostCandidates) : mostCandidates,
    ...(isQuick ? { work: { trialsLeft: QUICK_TRIALS } } : {}),
  });
  const found: Candidate[] = [];
  try {
    for (const candidate of candidates) found.push(candidate);
  } catch (error) {
    if (!(error instanceof SearchTooWide)) throw error;
    if (isQuick) throw new TakesLonger();
    throw badRequest(`Too many candidates: ${error.message}. ${adviceOf(wanted, call)}`, {
      code: 'placement.query.bad_value',
    });
  }
  const text = candidatesJson(forest, wanted, slots, found, dialect);
  return { text, contentType: 'application/json', lastModified: call.ledger.now() };
}

/** Those of a newer interface than that of the reference have two parameters more. */
export const candidateRoutes = ({ latestMinor, mostMinor }: Service): Routes => ({
  '/allocation_candidates': {
    GET: operation('listCandidates', 'Sets of providers that satisfy a request', list, {
      since: SINCE,
      queryNames: [...CANDIDATE_QUERY, ...(mostMinor > latestMinor ? ['root_member_of', 'isolate'] : [])],
    }),
  },
});
