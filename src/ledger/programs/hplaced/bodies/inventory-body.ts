/** Inventories as bodies have them, and as the ledger has them. */
import { ratioText } from '../../../claims/model/decimal.ts';
import { capacityOf, INVENTORY_DEFAULTS, type Inventory } from '../../../claims/model/inventory.ts';
import { ApiError } from '../../../http/api-error.ts';

export interface InventoryBody {
  readonly resource_provider_generation?: number;
  readonly total: number;
  readonly reserved?: number;
  readonly min_unit?: number;
  readonly max_unit?: number;
  readonly step_size?: number;
  readonly allocation_ratio?: number;
}

export const ratioNumber = (text: string): number => Number(text);

/** @throws {ApiError} 400 for a ratio that cannot be kept */
export function inventoryOf(name: string, body: InventoryBody, provider: string): Inventory {
  const ratio =
    body.allocation_ratio === undefined
      ? INVENTORY_DEFAULTS.allocationRatio
      : ratioText(body.allocation_ratio);
  if (ratio === undefined)
    throw new ApiError(
      400,
      `Bad inventory ${name} for resource provider ${provider}: allocation_ratio ${body.allocation_ratio} is not above 0, or has more digits than are kept`,
    );
  return {
    total: body.total,
    reserved: body.reserved ?? INVENTORY_DEFAULTS.reserved,
    minUnit: body.min_unit ?? INVENTORY_DEFAULTS.minUnit,
    maxUnit: body.max_unit ?? INVENTORY_DEFAULTS.maxUnit,
    stepSize: body.step_size ?? INVENTORY_DEFAULTS.stepSize,
    allocationRatio: ratio,
  };
}

/** Why nothing could ever be taken of an inventory; since 1.26 all of it may be reserved. */
export function capacityFault(
  name: string,
  inventory: Inventory,
  provider: string,
  minor: number,
): string | undefined {
  const { total, reserved } = inventory;
  const invalid = `Invalid inventory for '${name}' on resource provider '${provider}'.`;
  if (minor >= 26)
    return reserved > total ? `${invalid} The reserved value is greater than total.` : undefined;
  return reserved >= total || capacityOf(inventory) <= 0
    ? `${invalid} The reserved value is greater than or equal to total.`
    : undefined;
}
