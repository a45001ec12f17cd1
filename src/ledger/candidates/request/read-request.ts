/** Reads a query for allocation candidates: pairs in, a request or all its problems out. */
import { checkGroups, checkNames, namesOf } from './check-groups.ts';
import { type GroupValues, oneValue, type Parameters, sortParameters } from './parameters.ts';
import { BAD_VALUE, type Dialect, DUPLICATE_KEY, INVALID, Reading } from './reading.ts';
import type { GroupPolicy, LabelRules, Names, QueryPair, RequestGroup, Vocabulary } from './request.ts';
import { noLabels, readAggregates, readInTree, readResources, readSuffixes, readTraits } from './values.ts';

/** What one provider, or the unsuffixed group together, has to meet. */
export function readGroup(suffix: string, values: GroupValues, reading: Reading): RequestGroup {
  const { dialect } = reading;
  const resources = new Map<string, number>();
  const labels = noLabels();
  const text = oneValue(`resources${suffix}`, values.resources, 'last', reading);
  if (text !== undefined) readResources(`resources${suffix}`, text, reading, resources);
  // Before 1.39 only the last of several `required` counts.
  const required = `required${suffix}`;
  for (const value of dialect.anyTraits ? values.required : values.required.slice(-1))
    readTraits(required, value, reading, labels);
  const memberOf = `member_of${suffix}`;
  if (!dialect.repeatedMemberOf && values.member_of.length > 1)
    reading.of(memberOf, values.member_of.join(' and '))(`Multiple ${memberOf} parameters are not supported`);
  for (const value of values.member_of) readAggregates(memberOf, value, reading, labels);
  const tree = oneValue(`in_tree${suffix}`, values.in_tree, 'last', reading);
  const inTree = tree === undefined ? undefined : readInTree(`in_tree${suffix}`, tree, reading);
  return { suffix, resources, ...labels, inTree };
}

function readLimit({ wide }: Parameters, reading: Reading): number | undefined {
  const text = oneValue('limit', wide.get('limit') ?? [], 'first', reading);
  if (text === undefined) return undefined;
  if (/^[1-9][0-9]*$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  reading.of('limit', text)(
    `${INVALID}Failed validating 'pattern': '${text}' does not match '^[1-9][0-9]*$'`,
    undefined,
    'give a whole number of at least 1, or leave limit out',
    'this is no whole number of at least 1',
  );
  return undefined;
}

function readPolicy({ wide }: Parameters, reading: Reading): GroupPolicy {
  const text = oneValue('group_policy', wide.get('group_policy') ?? [], 'first', reading);
  if (text === 'none' || text === 'isolate') return text;
  if (text !== undefined)
    reading.of('group_policy', text)(`${INVALID}'${text}' is not one of ['none', 'isolate']`);
  return 'none';
}

/** Up to 1.39 several suffixed groups need a policy. Asked last: a group too many may be the real fault. */
function checkPolicyGiven({ wide, groups }: Parameters, reading: Reading): void {
  if (reading.dialect.beyond || wide.has('group_policy')) return;
  if ([...groups.keys()].filter((suffix) => suffix !== '').length > 1)
    reading.of('group_policy')(
      'The "group_policy" parameter is required when specifying more than one "resources{N}" parameter.',
    );
}

function readRoot({ wide }: Parameters, reading: Reading): LabelRules {
  const labels = noLabels();
  const values = wide.get('root_required') ?? [];
  if (values.length > 1)
    reading.of('root_required', values.join(' and '))(
      "Query parameter 'root_required' may be specified only once.",
      DUPLICATE_KEY,
      'put all traits into one list',
    );
  const [text] = values;
  if (text !== undefined) readTraits('root_required', text, reading, labels, false);
  const conflicts = labels.required.flat().filter((trait) => labels.forbidden.includes(trait));
  if (conflicts.length > 0)
    reading.of('root_required', text)(
      `Conflicting required and forbidden traits found in root_required: ${conflicts.join(', ')}`,
      BAD_VALUE,
    );
  for (const value of wide.get('root_member_of') ?? [])
    readAggregates('root_member_of', value, reading, labels);
  return labels;
}

const readSuffixLists = (name: string, { wide }: Parameters, reading: Reading) =>
  (wide.get(name) ?? []).map((value) => readSuffixes(name, value, reading));

/** A query that is read, but for whether there are the classes and traits that it names. */
export function readRequest(pairs: readonly QueryPair[], dialect: Dialect) {
  const reading = new Reading(dialect);
  const parameters = sortParameters(pairs, reading);
  // What of a query is wrong as a whole is said first: clients look at the code of the first fault.
  const wide = {
    limit: readLimit(parameters, reading),
    groupPolicy: readPolicy(parameters, reading),
    root: readRoot(parameters, reading),
    sameSubtree: readSuffixLists('same_subtree', parameters, reading),
    isolate: [...new Set(readSuffixLists('isolate', parameters, reading).flat())],
  };
  const groups = [...parameters.groups].map(([suffix, values]) => readGroup(suffix, values, reading));
  const request = { ...wide, groups: groups.toSorted((a, b) => (a.suffix < b.suffix ? -1 : 1)) };
  if (request.isolate.length > 0 && parameters.wide.has('group_policy'))
    reading.of('isolate', request.isolate.join(','))(
      "'isolate' and 'group_policy' exclude each other",
      BAD_VALUE,
      'name the groups in isolate only',
    );
  const asStated = { ...request, groups };
  checkGroups(asStated, reading);
  // Those of a query that is not well-formed need not be looked up.
  const names: Names = reading.problems.length === 0 ? namesOf(asStated) : { classes: [], traits: [] };
  const finish = (vocabulary: Vocabulary) => {
    checkNames(names, vocabulary, reading);
    checkPolicyGiven(parameters, reading);
    return reading.problems.length > 0 ? { problems: reading.problems } : { request };
  };
  return { names, finish };
}
