/** Whether an amount may be had of an inventory: the rules of docs/why/claims.md, answered with figures. */
import { capacityOf, type Inventory } from './inventory.ts';

/**
 * How amounts must match `stepSize`. `exempt`: the smallest unit is always fine, larger amounts must be
 * divisible. `strict`: every amount must be divisible, as Placement asks.
 */
export type StepMode = 'exempt' | 'strict';

type AmountRule = 'min_unit' | 'max_unit' | 'step_size';

/**
 * The first unit rule that `amount` breaks, or undefined.
 * @param amount of one consumer, all its groups together.
 */
export function brokenUnitRule(inventory: Inventory, amount: number, mode: StepMode): AmountRule | undefined {
  if (amount < inventory.minUnit) return 'min_unit';
  if (amount > inventory.maxUnit) return 'max_unit';
  if (mode === 'exempt' && amount === inventory.minUnit) return undefined;
  return amount % inventory.stepSize === 0 ? undefined : 'step_size';
}

/** Whether the use may become `usedAfter`. What is over capacity already may stay so, or shrink. */
export const hasRoom = (inventory: Inventory, usedBefore: number, usedAfter: number): boolean =>
  usedAfter <= capacityOf(inventory) || usedAfter <= usedBefore;
