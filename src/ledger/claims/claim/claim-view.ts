/** What a claim looks at: its consumers as they are, the providers it touches, their stock and use. */
import { kept } from '../../../kit/kept.ts';
import type { Session } from '../../store/store.ts';
import { consumersOf, type StoredConsumer } from '../tables/consumers.ts';
import { INVENTORY_COLUMNS, type UsedInventory } from '../tables/inventories.ts';
import type { StoredProvider } from '../tables/providers.ts';

export interface ViewedProvider extends Pick<StoredProvider, 'id' | 'uuid' | 'name' | 'generation'> {
  readonly inventories: ReadonlyMap<string, UsedInventory>;
}

export interface ClaimView {
  /** By UUID; those that exist. */
  readonly consumers: ReadonlyMap<string, StoredConsumer>;
  /** By UUID. */
  readonly providers: ReadonlyMap<string, ViewedProvider>;
}

/** A provider without inventories has one row, without a class. */
type Row = Omit<ViewedProvider, 'inventories'> & (UsedInventory | { readonly classId: null });

/** Generation, inventories and use come from one statement, hence from one moment. */
const SELECT = `SELECT p.id, p.uuid, p.name, p.generation, ${INVENTORY_COLUMNS}
  FROM resource_providers p LEFT JOIN inventories i ON i.provider_id = p.id LEFT JOIN resource_classes c ON c.id = i.class_id`;

function addRows(providers: Map<string, ViewedProvider>, rows: readonly Row[]): void {
  for (const { id, uuid, name, generation, ...inventory } of rows) {
    const provider = kept(providers, uuid, () => ({ id, uuid, name, generation, inventories: new Map() }));
    if (inventory.classId !== null)
      (provider.inventories as Map<string, UsedInventory>).set(inventory.class, inventory);
  }
}

/** Reads consumers first: who changes one later raises its generation, which the claim compares. */
export async function viewFor(
  session: Session,
  consumerUuids: readonly string[],
  providerUuids: readonly string[],
): Promise<ClaimView> {
  const [consumers, rows] = await Promise.all([
    consumersOf(session, consumerUuids),
    providerUuids.length > 0
      ? session.all<Row>(`${SELECT} WHERE p.uuid IN_TEXTS(?)`, [[...new Set(providerUuids)]])
      : [],
  ]);
  const providers = new Map<string, ViewedProvider>();
  addRows(providers, rows);
  const seen = new Set(rows.map(({ id }) => id));
  const others = new Set<number>();
  for (const { held } of consumers.values())
    for (const { providerId } of held) if (!seen.has(providerId)) others.add(providerId);
  if (others.size > 0)
    addRows(providers, await session.all<Row>(`${SELECT} WHERE p.id IN_NUMBERS(?)`, [[...others]]));
  return { consumers, providers };
}
