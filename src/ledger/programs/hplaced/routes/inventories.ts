/** Inventories of a provider. */
import { removeInventories, setInventories } from '../../../claims/changes/inventory-changes.ts';
import type { ProviderRefusal } from '../../../claims/changes/provider-write.ts';
import { change } from '../../../claims/claim/ledger.ts';
import type { Inventory } from '../../../claims/model/inventory.ts';
import type { ProviderView } from '../../../claims/placement/provider-views.ts';
import { inventoriesOf, type StoredInventory } from '../../../claims/tables/inventories.ts';
import { JSON_TYPE } from '../../../http/accept.ts';
import { ApiError } from '../../../http/api-error.ts';
import { readJson } from '../../../http/json-check.ts';
import type { Reply, Request } from '../../../http/route.ts';
import { capacityFault, type InventoryBody, inventoryOf, ratioNumber } from '../bodies/inventory-body.ts';
import { concurrentUpdate } from '../protocol/placement.ts';
import { POST_INVENTORY, PUT_INVENTORIES, PUT_INVENTORY } from '../schemas/providers.ts';
import {
  authorOf,
  conflictAnswer,
  modifiedOf,
  type Routes,
  requireProvider,
  type Service,
} from '../service/service.ts';
import { providerUrl } from './providers.ts';

const INVENTORY_IN_USE = { code: 'placement.inventory.inuse' };
const GENERATION_CONFLICT = 'resource provider generation conflict';

const serialize = (inventory: Inventory): Record<string, number> => ({
  total: inventory.total,
  reserved: inventory.reserved,
  min_unit: inventory.minUnit,
  max_unit: inventory.maxUnit,
  step_size: inventory.stepSize,
  allocation_ratio: ratioNumber(inventory.allocationRatio),
});

/** As JSON in which a ratio is a number with a point, as Placement's clients see it there. */
const inventoryReply = (status: number, body: object, lastModified: number): Reply => ({
  status,
  text: [JSON.stringify(body).replace(/"allocation_ratio":(\d+)(?=[,}])/g, '"allocation_ratio":$1.0')],
  contentType: JSON_TYPE,
  lastModified,
});

interface Shelf {
  readonly provider: ProviderView;
  readonly stock: readonly StoredInventory[];
}

const shelfOf = ({ ledger }: Service, request: Request): Promise<Shelf> =>
  ledger.store.read(async (session) => {
    const provider = await requireProvider(session, request.path.uuid!);
    return { provider, stock: await inventoriesOf(session, [provider.id]) };
  });

async function replyWithAll(service: Service, request: Request): Promise<Reply> {
  const { provider, stock } = await shelfOf(service, request);
  const body = {
    resource_provider_generation: provider.generation,
    inventories: Object.fromEntries(stock.map((inventory) => [inventory.class, serialize(inventory)])),
  };
  return inventoryReply(200, body, modifiedOf(stock, service));
}

async function replyWithOne(service: Service, request: Request, name: string, status = 200): Promise<Reply> {
  const { provider, stock } = await shelfOf(service, request);
  const inventory = stock.find((one) => one.class === name);
  if (!inventory) throw new ApiError(404, `No inventory of class ${name} for ${provider.uuid}`);
  const body = { ...serialize(inventory), resource_provider_generation: provider.generation };
  return inventoryReply(status, body, inventory.updatedAt);
}

function usedClasses(
  refusals: readonly ProviderRefusal[],
  stock: readonly StoredInventory[],
): string | undefined {
  const inUse = refusals.find((refusal) => refusal.kind === 'in-use');
  if (!inUse) return undefined;
  // In the order in which the classes came to the provider, as the public interface has it.
  return stock
    .filter((one) => inUse.classes.includes(one.class))
    .sort((a, b) => a.classId - b.classId)
    .map((one) => one.class)
    .join(', ');
}

/** @throws {ApiError} 409 when the caller has seen another generation */
function checkGeneration(body: InventoryBody, provider: ProviderView): void {
  if (
    body.resource_provider_generation !== undefined &&
    body.resource_provider_generation !== provider.generation
  )
    throw concurrentUpdate(GENERATION_CONFLICT);
}

async function setAll(service: Service, request: Request): Promise<Reply> {
  const { provider, stock } = await shelfOf(service, request);
  const data = readJson<InventoryBody & { inventories: Record<string, InventoryBody> }>(
    request.body,
    PUT_INVENTORIES,
  );
  checkGeneration(data, provider);
  const wanted = new Map(
    Object.entries(data.inventories).map(([name, body]) => [name, inventoryOf(name, body, provider.uuid)]),
  );
  for (const [name, inventory] of wanted) {
    const fault = capacityFault(name, inventory, provider.uuid, request.minor);
    if (fault)
      throw new ApiError(400, `Unable to update inventory for resource provider ${provider.uuid}: ${fault}`);
  }
  const target = { provider: provider.uuid, generation: data.resource_provider_generation };
  const outcome = await change(service.ledger, authorOf(request), (session, context) =>
    setInventories(session, context, target, wanted, 'removed'),
  );
  if (outcome.kind === 'conflict') throw conflictAnswer(outcome.conflict, GENERATION_CONFLICT);
  if (outcome.kind === 'refused') {
    const unknown = outcome.refusals.find((refusal) => refusal.kind === 'unknown-class');
    if (unknown)
      throw new ApiError(
        400,
        `Unknown resource class in inventory for resource provider ${provider.uuid}: No such resource class ${unknown.class}.`,
      );
    const used = usedClasses(outcome.refusals, stock);
    throw new ApiError(
      409,
      `update conflict: Inventory for '${used}' on resource provider '${provider.uuid}' in use.`,
      INVENTORY_IN_USE,
    );
  }
  return replyWithAll(service, request);
}

/** One class: `create` refuses one that is there, `update` one that is not. */
async function setOne(service: Service, request: Request, mode: 'create' | 'update'): Promise<Reply> {
  const { provider, stock } = await shelfOf(service, request);
  const schema = mode === 'create' ? POST_INVENTORY : PUT_INVENTORY;
  const data = readJson<InventoryBody & { resource_class?: string }>(request.body, schema);
  const name = mode === 'create' ? data.resource_class! : request.path.resource_class!;
  const cannot = `Unable to ${mode} inventory for resource provider ${provider.uuid}`;
  checkGeneration(data, provider);
  const inventory = inventoryOf(name, data, provider.uuid);
  const fault = capacityFault(name, inventory, provider.uuid, request.minor);
  if (fault) throw new ApiError(400, `${cannot}: ${fault}`);
  const isThere = stock.some((one) => one.class === name);
  if (mode === 'create' && isThere)
    throw concurrentUpdate(`Update conflict: inventory of class ${name} is there already`);
  if (mode === 'update' && !isThere)
    throw new ApiError(
      400,
      `No inventory record with resource class for resource provider ${provider.uuid}: No inventory of class ${name} found.`,
    );
  const target = { provider: provider.uuid, generation: provider.generation };
  const outcome = await change(service.ledger, authorOf(request), (session, context) =>
    setInventories(session, context, target, new Map([[name, inventory]]), 'kept'),
  );
  if (outcome.kind === 'conflict')
    throw conflictAnswer(outcome.conflict, `Update conflict: ${GENERATION_CONFLICT}`);
  if (outcome.kind === 'refused') throw new ApiError(400, `${cannot}: No such resource class ${name}.`);
  const reply = await replyWithOne(service, request, name, mode === 'create' ? 201 : 200);
  return mode === 'create'
    ? { ...reply, location: `${providerUrl(provider.uuid)}/inventories/${name}` }
    : reply;
}

/** @param name one class; undefined for all */
async function remove(service: Service, request: Request, name: string | undefined): Promise<Reply> {
  const { provider, stock } = await shelfOf(service, request);
  const outcome = await change(service.ledger, authorOf(request), (session, context) =>
    removeInventories(session, context, { provider: provider.uuid }, name === undefined ? undefined : [name]),
  );
  if (outcome.kind === 'done') return { status: 204 };
  if (outcome.kind === 'conflict')
    throw conflictAnswer(
      outcome.conflict,
      `Unable to delete inventory for resource provider ${provider.uuid}`,
    );
  const used = usedClasses(outcome.refusals, stock);
  if (used === undefined)
    throw new ApiError(
      404,
      `No inventory of class ${name} found for delete: No resource class ${name} on provider ${provider.uuid}`,
    );
  const why = `Inventory for '${used}' on resource provider '${provider.uuid}' in use.`;
  if (name === undefined) throw new ApiError(409, why, INVENTORY_IN_USE);
  throw concurrentUpdate(`Unable to delete inventory of class ${name}: ${why}`);
}

export const INVENTORY_ROUTES: Routes = {
  'GET /resource_providers/{uuid}/inventories': {
    id: 'listInventories',
    summary: 'What a provider has',
    handle: replyWithAll,
  },
  'POST /resource_providers/{uuid}/inventories': {
    id: 'createInventory',
    summary: 'Give a provider one more class',
    bodySchema: POST_INVENTORY,
    success: 201,
    handle: (service, request) => setOne(service, request, 'create'),
  },
  'PUT /resource_providers/{uuid}/inventories': {
    id: 'setInventories',
    summary: 'Set all that a provider has',
    bodySchema: PUT_INVENTORIES,
    handle: setAll,
  },
  'DELETE /resource_providers/{uuid}/inventories': {
    id: 'removeInventories',
    summary: 'Remove all that a provider has',
    since: 5,
    tooOld: 405,
    handle: (service, request) => remove(service, request, undefined),
  },
  'GET /resource_providers/{uuid}/inventories/{resource_class}': {
    id: 'showInventory',
    summary: 'One class of a provider',
    handle: (service, request) => replyWithOne(service, request, request.path.resource_class!),
  },
  'PUT /resource_providers/{uuid}/inventories/{resource_class}': {
    id: 'updateInventory',
    summary: 'Change one class of a provider',
    bodySchema: PUT_INVENTORY,
    handle: (service, request) => setOne(service, request, 'update'),
  },
  'DELETE /resource_providers/{uuid}/inventories/{resource_class}': {
    id: 'removeInventory',
    summary: 'Remove one class of a provider',
    handle: (service, request) => remove(service, request, request.path.resource_class!),
  },
};
