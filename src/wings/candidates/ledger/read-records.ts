/** Providers of the ledger as records for the forest. */
import type { Session } from '../../../store/store.ts';
import { capacityOf } from '../../claims/model/inventory.ts';
import type { InventoryRecord, ProviderRecord } from '../forest/provider.ts';

interface ProviderRow {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly parent: string | null;
}

interface InventoryRow {
  readonly provider_id: number;
  readonly class: string;
  readonly total: number;
  readonly reserved: number;
  readonly min_unit: number;
  readonly max_unit: number;
  readonly step_size: number;
  readonly allocation_ratio: string;
  readonly used: number;
}

interface LabelRow {
  readonly provider_id: number;
  readonly label: string;
}

/** A record, and the number that the ledger knows its provider by. */
export type NumberedRecord = ProviderRecord & { readonly id: number };

const PROVIDERS = `SELECT p.id, p.uuid, p.name, q.uuid AS parent FROM resource_providers p
  LEFT JOIN resource_providers q ON q.id = p.parent_id`;
const INVENTORIES = `SELECT i.provider_id, c.name AS class, i.total, i.reserved, i.min_unit, i.max_unit, i.step_size,
  i.allocation_ratio, i.used FROM inventories i JOIN resource_classes c ON c.id = i.class_id`;
const TRAITS = `SELECT l.provider_id, t.name AS label FROM provider_traits l JOIN traits t ON t.id = l.trait_id`;
const AGGREGATES = `SELECT l.provider_id, a.uuid AS label FROM provider_aggregates l JOIN aggregates a ON a.id = l.aggregate_id`;

function gather<Row extends { readonly provider_id: number }, Item>(
  rows: readonly Row[],
  itemOf: (row: Row) => Item,
): ReadonlyMap<number, Item[]> {
  const lists = new Map<number, Item[]>();
  for (const row of rows) {
    const list = lists.get(row.provider_id);
    if (list) list.push(itemOf(row));
    else lists.set(row.provider_id, [itemOf(row)]);
  }
  return lists;
}

const inventoryOf = (row: InventoryRow): InventoryRecord => ({
  resourceClass: row.class,
  capacity: capacityOf({
    total: row.total,
    reserved: row.reserved,
    minUnit: row.min_unit,
    maxUnit: row.max_unit,
    stepSize: row.step_size,
    allocationRatio: row.allocation_ratio,
  }),
  used: row.used,
  minUnit: row.min_unit,
  maxUnit: row.max_unit,
  stepSize: row.step_size,
});

/** @param ids numbers of the providers; undefined for all of the ledger. Those that do not exist are left out. */
export async function readRecords(
  session: Session,
  ids: readonly number[] | undefined,
): Promise<readonly NumberedRecord[]> {
  const all = <Row extends object>(select: string, column: string): Promise<Row[]> =>
    ids ? session.all<Row>(`${select} WHERE ${column} IN_NUMBERS(?)`, [ids]) : session.all<Row>(select);
  const providers = await all<ProviderRow>(PROVIDERS, 'p.id');
  const inventories = gather(await all<InventoryRow>(INVENTORIES, 'i.provider_id'), inventoryOf);
  const traits = gather(await all<LabelRow>(TRAITS, 'l.provider_id'), ({ label }) => label);
  const aggregates = gather(await all<LabelRow>(AGGREGATES, 'l.provider_id'), ({ label }) => label);
  return providers.map(({ id, uuid, name, parent }) => ({
    id,
    uuid,
    name,
    parentUuid: parent ?? undefined,
    inventories: inventories.get(id) ?? [],
    traits: traits.get(id) ?? [],
    aggregates: aggregates.get(id) ?? [],
  }));
}
