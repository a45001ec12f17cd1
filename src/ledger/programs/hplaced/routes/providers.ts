/** /resource_providers and one of them. */
import { canonicalUuid } from '../../../candidates/request/values.ts';
import { changeProvider, createProvider, removeProvider } from '../../../claims/changes/provider-changes.ts';
import type { ProviderRefusal } from '../../../claims/changes/provider-write.ts';
import { change } from '../../../claims/claim/ledger.ts';
import { type ProviderView, providerView, providerViews } from '../../../claims/placement/provider-views.ts';
import { ApiError } from '../../../http/api-error.ts';
import { readJson } from '../../../http/json-check.ts';
import { type Reply, type Request, TakesLonger } from '../../../http/route.ts';
import { concurrentUpdate } from '../protocol/placement.ts';
import { postProvider, putProvider } from '../schemas/providers.ts';
import {
  authorOf,
  modifiedOf,
  newUuid,
  providerOf,
  type Routes,
  requireProvider,
  type Service,
} from '../service/service.ts';
import { matchingProviders, PROVIDER_QUERY_NAMES } from './provider-query.ts';

const DUPLICATE_NAME = { code: 'placement.duplicate_name' };
const BEING_CHANGED = 'update conflict: the provider is being changed. Please retry your update';
const IN_USE = { code: 'placement.resource_provider.inuse' };
const IS_PARENT = { code: 'placement.resource_provider.cannot_delete_parent' };

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

interface ProviderBody {
  readonly name: string;
  readonly uuid?: string;
  readonly parent_provider_uuid?: string | null;
}

export const providerUrl = (uuid: string): string => `/resource_providers/${uuid}`;

function serialize({ uuid, name, generation, parent, root }: ProviderView, minor: number): object {
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

/** What is wrong with a parent, as a sentence. */
function parentFault(refusals: readonly ProviderRefusal[], uuid: string): string | undefined {
  for (const refusal of refusals) {
    if (refusal.kind === 'unknown-parent')
      return refusal.parent === uuid
        ? 'parent provider UUID cannot be same as UUID. Please set parent provider UUID to None if there is no parent.'
        : 'parent provider UUID does not exist.';
    if (refusal.kind === 'circle')
      return refusal.parent === uuid
        ? 'parent provider UUID cannot be same as UUID. creating loop in the provider tree is not allowed.'
        : 'creating loop in the provider tree is not allowed.';
  }
  return undefined;
}

const takenNames = (refusals: readonly ProviderRefusal[]): string =>
  refusals
    .flatMap((refusal) => {
      if (refusal.kind === 'uuid-taken') return [`uuid: ${refusal.uuid}`];
      return refusal.kind === 'name-taken' ? [`name: ${refusal.name}`] : [];
    })
    .join(', ');

async function list(service: Service, request: Request): Promise<Reply> {
  const uuids = await matchingProviders(service, request);
  if (request.isQuick && uuids.length > QUICK_PROVIDERS) throw new TakesLonger();
  const views = await service.ledger.store.read((session) => providerViews(session, uuids));
  return {
    body: { resource_providers: views.map((view) => serialize(view, request.minor)) },
    lastModified: modifiedOf(views, service),
  };
}

async function create({ ledger }: Service, request: Request): Promise<Reply> {
  const data = readJson<ProviderBody>(request.body, postProvider(request.minor));
  const uuid = data.uuid ? canonicalUuid(data.uuid) : newUuid();
  const parent = data.parent_provider_uuid ? canonicalUuid(data.parent_provider_uuid) : null;
  const outcome = await change(ledger, authorOf(request), (session, context) =>
    createProvider(session, context, { uuid, name: data.name, parent, canHost: true }),
  );
  if (outcome.kind === 'refused') {
    const taken = takenNames(outcome.refusals);
    if (taken !== '')
      throw new ApiError(409, `Conflicting resource provider ${taken} already exists.`, DUPLICATE_NAME);
    throw new ApiError(
      400,
      `Unable to create resource provider "${data.name}", ${uuid}: ${parentFault(outcome.refusals, uuid)}`,
    );
  }
  if (outcome.kind === 'conflict')
    throw new ApiError(409, `Conflicting resource provider uuid: ${uuid} already exists.`, DUPLICATE_NAME);
  const location = providerUrl(uuid);
  if (request.minor < 20) return { status: 201, location };
  const view = await ledger.store.read((session) => requireProvider(session, uuid));
  return { location, body: serialize(view, request.minor), lastModified: view.updatedAt };
}

async function show(service: Service, request: Request): Promise<Reply> {
  const view = await providerOf(service, request);
  return { body: serialize(view, request.minor), lastModified: view.updatedAt };
}

/** Before 1.37 a provider that has a parent keeps it. */
function checkReparenting(
  view: ProviderView,
  parent: string | null | undefined,
  minor: number,
): string | undefined {
  if (minor >= 37 || parent === undefined || view.parent === null || parent === view.parent) return undefined;
  return parent === null
    ? 'un-parenting a provider is not currently allowed.'
    : 're-parenting a provider is not currently allowed.';
}

async function update(service: Service, request: Request): Promise<Reply> {
  const { ledger } = service;
  const before = await providerOf(service, request);
  const data = readJson<ProviderBody>(request.body, putProvider(request.minor));
  const given = data.parent_provider_uuid;
  const parent = typeof given === 'string' ? canonicalUuid(given) : given;
  const cannot = (why: string): ApiError =>
    new ApiError(
      400,
      `Unable to save resource provider ${before.uuid}: Object action update failed because: ${why}`,
    );
  if (typeof parent === 'string' && !(await ledger.store.read((session) => providerView(session, parent))))
    throw cannot('parent provider UUID does not exist.');
  const fault = checkReparenting(before, parent, request.minor);
  if (fault) throw cannot(fault);
  const outcome = await change(ledger, authorOf(request), (session, context) =>
    changeProvider(
      session,
      context,
      { provider: before.uuid },
      { name: data.name, parent, keepsGeneration: true },
    ),
  );
  if (outcome.kind === 'conflict') throw concurrentUpdate(BEING_CHANGED);
  if (outcome.kind === 'refused') {
    if (takenNames(outcome.refusals) !== '')
      throw new ApiError(409, `Conflicting resource provider ${data.name} already exists.`, DUPLICATE_NAME);
    throw cannot(parentFault(outcome.refusals, before.uuid) ?? 'the provider is gone');
  }
  const view = await ledger.store.read((session) => requireProvider(session, before.uuid));
  return { body: serialize(view, request.minor), lastModified: view.updatedAt };
}

async function remove(service: Service, request: Request): Promise<Reply> {
  const { uuid } = await providerOf(service, request, ' for delete');
  const outcome = await change(service.ledger, authorOf(request), (session, context) =>
    removeProvider(session, context, { provider: uuid }),
  );
  if (outcome.kind === 'conflict') throw concurrentUpdate(BEING_CHANGED);
  if (outcome.kind === 'done') return { status: 204 };
  const kinds = outcome.refusals.map(({ kind }) => kind);
  if (kinds.includes('has-children'))
    throw new ApiError(
      409,
      `Unable to delete parent resource provider ${uuid}: It has child resource providers.`,
      IS_PARENT,
    );
  if (kinds.includes('in-use'))
    throw new ApiError(
      409,
      `Unable to delete resource provider ${uuid}: Resource provider has allocations.`,
      IN_USE,
    );
  throw new ApiError(404, `No resource provider with uuid ${uuid} found for delete`);
}

export const PROVIDER_ROUTES: Routes = {
  'GET /resource_providers': {
    id: 'listProviders',
    summary: 'Resource providers that match the query',
    queryNames: PROVIDER_QUERY_NAMES,
    handle: list,
  },
  'POST /resource_providers': {
    id: 'createProvider',
    summary: 'Make a resource provider',
    bodySchema: postProvider,
    handle: create,
  },
  'GET /resource_providers/{uuid}': { id: 'showProvider', summary: 'One resource provider', handle: show },
  'PUT /resource_providers/{uuid}': {
    id: 'updateProvider',
    summary: 'Rename a resource provider, or move it in its tree',
    bodySchema: putProvider,
    handle: update,
  },
  'DELETE /resource_providers/{uuid}': {
    id: 'removeProvider',
    summary: 'Remove a resource provider that nothing is allocated on',
    handle: remove,
  },
};
