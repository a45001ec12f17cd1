/** Whether an amount may be had of an inventory: the rules of docs/why/claims.md, answered with figures. */
import { capacityOf, type Inventory } from './inventory.ts';

/** Amounts are multiples of `stepSize`; `exempt`: or the smallest unit. `strict`: always, as in Placement. */
export type StepMode = 'exempt' | 'strict';

export interface UnitRule {
  readonly rule: 'min_unit' | 'max_unit' | 'step_size';
  /** The rule's figure: least, most or step. */
  readonly limit: number;
}

/** The first rule that breaks, if any, what one consumer has in all. */
export function brokenUnitRule(
  { minUnit, maxUnit, stepSize }: Inventory,
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
