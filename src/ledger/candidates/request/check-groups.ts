/** What must hold between the groups of a query: resources somewhere, known suffixes, no contradictions. */
import { BAD_VALUE, INVALID, MISSING_VALUE, type Reading } from './reading.ts';
import type { CandidateRequest, Names, RequestGroup, Vocabulary } from './request.ts';

const isResourceless = (group: RequestGroup): boolean => group.resources.size === 0;

/** Since 1.36 a group may only name a place, when some same_subtree uses it. */
function checkResourceless({ groups, sameSubtree }: CandidateRequest, reading: Reading): void {
  const empty = groups.filter(isResourceless).map(({ suffix }) => suffix);
  if (empty.length === groups.length) {
    reading.of('resources')(
      'There must be at least one resources or resources[$S] parameter.',
      MISSING_VALUE,
      'ask for some resource, as in resources=VCPU:1',
    );
    return;
  }
  const named = new Set(sameSubtree.flat());
  const bad = empty.filter((suffix) => !named.has(suffix));
  if (bad.length > 0)
    reading.of('same_subtree')(
      `Resourceless suffixed group request should be specified in \`same_subtree\` query param: bad group(s) - ${bad.map((suffix) => `'${suffix}'`).join(', ')}.`,
      BAD_VALUE,
      `give the group resources, or name its suffix in same_subtree`,
    );
}

/** Before 1.36 every group has resources. */
function checkOrphans(groups: readonly RequestGroup[], reading: Reading): void {
  const orphans = (kind: string, has: (group: RequestGroup) => boolean): string =>
    groups
      .filter((group) => isResourceless(group) && has(group))
      .map(({ suffix }) => `${kind}${suffix}`)
      .join(', ');
  const traits = orphans('required', ({ required }) => required.length > 0);
  const aggregates = orphans(
    'member_of',
    (group) => group.memberOf.length > 0 || group.notMemberOf.length > 0,
  );
  if (!reading.dialect.groups && groups.length === 0)
    reading.of('resources')(`${INVALID}'resources' is a required property`);
  else if (traits !== '')
    reading.of('required')(
      `All traits parameters must be associated with resources.  Found the following orphaned traits keys: ${traits}`,
    );
  else if (aggregates !== '')
    reading.of('member_of')(
      `All member_of parameters must be associated with resources. Found the following orphaned member_of keys: ${aggregates}`,
    );
  else if (groups.some(isResourceless)) reading.of('resources')('All request groups must specify resources.');
  else if (groups.length === 0)
    reading.of('resources')('At least one request group (`resources` or `resources{$S}`) is required.');
}

function checkSuffixes(
  parameter: string,
  lists: readonly (readonly string[])[],
  groups: readonly RequestGroup[],
  reading: Reading,
): void {
  const known = groups.map(({ suffix }) => suffix);
  const bad = [...new Set(lists.flat())].filter((suffix) => !known.includes(suffix));
  if (bad.length === 0) return;
  const quoted = (suffixes: readonly string[]): string =>
    `[${suffixes.map((suffix) => `'${suffix}'`).join(', ')}]`;
  reading.of(parameter, bad.join(','))(
    `Real suffixes should be specified in \`${parameter}\`: ${quoted(bad)} not found in ${quoted(known)}.`,
    BAD_VALUE,
    'a leading underscore belongs to the suffix',
  );
}

function checkConflicts(groups: readonly RequestGroup[], reading: Reading): void {
  const conflicts = groups.flatMap(({ suffix, required, forbidden }) =>
    required
      .filter((anyOf) => anyOf.every((trait) => forbidden.includes(trait)))
      .map((anyOf) => `required${suffix}: (${anyOf.toSorted().join(', ')})`),
  );
  if (conflicts.length > 0)
    reading.of('required')(
      `Conflicting required and forbidden traits found in the following traits keys: ${conflicts.toSorted().join(', ')}`,
    );
}

export const namesOf = ({ groups, root }: CandidateRequest): Names => ({
  classes: [...new Set(groups.flatMap(({ resources }) => [...resources.keys()]))],
  traits: [...new Set([root, ...groups].flatMap((one) => [...one.required.flat(), ...one.forbidden]))],
});

export function checkNames({ classes, traits }: Names, vocabulary: Vocabulary, reading: Reading): void {
  for (const name of classes)
    if (!vocabulary.classes.has(name))
      reading.of(
        'resources',
        name,
      )(`Invalid resource class in resources parameter: No such resource class ${name}.`);
  const unknown = traits.filter((name) => !vocabulary.traits.has(name)).toSorted();
  if (unknown.length > 0)
    reading.of('required', unknown.join(','))(`No such trait(s): ${unknown.join(', ')}.`);
}

export function checkGroups(request: CandidateRequest, reading: Reading): void {
  const { dialect } = reading;
  if (reading.problems.length > 0) return;
  if (dialect.sameSubtree) {
    checkResourceless(request, reading);
    checkSuffixes('same_subtree', request.sameSubtree, request.groups, reading);
  } else checkOrphans(request.groups, reading);
  checkSuffixes('isolate', [request.isolate], request.groups, reading);
  if (dialect.forbiddenTraits) checkConflicts(request.groups, reading);
}
