/** Rows of inventories, with what is used of each. */
import type { Session, SqlValue } from '../../store/store.ts';
import type { Inventory } from '../model/inventory.ts';

/** What every reader of inventories selects: of `inventories i` and `resource_classes c`. */
export const INVENTORY_COLUMNS = `i.class_id, c.name AS class, i.total, i.reserved, i.min_unit, i.max_unit, i.step_size,
  i.allocation_ratio, i.used`;

/** A row of INVENTORY_COLUMNS. */
export interface InventoryRow {
  readonly class_id: number;
  readonly class: string;
  readonly total: number;
  readonly reserved: number;
  readonly min_unit: number;
  readonly max_unit: number;
  readonly step_size: number;
  readonly allocation_ratio: string;
  readonly used: number;
}

/** An inventory with its class, and what is used of it. */
export interface UsedInventory extends Inventory {
  readonly classId: number;
  readonly class: string;
  readonly used: number;
}

export const inventoryOf = (row: InventoryRow): UsedInventory => ({
  classId: row.class_id,
  class: row.class,
  total: row.total,
  reserved: row.reserved,
  minUnit: row.min_unit,
  maxUnit: row.max_unit,
  stepSize: row.step_size,
  allocationRatio: row.allocation_ratio,
  used: row.used,
});

/** An inventory as it stands in the ledger. */
export interface StoredInventory extends UsedInventory {
  readonly providerId: number;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

type StoredRow = InventoryRow & { readonly provider_id: number; readonly updated_at: number };

const SELECT = `SELECT i.provider_id, ${INVENTORY_COLUMNS}, i.updated_at
  FROM inventories i JOIN resource_classes c ON c.id = i.class_id`;

const toInventory = (row: StoredRow): StoredInventory => ({
  ...inventoryOf(row),
  providerId: row.provider_id,
  updatedAt: row.updated_at,
});

/** Inventories of these providers, by provider and class. */
export const inventoriesOf = async (
  session: Session,
  providerIds: readonly number[],
): Promise<readonly StoredInventory[]> =>
  (
    await session.all<StoredRow>(
      `${SELECT} WHERE i.provider_id IN_NUMBERS(?) ORDER BY i.provider_id, c.name`,
      [providerIds],
    )
  ).map(toInventory);

/** Every inventory of the ledger, by provider and class. */
export const allInventories = async (session: Session): Promise<readonly StoredInventory[]> =>
  (await session.all<StoredRow>(`${SELECT} ORDER BY i.provider_id, c.name`)).map(toInventory);

/** Writes what is set of an inventory; what is used of it stays. */
export const putInventory = (
  session: Session,
  providerId: number,
  classId: number,
  inventory: Inventory,
  at: number,
): Promise<number> =>
  session.run(
    `INSERT INTO inventories (provider_id, class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (provider_id, class_id) DO UPDATE SET total = excluded.total, reserved = excluded.reserved,
       min_unit = excluded.min_unit, max_unit = excluded.max_unit, step_size = excluded.step_size,
       allocation_ratio = excluded.allocation_ratio, updated_at = excluded.updated_at`,
    [
      providerId,
      classId,
      inventory.total,
      inventory.reserved,
      inventory.minUnit,
      inventory.maxUnit,
      inventory.stepSize,
      inventory.allocationRatio,
      at,
      at,
    ],
  );

/**
 * Adds to what is used of a provider's classes.
 * @param changes class number to amount, which may be below 0.
 */
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
