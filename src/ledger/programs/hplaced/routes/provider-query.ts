/** Filters of GET /resource_providers, all met by the provider itself, like a suffixed group of a query. */
import type { Provider } from '../../../candidates/forest/provider.ts';
import { readGroup } from '../../../candidates/request/read-request.ts';
import { dialectOf, Reading } from '../../../candidates/request/reading.ts';
import type { Names, RequestGroup, Vocabulary } from '../../../candidates/request/request.ts';
import { dropStep, slotsOf } from '../../../candidates/search/slots.ts';
import { canonicalUuid } from '../../../claims/model/names.ts';
import { idsOf } from '../../../claims/tables/names.ts';
import { badRequest } from '../../../http/api-error.ts';
import { type JsonSchema, readQuery } from '../../../http/json-check.ts';
import { record, TEXT, UUID } from '../protocol/forms.ts';
import type { Call } from '../service/service.ts';

/** The parameters, and the minor number that has them. */
const PARAMETERS = [
  ['name', 0, TEXT],
  ['uuid', 0, UUID],
  ['member_of', 3, TEXT],
  ['resources', 4, TEXT],
  ['in_tree', 14, UUID],
  ['required', 18, TEXT],
] as const;
export const PROVIDER_QUERY_NAMES = PARAMETERS.map(([name]) => name);

/** With the first of them, the first two, and so on. */
const FORMS = PARAMETERS.map((_, last): JsonSchema<{ readonly name?: string; readonly uuid?: string }> => {
  const known = PARAMETERS.slice(0, last + 1).map(([name, , form]) => [name, form]);
  return record(Object.fromEntries(known));
});

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
  const query = readQuery(call, FORMS[PARAMETERS.findLastIndex(([, since]) => since <= call.minor)]!);
  const reading = new Reading(dialectOf(call.minor));
  const group = filterOf(call, reading);
  const [first] = reading.problems;
  if (first)
    throw badRequest(reading.problems.map(({ problem }) => problem).join('\n'), { code: first.code });
  await requireNames(call, group);
  // An empty name is none.
  const name = query.name || undefined;
  const uuid = query.uuid && canonicalUuid(query.uuid);
  const forest = await call.forest.fresh();
  const [slot] = slotsOf({ groups: [group] }, forest);
  const isWanted = (provider: Provider): boolean =>
    (name === undefined || provider.name === name) &&
    (uuid === undefined || provider.uuid === uuid) &&
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
