/** What a provider has of one class, and whether an amount may be had of it: see docs/why/claims.md. */

const DECIMAL = /^(\d{1,15})(?:\.(\d{1,18}))?$/;

/** The number in its one spelling (`1.50` is `1.5`); undefined when it is none, or not above 0. */
export function canonicalRatio(text: string): string | undefined {
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const whole = match[1]!.replace(/^0+(?=\d)/, '');
  const fraction = (match[2] ?? '').replace(/0+$/, '');
  const canonical = fraction === '' ? whole : `${whole}.${fraction}`;
  return canonical === '0' ? undefined : canonical;
}

const RATIO_DIGITS = 18;

/** A double as exact decimal text, its shortest spelling; undefined when it is not above 0 or too long. */
export function ratioText(ratio: number): string | undefined {
  const text = String(ratio);
  return canonicalRatio(text.includes('e') ? ratio.toFixed(RATIO_DIGITS) : text);
}

/** `amount` (0 to 2^31) x `ratio` (canonical), rounded down, exactly: 100 x 1.15 is 115, and not 114. */
export function floorTimes(amount: number, ratio: string): number {
  if (ratio === '1') return amount;
  const dot = ratio.indexOf('.');
  if (dot < 0) return Number(BigInt(amount) * BigInt(ratio));
  const digits = ratio.length - dot - 1;
  return Number(
    (BigInt(amount) * BigInt(ratio.slice(0, dot) + ratio.slice(dot + 1))) / 10n ** BigInt(digits),
  );
}

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
  /** Amounts come in multiples of it (see `brokenUnitRule`). */
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

/** Amounts are multiples of `stepSize`; `exempt`: or the smallest unit. `strict`: always, as in Placement. */
export type StepMode = 'exempt' | 'strict';

export interface UnitRule {
  readonly rule: 'min_unit' | 'max_unit' | 'step_size';
  /** The rule's figure: least, most or step. */
  readonly limit: number;
}

/** The first rule that breaks, if any, what one consumer has in all. */
export function brokenUnitRule(
  { minUnit, maxUnit, stepSize }: Pick<Inventory, 'minUnit' | 'maxUnit' | 'stepSize'>,
  amount: number,
  mode: StepMode,
): UnitRule | undefined {
  if (amount < minUnit) return { rule: 'min_unit', limit: minUnit };
  if (amount > maxUnit) return { rule: 'max_unit', limit: maxUnit };
  if (mode === 'exempt' && amount === minUnit) return undefined;
  return amount % stepSize === 0 ? undefined : { rule: 'step_size', limit: stepSize };
}

/** Whether the use may become `usedAfter`. What is over capacity already may stay so, or shrink. */
export const hasRoom = (inventory: Inventory, usedBefore: number, usedAfter: number): boolean =>
  usedAfter <= capacityOf(inventory) || usedAfter <= usedBefore;
