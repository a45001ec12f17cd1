/** Rows of inventories, with what is used of each. */
import type { Session, SqlValue } from '../../store/store.ts';
import type { Inventory } from '../model/inventory.ts';

/** The members of UsedInventory, of `inventories i` and `resource_classes c`. */
export const INVENTORY_COLUMNS = `i.class_id AS "classId", c.name AS class, i.total, i.reserved, i.min_unit AS "minUnit",
  i.max_unit AS "maxUnit", i.step_size AS "stepSize", i.allocation_ratio AS "allocationRatio", i.used`;

export interface UsedInventory extends Inventory {
  readonly classId: number;
  readonly class: string;
  readonly used: number;
}

export interface StoredInventory extends UsedInventory {
  readonly updatedAt: number;
}

export const INVENTORIES = 'inventories i JOIN resource_classes c ON c.id = i.class_id';

export const inventoriesOf = (session: Session, providerId: number): Promise<readonly StoredInventory[]> =>
  session.all(
    `SELECT ${INVENTORY_COLUMNS}, i.updated_at AS "updatedAt" FROM ${INVENTORIES}
     WHERE i.provider_id = ? ORDER BY c.name`,
    [providerId],
  );

/** The columns that hold what is set of an inventory, here and in Placement's tables. */
export const SET_COLUMNS = 'total, reserved, min_unit, max_unit, step_size, allocation_ratio';

export const setValues = (one: Inventory): readonly [...numbers: number[], ratio: string] => [
  one.total,
  one.reserved,
  one.minUnit,
  one.maxUnit,
  one.stepSize,
  one.allocationRatio,
];

/** Writes what is set of an inventory; what is used of it stays. */
export const putInventory = (
  session: Session,
  providerId: number,
  classId: number,
  inventory: Inventory,
  at: number,
): Promise<number> =>
  session.run(
    `INSERT INTO inventories (provider_id, class_id, ${SET_COLUMNS}, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (provider_id, class_id) DO UPDATE SET total = excluded.total, reserved = excluded.reserved,
       min_unit = excluded.min_unit, max_unit = excluded.max_unit, step_size = excluded.step_size,
       allocation_ratio = excluded.allocation_ratio, updated_at = excluded.updated_at`,
    [providerId, classId, ...setValues(inventory), at, at],
  );

/** Adds to what is used of a provider's classes. @param changes class number to amount, also below 0. */
export async function addUse(
  session: Session,
  providerId: number,
  changes: ReadonlyMap<number, number>,
): Promise<void> {
  const entries = [...changes].filter(([, amount]) => amount !== 0);
  if (entries.length === 0) return;
  const cases = entries.map(() => 'WHEN ? THEN CAST(? AS BIGINT)').join(' ');
  const places = entries.map(() => '?').join(', ');
  await session.run(
    `UPDATE inventories SET used = used + CASE class_id ${cases} END WHERE provider_id = ? AND class_id IN (${places})`,
    [...entries.flat(), providerId, ...entries.map(([classId]) => classId)] as SqlValue[],
  );
}
