/** Inventories of a provider: as bodies have them, and as the ledger has them. */
import { removeInventories, setInventories } from '../../../claims/changes/inventory-changes.ts';
import type { ProviderRefusal } from '../../../claims/changes/provider-write.ts';
import {
  capacityOf,
  INVENTORY_DEFAULTS,
  type Inventory,
  MAX_INTEGER,
  placementInventory,
  ratioText,
} from '../../../claims/model/inventory.ts';
import { inventoriesOf, type StoredInventory } from '../../../claims/tables/inventories.ts';
import { nameView } from '../../../claims/tables/names.ts';
import type { StoredProvider } from '../../../claims/tables/providers.ts';
import { JSON_TYPE } from '../../../http/accept.ts';
import { ApiError, badRequest } from '../../../http/api-error.ts';
import type { FormOf, JsonSchema } from '../../../http/json-check.ts';
import type { Reply } from '../../../http/route.ts';
import type { Session } from '../../../store/store.ts';
import { CLASS_PATTERN, INTEGER, keyed, record } from '../protocol/forms.ts';
import { concurrentUpdate, PROVIDER_MOVED_ON } from '../service/faults.ts';
import {
  type Call,
  type CallWith,
  changeBy,
  lookedAt,
  made,
  modifiedOf,
  noProvider,
  noProviderHere,
  operation,
  type Routes,
  requireProvider,
} from '../service/service.ts';
import { requireName } from './names.ts';
import { providerUrl } from './providers.ts';

/** Largest single-precision number. */
const MOST_RATIO = 3.40282e38;

const whole = (minimum: number): JsonSchema<number> => ({ type: 'integer', minimum, maximum: MAX_INTEGER });
const RATIO: JsonSchema<number> = { type: 'number', maximum: MOST_RATIO };
const INVENTORY = {
  resource_provider_generation: INTEGER,
  total: whole(1),
  reserved: whole(0),
  min_unit: whole(1),
  max_unit: whole(1),
  step_size: whole(1),
  allocation_ratio: RATIO,
};
const CLASS: JsonSchema<string> = { type: 'string', pattern: CLASS_PATTERN };
const ANY = record(INVENTORY, ['total']);

export const INVENTORY_IN_USE = { code: 'placement.inventory.inuse' };

const POST_INVENTORY = record({ ...INVENTORY, resource_class: CLASS }, ['total', 'resource_class']);
const PUT_INVENTORY = record(INVENTORY, ['total', 'resource_provider_generation']);
export const PUT_INVENTORIES = record(
  { resource_provider_generation: INTEGER, inventories: keyed(CLASS_PATTERN, ANY) },
  ['resource_provider_generation', 'inventories'],
);

/** Nothing could ever be taken of it; since 1.26 all of it may be reserved. */
const isEmpty = (inventory: Inventory, minor: number): boolean =>
  minor >= 26
    ? inventory.reserved > inventory.total
    : inventory.reserved >= inventory.total || capacityOf(inventory) <= 0;

/** @throws {ApiError} 400 for a ratio that cannot be kept, or too much reserved */
function inventoryOf(
  name: string,
  body: FormOf<typeof ANY>,
  provider: string,
  minor: number,
  what: 'create' | 'update' = 'update',
): Inventory {
  const { allocation_ratio: asked } = body;
  const ratio = asked === undefined ? INVENTORY_DEFAULTS.allocationRatio : ratioText(asked);
  if (ratio === undefined)
    throw badRequest(
      `Bad inventory ${name} for resource provider ${provider}: allocation_ratio ${asked} is not above 0, or has more digits than are kept`,
    );
  const inventory = {
    total: body.total,
    reserved: body.reserved ?? INVENTORY_DEFAULTS.reserved,
    minUnit: body.min_unit ?? INVENTORY_DEFAULTS.minUnit,
    maxUnit: body.max_unit ?? INVENTORY_DEFAULTS.maxUnit,
    stepSize: body.step_size ?? INVENTORY_DEFAULTS.stepSize,
    allocationRatio: ratio,
  };
  if (isEmpty(inventory, minor))
    throw badRequest(
      `Unable to ${what} inventory for resource provider ${provider}: Invalid inventory for '${name}' on resource provider '${provider}'. The reserved value is greater than ${minor >= 26 ? '' : 'or equal to '}total.`,
    );
  return inventory;
}

/** All of a provider's inventories as the ledger has them. @throws {ApiError} 400 */
export const inventoriesIn = (
  { inventories }: FormOf<typeof PUT_INVENTORIES>,
  provider: string,
  minor: number,
): ReadonlyMap<string, Inventory> =>
  new Map(
    Object.entries(inventories).map(([name, body]) => [name, inventoryOf(name, body, provider, minor)]),
  );

const inventoryJson = (inventory: Inventory): Record<string, number> => ({
  ...placementInventory(inventory),
  allocation_ratio: Number(inventory.allocationRatio),
});

/** What a change of a provider is answered that was removed meanwhile. */
const vanished = (failed: string): ApiError => concurrentUpdate(`${failed}: ${PROVIDER_MOVED_ON}`);

/** As JSON in which a ratio is a number with a point, as Placement's clients see it there. */
const inventoryReply = (body: object, lastModified: number, more: Reply = {}): Reply => ({
  ...more,
  text: [JSON.stringify(body).replace(/"allocation_ratio":(\d+)(?=[,}])/g, '"allocation_ratio":$1.0')],
  contentType: JSON_TYPE,
  lastModified,
});

interface Shelf {
  readonly provider: StoredProvider;
  readonly stock: readonly StoredInventory[];
}

async function shelfIn(session: Session, { path }: Call, lacking?: typeof noProvider): Promise<Shelf> {
  const provider = await requireProvider(session, path.uuid!, lacking);
  return { provider, stock: await inventoriesOf(session, provider.id) };
}

const shelfOf = (call: Call, lacking?: typeof noProvider): Promise<Shelf> =>
  call.read((session) => shelfIn(session, call, lacking));

const shownShelf = (call: Call): Promise<Shelf> => shelfOf(call, noProviderHere(' : '));

function replyWithAll({ provider, stock }: Shelf, call: Call): Reply {
  const body = {
    resource_provider_generation: provider.generation,
    inventories: Object.fromEntries(stock.map((inventory) => [inventory.class, inventoryJson(inventory)])),
  };
  return inventoryReply(body, modifiedOf(stock, call));
}

function replyWithOne({ provider, stock }: Shelf, name: string, more?: Reply): Reply {
  const inventory = stock.find((one) => one.class === name);
  if (!inventory) throw new ApiError(404, `No inventory of class ${name} for ${provider.uuid}`);
  const body = { ...inventoryJson(inventory), resource_provider_generation: provider.generation };
  return inventoryReply(body, inventory.updatedAt, more);
}

/** Why classes stay; undefined where none is in use. */
function inUse(refusals: readonly ProviderRefusal[], { provider, stock }: Shelf): string | undefined {
  const used = refusals.find((refusal) => refusal.kind === 'in-use');
  // In the order in which the classes came to the provider, as the public interface has it.
  const rows = stock.filter((one) => used?.classes.includes(one.class)).sort((a, b) => a.classId - b.classId);
  const classes = rows.map((one) => one.class).join(', ');
  return used && `Inventory for '${classes}' on resource provider '${provider.uuid}' in use.`;
}

function checkGeneration(seen: number | undefined, { generation }: StoredProvider): void {
  if (seen !== undefined && seen !== generation)
    throw concurrentUpdate('resource provider generation conflict');
}

async function setAll(call: CallWith<typeof PUT_INVENTORIES>): Promise<Reply> {
  const shelf = await shelfOf(call);
  const { uuid } = shelf.provider;
  const data = call.json();
  checkGeneration(data.resource_provider_generation, shelf.provider);
  const wanted = inventoriesIn(data, uuid, call.minor);
  const target = { provider: uuid, generation: data.resource_provider_generation };
  const change = lookedAt(setInventories, (session) => shelfIn(session, call));
  const after = await made(changeBy(call, change, target, wanted, 'removed'), {
    conflict: 'update conflict',
    refused: (refusals) => {
      const unknown = refusals.find((refusal) => refusal.kind === 'unknown-class');
      if (unknown)
        return badRequest(
          `Unknown resource class in inventory for resource provider ${uuid}: No such resource class ${unknown.class}.`,
        );
      const why = inUse(refusals, shelf);
      return why === undefined
        ? vanished('update conflict')
        : new ApiError(409, `update conflict: ${why}`, INVENTORY_IN_USE);
    },
  });
  return replyWithAll(after, call);
}

/** One class: POST names it in its body, and makes it; PUT names it in its path, where it has to be. */
async function setOne(call: CallWith<typeof POST_INVENTORY | typeof PUT_INVENTORY>): Promise<Reply> {
  const { provider, stock } = await shelfOf(call);
  const { uuid, generation } = provider;
  const data = call.json();
  const isNew = 'resource_class' in data;
  const name = isNew ? data.resource_class : call.path.resource_class!;
  const what = isNew ? 'create' : 'update';
  const failed = `${isNew ? 'U' : 'u'}pdate conflict`;
  // POST may have it, and Placement does not look at it there.
  if (!isNew) checkGeneration(data.resource_provider_generation, provider);
  const wanted = new Map([[name, inventoryOf(name, data, uuid, call.minor, what)]]);
  const isThere = stock.some((one) => one.class === name);
  if (isNew && isThere) throw concurrentUpdate(`${failed}: inventory of class ${name} is there already`);
  if (!isNew && !isThere) {
    await requireName(call, 'resource_classes', name);
    throw badRequest(
      `No inventory record with resource class for resource provider ${uuid}: No inventory of class ${name} found.`,
    );
  }
  const change = lookedAt(setInventories, (session) => shelfIn(session, call));
  const after = await made(changeBy(call, change, { provider: uuid, generation }, wanted, 'kept'), {
    conflict: failed,
    refused: (refusals) =>
      refusals.some(({ kind }) => kind === 'unknown-class')
        ? badRequest(
            `Unable to ${what} inventory for resource provider ${uuid}: No such resource class ${name}.`,
          )
        : vanished(failed),
  });
  const created = { status: 201, location: `${providerUrl(uuid)}/inventories/${name}` };
  return replyWithOne(after, name, isNew ? created : {});
}

/** @param name one class; undefined for all */
async function remove(call: Call, name?: string): Promise<Reply> {
  const shelf = await shelfOf(call);
  const { uuid } = shelf.provider;
  await made(changeBy(call, removeInventories, { provider: uuid }, name === undefined ? undefined : [name]), {
    conflict:
      name === undefined
        ? () =>
            concurrentUpdate(
              `Unable to delete inventory for resource provider ${uuid} because the inventory was updated by another process. Please retry your request.`,
            )
        : `Unable to delete inventory of class ${name}`,
    refused: async (refusals) => {
      if (refusals.some(({ kind }) => kind === 'no-inventory')) {
        const none = `No inventory of class ${name} found for delete`;
        const isClass = await call.read((session) => nameView(session, 'resource_classes', name!));
        return new ApiError(404, `${none}: ${isClass ? none : `No such resource class ${name}.`}`);
      }
      const why = inUse(refusals, shelf);
      if (why === undefined) return noProvider(uuid);
      return name === undefined
        ? new ApiError(409, why, INVENTORY_IN_USE)
        : concurrentUpdate(`Unable to delete inventory of class ${name}: ${why}`);
    },
  });
  return { status: 204 };
}

export const INVENTORY_ROUTES: Routes = {
  '/resource_providers/{uuid}/inventories': {
    GET: operation('listInventories', 'What a provider has', async (call) =>
      replyWithAll(await shownShelf(call), call),
    ),
    POST: operation('createInventory', 'Give a provider one more class', setOne, {
      bodySchema: POST_INVENTORY,
      success: 201,
    }),
    PUT: operation('setInventories', 'Set all that a provider has', setAll, { bodySchema: PUT_INVENTORIES }),
    DELETE: operation('removeInventories', 'Remove all that a provider has', (call) => remove(call), {
      since: 5,
      tooOld: 405,
    }),
  },
  '/resource_providers/{uuid}/inventories/{resource_class}': {
    GET: operation('showInventory', 'One class of a provider', async (call) =>
      replyWithOne(await shownShelf(call), call.path.resource_class!),
    ),
    PUT: operation('updateInventory', 'Change one class of a provider', setOne, {
      bodySchema: PUT_INVENTORY,
    }),
    DELETE: operation('removeInventory', 'Remove one class of a provider', (call) =>
      remove(call, call.path.resource_class),
    ),
  },
};
