/**
 * GET /allocation_candidates, and why there are none. The JSON is written by hand, in pieces: of tens of
 * megabytes, in which a hundred thousand candidates share a few thousand providers, each part is made once.
 */

import type { Forest } from '../../../candidates/forest/forest.ts';
import type { Provider, Room } from '../../../candidates/forest/provider.ts';
import { explainNone } from '../../../candidates/misses/explain.ts';
import { readRequest } from '../../../candidates/request/read-request.ts';
import { type Dialect, dialectOf, FULL_DIALECT } from '../../../candidates/request/reading.ts';
import type { CandidateRequest } from '../../../candidates/request/request.ts';
import { SearchTooWide } from '../../../candidates/search/anchor-walk.ts';
import { findCandidates } from '../../../candidates/search/find-candidates.ts';
import { allocationsOf, type Candidate, mappingsOf, type Slot } from '../../../candidates/search/slots.ts';
import { badRequest } from '../../../http/api-error.ts';
import { type Reply, TakesLonger } from '../../../http/route.ts';
import { type Call, operation, type Routes, type Service } from '../service/service.ts';
import { vocabularyOf } from './providers.ts';

const quote = (text: string): string => JSON.stringify(text);

/** Summaries with all classes, kept while the provider's inventories, traits and place are the same. */
const kept = new WeakMap<
  Provider,
  { readonly rooms: unknown; readonly traits: unknown; readonly path: unknown; readonly text: string }
>();

const classText = ([name, { capacity, used }]: readonly [string, Room]): string =>
  `${quote(name)}:{"capacity":${capacity},"used":${used}}`;

/** @param classes undefined for all */
function summaryText(provider: Provider, classes: ReadonlySet<string> | undefined, minor: number): string {
  const rooms = [...provider.rooms].filter(([name]) => !classes || classes.has(name));
  const traits = minor >= 17 ? `,"traits":${JSON.stringify([...provider.traits])}` : '';
  const place =
    minor >= 29
      ? `,"parent_provider_uuid":${provider.parent ? quote(provider.parent.uuid) : 'null'},"root_provider_uuid":${quote(provider.root.uuid)}`
      : '';
  return `${quote(provider.uuid)}:{"resources":{${rooms.map(classText).join()}}${traits}${place}}`;
}

function keptSummary(provider: Provider, minor: number): string {
  const { rooms, traits, path } = provider;
  const before = kept.get(provider);
  if (before && before.rooms === rooms && before.traits === traits && before.path === path)
    return before.text;
  const text = summaryText(provider, undefined, minor);
  kept.set(provider, { rooms, traits, path, text });
  return text;
}

/** Providers with summaries in the answer: whole trees, or for clients without trees only themselves. */
function summarized(
  forest: Forest,
  slots: readonly Slot[],
  found: readonly Candidate[],
  isNested: boolean,
): Set<Provider> {
  const taken = new Set<Provider>();
  for (const { providers } of found)
    for (let k = 0; k < slots.length; k++) if (slots[k]!.amounts.length > 0) taken.add(providers[k]!);
  if (!isNested) return taken;
  const all = new Set<Provider>();
  for (const root of new Set([...taken].map((provider) => provider.root)))
    for (const member of forest.treeOf(root)) all.add(member);
  return all;
}

function resourcesText(taken: ReadonlyMap<string, number>): string {
  let text = '';
  for (const [name, amount] of taken) text += `${text === '' ? '' : ','}${quote(name)}:${amount}`;
  return `"resources":{${text}}`;
}

function candidateText(candidate: Candidate, slots: readonly Slot[], minor: number): string {
  const allocations = [...allocationsOf(candidate, slots)];
  if (minor < 12) {
    const items = allocations.map(
      ([{ uuid }, taken]) => `{"resource_provider":{"uuid":${quote(uuid)}},${resourcesText(taken)}}`,
    );
    return `{"allocations":[${items.join()}]}`;
  }
  const items = allocations.map(([{ uuid }, taken]) => `${quote(uuid)}:{${resourcesText(taken)}}`);
  if (minor < 34) return `{"allocations":{${items.join()}}}`;
  const mappings = [...mappingsOf(candidate, slots)].map(
    ([suffix, providers]) => `${quote(suffix)}:[${providers.map(({ uuid }) => quote(uuid)).join()}]`,
  );
  return `{"allocations":{${items.join()}},"mappings":{${mappings.join()}}}`;
}

function* candidatesJson(
  forest: Forest,
  { groups }: CandidateRequest,
  slots: readonly Slot[],
  found: readonly Candidate[],
  { minor, nested }: Dialect,
): Generator<string> {
  const requested =
    minor >= 27 ? undefined : new Set(groups.flatMap(({ resources }) => [...resources.keys()]));
  let comma = '';
  yield '{"allocation_requests":[';
  for (const candidate of found) {
    yield comma + candidateText(candidate, slots, minor);
    comma = ',';
  }
  yield '],"provider_summaries":{';
  comma = '';
  for (const provider of summarized(forest, slots, found, nested)) {
    yield comma + (minor >= 29 ? keptSummary(provider, minor) : summaryText(provider, requested, minor));
    comma = ',';
  }
  yield '}}';
}

const SINCE = 10;
const CANDIDATE_QUERY = [
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
async function readCandidateRequest(call: Call, dialect: Dialect): Promise<CandidateRequest> {
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

async function explain(call: Call): Promise<Reply> {
  const dialect = call.mostMinor > call.latestMinor ? FULL_DIALECT : dialectOf(call.latestMinor);
  const wanted = await readCandidateRequest(call, dialect);
  const forest = await call.forest.fresh();
  return { body: explainNone(forest, wanted, { stepMode: call.stepMode }) };
}

/** Those of a newer interface than that of the reference have two parameters more. */
export const candidateRoutes = ({ latestMinor, mostMinor }: Service): Routes => ({
  '/allocation_candidates': {
    GET: operation('listCandidates', 'Sets of providers that satisfy a request', list, {
      since: SINCE,
      queryNames: [...CANDIDATE_QUERY, ...(mostMinor > latestMinor ? ['root_member_of', 'isolate'] : [])],
    }),
  },
  '/hplaced/explain': {
    GET: operation(
      'explainCandidates',
      'Why a candidate query has no answer, and what would bring one',
      explain,
      { isLong: true, queryNames: CANDIDATE_QUERY.filter((name) => name !== 'limit') },
    ),
  },
});
