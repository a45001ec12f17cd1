/** Inventories as bodies have them, and as the ledger has them. */
import {
  capacityOf,
  INVENTORY_DEFAULTS,
  type Inventory,
  MAX_INTEGER,
  placementInventory,
  ratioText,
} from '../../../claims/model/inventory.ts';
import { badRequest } from '../../../http/api-error.ts';
import type { FormOf, JsonSchema } from '../../../http/json-check.ts';
import { CLASS_PATTERN, INTEGER, keyed, record } from '../protocol/forms.ts';

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

export const POST_INVENTORY = record({ ...INVENTORY, resource_class: CLASS }, ['total', 'resource_class']);
export const PUT_INVENTORY = record(INVENTORY, ['total', 'resource_provider_generation']);
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
export function inventoryOf(
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

export const inventoryJson = (inventory: Inventory): Record<string, number> => ({
  ...placementInventory(inventory),
  allocation_ratio: Number(inventory.allocationRatio),
});
