/** Reads a query for allocation candidates: pairs in, a request or all its problems out. */
import { checkGroups } from './check-groups.ts';
import type { Dialect } from './dialect.ts';
import { type GroupValues, oneValue, type Parameters, sortParameters } from './parameters.ts';
import { BAD_VALUE, DUPLICATE_KEY, ProblemList, type QueryProblem } from './problem.ts';
import type { CandidateRequest, GroupPolicy, QueryPair, RequestGroup, Vocabulary } from './request.ts';
import {
  type AggregateLists,
  readAggregates,
  readInTree,
  readResources,
  readSuffixes,
  readTraits,
  type TraitLists,
} from './values.ts';

export type RequestReading =
  | { readonly request: CandidateRequest; readonly problems?: undefined }
  | { readonly request?: undefined; readonly problems: readonly QueryProblem[] };

const INVALID = 'Invalid query string parameters: ';

/** What one provider, or the unsuffixed group together, has to meet. */
export function readGroup(
  suffix: string,
  values: GroupValues,
  dialect: Dialect,
  faults: ProblemList,
): RequestGroup {
  const resources = new Map<string, number>();
  const traits: TraitLists = { required: [], forbidden: [] };
  const aggregates: AggregateLists = { memberOf: [], notMemberOf: [] };
  const text = oneValue(`resources${suffix}`, values.resources, dialect, 'last', faults);
  if (text !== undefined) readResources(text, dialect, resources, faults.of(`resources${suffix}`, text));
  // Before 1.39 only the last of several `required` counts.
  const required = `required${suffix}`;
  for (const value of dialect.anyTraits ? values.required : values.required.slice(-1))
    readTraits(required, value, dialect, traits, faults.of(required, value));
  const memberOf = `member_of${suffix}`;
  if (!dialect.repeatedMemberOf && values.member_of.length > 1)
    faults.of(memberOf, values.member_of.join(' and '))(`Multiple ${memberOf} parameters are not supported`);
  for (const value of values.member_of)
    readAggregates(memberOf, value, dialect, aggregates, faults.of(memberOf, value));
  const tree = oneValue(`in_tree${suffix}`, values.in_tree, dialect, 'last', faults);
  const inTree = tree === undefined ? undefined : readInTree(tree, faults.of(`in_tree${suffix}`, tree));
  return { suffix, resources, ...traits, ...aggregates, inTree };
}

function readLimit({ wide }: Parameters, dialect: Dialect, faults: ProblemList): number | undefined {
  const text = oneValue('limit', wide.get('limit') ?? [], dialect, 'first', faults);
  if (text === undefined) return undefined;
  if (/^[1-9][0-9]*$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  faults.of('limit', text)(
    `${INVALID}Failed validating 'pattern': '${text}' does not match '^[1-9][0-9]*$'`,
    undefined,
    'give a whole number of at least 1, or leave limit out',
  );
  return undefined;
}

function readPolicy({ wide }: Parameters, dialect: Dialect, faults: ProblemList): GroupPolicy {
  const text = oneValue('group_policy', wide.get('group_policy') ?? [], dialect, 'first', faults);
  if (text === 'none' || text === 'isolate') return text;
  if (text !== undefined)
    faults.of('group_policy', text)(`${INVALID}'${text}' is not one of ['none', 'isolate']`);
  return 'none';
}

/** Up to 1.39 several suffixed groups need a policy. Asked last: a group too many may be the real fault. */
function checkPolicyGiven({ wide, groups }: Parameters, dialect: Dialect, faults: ProblemList): void {
  if (dialect.beyond || wide.has('group_policy')) return;
  if ([...groups.keys()].filter((suffix) => suffix !== '').length > 1)
    faults.of('group_policy')(
      'The "group_policy" parameter is required when specifying more than one "resources{N}" parameter.',
    );
}

function readRootTraits({ wide }: Parameters, dialect: Dialect, faults: ProblemList) {
  const values = wide.get('root_required') ?? [];
  if (values.length > 1)
    faults.of('root_required', values.join(' and '))(
      "Query parameter 'root_required' may be specified only once.",
      DUPLICATE_KEY,
      'put all traits into one list',
    );
  const [text] = values;
  const complain = faults.of('root_required', text);
  const lists: TraitLists = { required: [], forbidden: [] };
  if (text !== undefined)
    readTraits('root_required', text, { ...dialect, anyTraits: false }, lists, complain);
  const rootRequired = lists.required.flat();
  const conflicts = rootRequired.filter((trait) => lists.forbidden.includes(trait));
  if (conflicts.length > 0)
    complain(
      `Conflicting required and forbidden traits found in root_required: ${conflicts.join(', ')}`,
      BAD_VALUE,
    );
  return { rootRequired, rootForbidden: lists.forbidden };
}

function readRootAggregates({ wide }: Parameters, dialect: Dialect, faults: ProblemList) {
  const lists: AggregateLists = { memberOf: [], notMemberOf: [] };
  for (const value of wide.get('root_member_of') ?? [])
    readAggregates('root_member_of', value, dialect, lists, faults.of('root_member_of', value));
  return { rootMemberOf: lists.memberOf, rootNotMemberOf: lists.notMemberOf };
}

const readSuffixLists = (name: string, { wide }: Parameters, faults: ProblemList): string[][] =>
  (wide.get(name) ?? []).flatMap((value) => {
    const suffixes = readSuffixes(name, value, faults.of(name, value));
    return suffixes ? [suffixes] : [];
  });

/**
 * @param pairs the query string, in order
 * @returns the request, or every problem of the query; whether classes and traits exist is asked last, of
 *   well-formed queries
 */
export function readRequest(
  pairs: readonly QueryPair[],
  dialect: Dialect,
  vocabulary: Vocabulary,
): RequestReading {
  const faults = new ProblemList();
  const parameters = sortParameters(pairs, dialect, faults);
  const groups = [...parameters.groups].map(([suffix, values]) => readGroup(suffix, values, dialect, faults));
  const isolate = readSuffixLists('isolate', parameters, faults).flat();
  const request: CandidateRequest = {
    groups: groups.toSorted((a, b) => (a.suffix < b.suffix ? -1 : 1)),
    ...readRootTraits(parameters, dialect, faults),
    ...readRootAggregates(parameters, dialect, faults),
    sameSubtree: readSuffixLists('same_subtree', parameters, faults),
    groupPolicy: readPolicy(parameters, dialect, faults),
    isolate: [...new Set(isolate)],
    limit: readLimit(parameters, dialect, faults),
  };
  if (request.isolate.length > 0 && parameters.wide.has('group_policy'))
    faults.of('isolate', request.isolate.join(','))(
      "'isolate' and 'group_policy' exclude each other",
      BAD_VALUE,
      'name the groups in isolate only',
    );
  checkGroups({ ...request, groups }, dialect, vocabulary, faults);
  checkPolicyGiven(parameters, dialect, faults);
  return faults.problems.length > 0 ? { problems: faults.problems } : { request };
}
