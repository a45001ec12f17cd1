/** What a provider has of one class, and how it may be handed out. */
import { canonicalRatio, floorTimes } from './decimal.ts';

/** Largest amount; the bound of the original design's columns. */
export const MAX_INTEGER = 2 ** 31 - 1;

export interface Inventory {
  /** Whole, 1 to MAX_INTEGER, in the unit of the class. */
  readonly total: number;
  /** Not handed out: what the host itself uses. 0 to `total`. */
  readonly reserved: number;
  /** Least and most that one consumer may have; where the least is above the most, nobody may. */
  readonly minUnit: number;
  readonly maxUnit: number;
  /** Amounts come in multiples of it (see admission.ts). */
  readonly stepSize: number;
  /** Overcommit: decimal text above 0, in its canonical spelling. */
  readonly allocationRatio: string;
}

export const INVENTORY_DEFAULTS: Omit<Inventory, 'total'> = {
  reserved: 0,
  minUnit: 1,
  maxUnit: MAX_INTEGER,
  stepSize: 1,
  allocationRatio: '1',
};

/** What of a row, or of more than an inventory, is the inventory itself. */
export const inventoryOf = (one: Inventory): Inventory => {
  const { total, reserved, minUnit, maxUnit, stepSize, allocationRatio } = one;
  return { total, reserved, minUnit, maxUnit, stepSize, allocationRatio };
};

/** By the names that Placement, and the history, have for them. */
export const placementInventory = (one: Inventory) => ({
  total: one.total,
  reserved: one.reserved,
  min_unit: one.minUnit,
  max_unit: one.maxUnit,
  step_size: one.stepSize,
  allocation_ratio: one.allocationRatio,
});

/** What can be handed out: (total - reserved) x ratio, rounded down, for amounts are whole. */
export const capacityOf = ({ total, reserved, allocationRatio }: Inventory): number =>
  floorTimes(total - reserved, allocationRatio);

interface InventoryProblem {
  readonly field: keyof Inventory;
  readonly value: string | number;
  readonly problem: string;
}

const isWhole = (value: number, least: number): boolean =>
  Number.isInteger(value) && value >= least && value <= MAX_INTEGER;

/** Everything that is wrong with an inventory; empty when it may stand. */
export function inventoryProblems(inventory: Inventory): readonly InventoryProblem[] {
  const problems: InventoryProblem[] = [];
  const check = (field: keyof Inventory, isRight: boolean, problem: string): void => {
    if (!isRight) problems.push({ field, value: inventory[field], problem });
  };
  for (const field of ['total', 'minUnit', 'maxUnit', 'stepSize'] as const)
    check(field, isWhole(inventory[field], 1), `must be a whole number from 1 to ${MAX_INTEGER}`);
  check('reserved', isWhole(inventory.reserved, 0), `must be a whole number from 0 to ${MAX_INTEGER}`);
  check(
    'reserved',
    !(inventory.reserved > inventory.total),
    `must not be above the total (${inventory.total})`,
  );
  check(
    'allocationRatio',
    canonicalRatio(inventory.allocationRatio) === inventory.allocationRatio,
    'must be a decimal number above 0, such as 1.5',
  );
  return problems;
}
