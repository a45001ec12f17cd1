/** /resource_providers and one of them. */
import { randomUUID } from 'node:crypto';
import type { Provider } from '../../../candidates/forest/provider.ts';
import { readGroup } from '../../../candidates/request/read-request.ts';
import { dialectOf, Reading } from '../../../candidates/request/reading.ts';
import type { Names, RequestGroup, Vocabulary } from '../../../candidates/request/request.ts';
import { dropStep, slotsOf } from '../../../candidates/search/slots.ts';
import { changeProvider, createProvider, removeProvider } from '../../../claims/changes/provider-changes.ts';
import type { ProviderRefusal } from '../../../claims/changes/provider-write.ts';
import { canonicalUuid } from '../../../claims/model/names.ts';
import { idsOf } from '../../../claims/tables/names.ts';
import { providerByUuid, providersOf, type StoredProvider } from '../../../claims/tables/providers.ts';
import { ApiError, badRequest } from '../../../http/api-error.ts';
import { type JsonSchema, readQuery } from '../../../http/json-check.ts';
import { type Reply, TakesLonger } from '../../../http/route.ts';
import { NAME, record, TEXT, UUID } from '../protocol/forms.ts';
import {
  type Call,
  type CallWith,
  changeBy,
  lookedAt,
  made,
  modifiedOf,
  noProvider,
  operation,
  providerOf,
  type Routes,
  requireProvider,
} from '../service/service.ts';

/** The parameters, and the minor number that has them. */
const PARAMETERS = [
  ['name', 0, TEXT],
  ['uuid', 0, UUID],
  ['member_of', 3, TEXT],
  ['resources', 4, TEXT],
  ['in_tree', 14, UUID],
  ['required', 18, TEXT],
] as const;
const PROVIDER_QUERY_NAMES = PARAMETERS.map(([name]) => name);

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
async function matchingProviders(call: Call): Promise<readonly string[]> {
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

const PROVIDER_NAME: JsonSchema<string> = { ...NAME, maxLength: 200 };
const PARENT: JsonSchema<string | null> = { type: ['string', 'null'], format: 'uuid' };

const parentFrom14 = (minor: number): { parent_provider_uuid?: typeof PARENT } =>
  minor >= 14 ? { parent_provider_uuid: PARENT } : {};
const postProvider = (minor: number) =>
  record({ name: PROVIDER_NAME, uuid: UUID, ...parentFrom14(minor) }, ['name']);
const putProvider = (minor: number) => record({ name: PROVIDER_NAME, ...parentFrom14(minor) }, ['name']);

const DUPLICATE_NAME = { code: 'placement.duplicate_name' };

/** Of more, others would have to wait. */
const QUICK_PROVIDERS = 1000;

/** Links, and the minor number that has them. */
const LINKS = [
  ['inventories', 0],
  ['usages', 0],
  ['aggregates', 1],
  ['traits', 6],
  ['allocations', 11],
] as const;

export const providerUrl = (uuid: string): string => `/resource_providers/${uuid}`;

function serialize({ uuid, name, generation, parent, root }: StoredProvider, minor: number): object {
  const href = providerUrl(uuid);
  const links = LINKS.filter(([, since]) => minor >= since).map(([rel]) => ({ rel, href: `${href}/${rel}` }));
  return {
    uuid,
    name,
    generation,
    links: [{ rel: 'self', href }, ...links],
    ...(minor >= 14 ? { parent_provider_uuid: parent, root_provider_uuid: root } : {}),
  };
}

const replyWith = (view: StoredProvider, minor: number): Reply => ({
  body: serialize(view, minor),
  lastModified: view.updatedAt,
});

function parentFault(refusals: readonly ProviderRefusal[], uuid: string): string | undefined {
  if (refusals.some(({ kind }) => kind === 'unknown-parent')) return 'parent provider UUID does not exist.';
  const circle = refusals.find((refusal) => refusal.kind === 'circle');
  const same = circle?.parent === uuid ? 'parent provider UUID cannot be same as UUID. ' : '';
  return circle && `${same}creating loop in the provider tree is not allowed.`;
}

const takenNames = (refusals: readonly ProviderRefusal[]): string =>
  refusals
    .flatMap((refusal) => {
      if (refusal.kind === 'uuid-taken') return [`uuid: ${refusal.uuid}`];
      return refusal.kind === 'name-taken' ? [`name: ${refusal.name}`] : [];
    })
    .join(', ');

async function list(call: Call): Promise<Reply> {
  const uuids = await matchingProviders(call);
  if (call.isQuick && uuids.length > QUICK_PROVIDERS) throw new TakesLonger();
  const views = await call.read((session) => providersOf(session, uuids));
  return {
    body: { resource_providers: views.map((view) => serialize(view, call.minor)) },
    lastModified: modifiedOf(views, call),
  };
}

async function create(call: CallWith<typeof postProvider>): Promise<Reply> {
  const { name, uuid: given, parent_provider_uuid: above } = call.json();
  const uuid = given ? canonicalUuid(given) : randomUUID();
  const taken = (what: string): ApiError =>
    new ApiError(409, `Conflicting resource provider ${what} already exists.`, DUPLICATE_NAME);
  const cannot = (why: string): ApiError =>
    badRequest(
      `Unable to create resource provider "${name}", ${uuid}: Object action create failed because: ${why}`,
    );
  const parent = above ? canonicalUuid(above) : null;
  if (parent === uuid)
    throw cannot(
      'parent provider UUID cannot be same as UUID. Please set parent provider UUID to None if there is no parent.',
    );
  const change = lookedAt(createProvider, (session) => requireProvider(session, uuid));
  const view = await made(changeBy(call, change, { uuid, name, parent, canHost: true }), {
    conflict: 'update conflict',
    refused: (refusals) => {
      const why = parentFault(refusals, uuid);
      return why === undefined ? taken(takenNames(refusals)) : cannot(why);
    },
  });
  const location = providerUrl(uuid);
  if (call.minor < 20) return { status: 201, location };
  return { location, ...replyWith(view, call.minor) };
}

const show = async (call: Call): Promise<Reply> => replyWith(await providerOf(call), call.minor);

async function update(call: CallWith<typeof putProvider>): Promise<Reply> {
  const { read, minor } = call;
  const { uuid, parent: above } = await providerOf(call);
  const { name, parent_provider_uuid: given } = call.json();
  const parent = given ? canonicalUuid(given) : given;
  const cannot = (why: string): ApiError =>
    badRequest(`Unable to save resource provider ${uuid}: Object action update failed because: ${why}`);
  if (parent && !(await read((session) => providerByUuid(session, parent))))
    throw cannot('parent provider UUID does not exist.');
  // Before 1.37 a provider that has a parent keeps it.
  if (minor < 37 && parent !== undefined && above !== null && parent !== above)
    throw cannot(`${parent === null ? 'un' : 're'}-parenting a provider is not currently allowed.`);
  const change = lookedAt(changeProvider, (session) => requireProvider(session, uuid));
  const wanted = { name, parent, keepsGeneration: true };
  const view = await made(changeBy(call, change, { provider: uuid }, wanted), {
    conflict: 'update conflict',
    refused: (refusals) => {
      const why = parentFault(refusals, uuid);
      return why === undefined && takenNames(refusals) !== ''
        ? new ApiError(409, `Conflicting resource provider ${name} already exists.`, DUPLICATE_NAME)
        : cannot(why ?? 'the provider is gone');
    },
  });
  return replyWith(view, minor);
}

const noneToDelete = (uuid: string): ApiError => noProvider(uuid, ' for delete');

async function remove(call: Call): Promise<Reply> {
  const { uuid } = await providerOf(call, noneToDelete);
  await made(changeBy(call, removeProvider, { provider: uuid }), {
    conflict: 'update conflict',
    refused: (refusals) => {
      const kinds = refusals.map(({ kind }) => kind);
      const stays = (why: string, code: string): ApiError =>
        new ApiError(409, `Unable to delete ${why}`, { code: `placement.resource_provider.${code}` });
      if (kinds.includes('has-children'))
        return stays(
          `parent resource provider ${uuid}: It has child resource providers.`,
          'cannot_delete_parent',
        );
      return kinds.includes('in-use')
        ? stays(`resource provider ${uuid}: Resource provider has allocations.`, 'inuse')
        : noneToDelete(uuid);
    },
  });
  return { status: 204 };
}

export const PROVIDER_ROUTES: Routes = {
  '/resource_providers': {
    GET: operation('listProviders', 'Resource providers that match the query', list, {
      queryNames: PROVIDER_QUERY_NAMES,
    }),
    POST: operation('createProvider', 'Make a resource provider', create, { bodySchema: postProvider }),
  },
  '/resource_providers/{uuid}': {
    GET: operation('showProvider', 'One resource provider', show),
    PUT: operation('updateProvider', 'Rename a resource provider, or move it in its tree', update, {
      bodySchema: putProvider,
    }),
    DELETE: operation('removeProvider', 'Remove a resource provider that nothing is allocated on', remove),
  },
};
