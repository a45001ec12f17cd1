/** Providers as records for the forest: those of a ledger, or of a cluster seen as one. */
import { groupedBy } from '../../../kit/grouped.ts';
import { type LedgerImage, usedOf } from '../../claims/cluster/image.ts';
import { capacityOf, type Inventory } from '../../claims/model/inventory.ts';
import { INVENTORIES, INVENTORY_COLUMNS, type UsedInventory } from '../../claims/tables/inventories.ts';
import { AGGREGATES, type StoredProvider, TRAITS } from '../../claims/tables/providers.ts';
import type { Session } from '../../store/store.ts';
import type { InventoryRecord, ProviderRecord } from '../forest/provider.ts';

type ProviderRow = Pick<StoredProvider, 'id' | 'uuid' | 'name' | 'parent'>;

interface LabelRow {
  readonly provider_id: number;
  readonly label: string;
}

/** A record, and the number that the ledger knows its provider by. */
type NumberedRecord = ProviderRecord & { readonly id: number };

const PROVIDERS = `SELECT p.id, p.uuid, p.name, q.uuid AS parent FROM resource_providers p
  LEFT JOIN resource_providers q ON q.id = p.parent_id`;
const STOCK = `SELECT i.provider_id, ${INVENTORY_COLUMNS} FROM ${INVENTORIES}`;
const TRAIT_LABELS = `SELECT l.provider_id, t.name AS label FROM ${TRAITS}`;
const AGGREGATE_LABELS = `SELECT l.provider_id, a.uuid AS label FROM ${AGGREGATES}`;

const ofProvider = ({ provider_id }: Pick<LabelRow, 'provider_id'>): number => provider_id;
const labels = (rows: readonly LabelRow[] = []): readonly string[] => rows.map(({ label }) => label);

function recordOf(resourceClass: string, inventory: Inventory, used: number): InventoryRecord {
  const { minUnit, maxUnit, stepSize } = inventory;
  return { resourceClass, capacity: capacityOf(inventory), used, minUnit, maxUnit, stepSize };
}

/** @param ids of the providers; undefined for the whole ledger. Those that do not exist are left out. */
export async function readRecords(
  session: Session,
  ids: readonly number[] | undefined,
): Promise<readonly NumberedRecord[]> {
  const all = <Row extends object>(select: string, column: string): Promise<Row[]> =>
    ids ? session.all<Row>(`${select} WHERE ${column} IN_NUMBERS(?)`, [ids]) : session.all<Row>(select);
  const providers = await all<ProviderRow>(PROVIDERS, 'p.id');
  type InventoryRow = UsedInventory & Pick<LabelRow, 'provider_id'>;
  const inventories = groupedBy(await all<InventoryRow>(STOCK, 'i.provider_id'), ofProvider);
  const traits = groupedBy(await all<LabelRow>(TRAIT_LABELS, 'l.provider_id'), ofProvider);
  const aggregates = groupedBy(await all<LabelRow>(AGGREGATE_LABELS, 'l.provider_id'), ofProvider);
  return providers.map(({ id, uuid, name, parent }) => ({
    id,
    uuid,
    name,
    parentUuid: parent ?? undefined,
    inventories: (inventories.get(id) ?? []).map((one) => recordOf(one.class, one, one.used)),
    traits: labels(traits.get(id)),
    aggregates: labels(aggregates.get(id)),
  }));
}

export function recordsOfImage(image: LedgerImage): readonly ProviderRecord[] {
  const used = usedOf(image);
  return [...image.providers.values()].map(({ uuid, name, parent, inventories, traits, aggregates }) => ({
    uuid,
    name,
    parentUuid: parent ?? undefined,
    inventories: [...inventories].map(([resourceClass, inventory]) =>
      recordOf(resourceClass, inventory, used.get(uuid)?.get(resourceClass) ?? 0),
    ),
    traits,
    aggregates: aggregates.map((aggregate) => aggregate.uuid),
  }));
}
