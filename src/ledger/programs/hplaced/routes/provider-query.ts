/** Filters of GET /resource_providers, all met by the provider itself, like a suffixed group of a query. */
import type { Provider } from '../../../candidates/forest/provider.ts';
import { readGroup } from '../../../candidates/request/read-request.ts';
import { dialectOf, Reading } from '../../../candidates/request/reading.ts';
import type { Names, RequestGroup, Vocabulary } from '../../../candidates/request/request.ts';
import { dropStep, slotsOf } from '../../../candidates/search/slots.ts';
import { canonicalUuid, isUuid } from '../../../claims/model/names.ts';
import { idsOf } from '../../../claims/tables/names.ts';
import { badQuery, badRequest } from '../../../http/api-error.ts';
import { parameter } from '../../../http/query-string.ts';
import type { Call } from '../service/service.ts';

/** Names of the parameters, and the minor number that has them. */
const SINCE: ReadonlyMap<string, number> = new Map([
  ['name', 0],
  ['uuid', 0],
  ['member_of', 3],
  ['resources', 4],
  ['in_tree', 14],
  ['required', 18],
]);
export const PROVIDER_QUERY_NAMES = [...SINCE.keys()];

function checkNames({ query, minor }: Call): void {
  for (const [name, value] of query) {
    if ((SINCE.get(name) ?? Number.POSITIVE_INFINITY) > minor)
      throw badQuery(`Additional properties are not allowed ('${name}' was unexpected)`);
    if ((name === 'uuid' || name === 'in_tree') && !isUuid(value))
      throw badQuery(
        `'${value}' is not a 'uuid'\n\nFailed validating 'format' in schema['properties']['${name}']`,
      );
  }
}

/** Traits are understood from 1.18 on, marks in front of them and repeats as in candidate queries. */
function filterOf({ query }: Call, reading: Reading): RequestGroup {
  const all = (name: string): string[] => query.filter(([key]) => key === name).map(([, value]) => value);
  const values = {
    resources: all('resources').slice(-1),
    required: all('required'),
    member_of: all('member_of'),
    in_tree: all('in_tree').slice(-1),
  };
  return { ...readGroup('', values, reading), suffix: 'filter' };
}

/** UUIDs of the providers that match. @throws {ApiError} 400 */
export async function matchingProviders(call: Call): Promise<readonly string[]> {
  checkNames(call);
  const reading = new Reading(dialectOf(call.minor));
  const group = filterOf(call, reading);
  const [first] = reading.problems;
  if (first)
    throw badRequest(reading.problems.map(({ problem }) => problem).join('\n'), { code: first.code });
  await requireNames(call, group);
  // An empty name is none.
  const name = parameter(call, 'name') || undefined;
  const uuid = parameter(call, 'uuid');
  const forest = await call.forest.fresh();
  const [slot] = slotsOf({ groups: [group] }, forest);
  const isWanted = (provider: Provider): boolean =>
    (name === undefined || provider.name === name) &&
    (uuid === undefined || provider.uuid === canonicalUuid(uuid)) &&
    dropStep(provider, provider.root, slot!, call.stepMode) === undefined;
  const found = forest.roots.flatMap((root) => forest.treeOf(root).filter(isWanted));
  return found.map((provider) => provider.uuid);
}

/** Those of the names that there are, looked up at once. */
export async function vocabularyOf({ read }: Call, { classes, traits }: Names): Promise<Vocabulary> {
  if (classes.length + traits.length === 0) return { classes: new Set(), traits: new Set() };
  return read(async (session) => ({
    classes: await idsOf(session, 'resource_classes', classes),
    traits: await idsOf(session, 'traits', traits),
  }));
}

async function requireNames(call: Call, { resources, required, forbidden }: RequestGroup): Promise<void> {
  const classes = [...resources.keys()];
  const traits = [...required.flat(), ...forbidden];
  const known = await vocabularyOf(call, { classes, traits });
  const unknownClass = classes.find((name) => !known.classes.has(name));
  if (unknownClass !== undefined)
    throw badRequest(
      `Invalid resource class in resources parameter: No such resource class ${unknownClass}.`,
    );
  const unknown = [...new Set(traits.filter((name) => !known.traits.has(name)))].sort();
  if (unknown.length > 0)
    throw badRequest(`Invalid trait(s) in "required" parameter: No such trait(s): ${unknown.join(', ')}.`);
}
