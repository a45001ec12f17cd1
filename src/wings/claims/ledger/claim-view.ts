/** What a claim has to look at: its consumers as they are, and the providers that it touches, with their inventories and use. */
import type { Session } from '../../../store/store.ts';
import type { Inventory } from '../model/inventory.ts';
import { consumersOf, type StoredConsumer } from '../tables/consumers.ts';

export interface ViewedInventory extends Inventory {
  readonly classId: number;
  readonly class: string;
  readonly used: number;
}

export interface ViewedProvider {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  /** By name of class. */
  readonly inventories: ReadonlyMap<string, ViewedInventory>;
}

export interface ClaimView {
  /** By UUID; those that exist. */
  readonly consumers: ReadonlyMap<string, StoredConsumer>;
  /** By UUID. */
  readonly providers: ReadonlyMap<string, ViewedProvider>;
}

interface Row {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  readonly class_id: number | null;
  readonly class: string;
  readonly total: number;
  readonly reserved: number;
  readonly min_unit: number;
  readonly max_unit: number;
  readonly step_size: number;
  readonly allocation_ratio: string;
  readonly used: number;
}

/** Generation, inventories and use come from one statement, hence from one moment. */
const SELECT = `SELECT p.id, p.uuid, p.name, p.generation, i.class_id, c.name AS class, i.total, i.reserved, i.min_unit, i.max_unit,
    i.step_size, i.allocation_ratio, i.used
  FROM resource_providers p LEFT JOIN inventories i ON i.provider_id = p.id LEFT JOIN resource_classes c ON c.id = i.class_id`;

function addRows(providers: Map<string, ViewedProvider>, rows: readonly Row[]): void {
  for (const row of rows) {
    let provider = providers.get(row.uuid);
    if (provider === undefined) {
      const { id, uuid, name, generation } = row;
      provider = { id, uuid, name, generation, inventories: new Map() };
      providers.set(uuid, provider);
    }
    if (row.class_id === null) continue;
    (provider.inventories as Map<string, ViewedInventory>).set(row.class, {
      classId: row.class_id,
      class: row.class,
      used: row.used,
      total: row.total,
      reserved: row.reserved,
      minUnit: row.min_unit,
      maxUnit: row.max_unit,
      stepSize: row.step_size,
      allocationRatio: row.allocation_ratio,
    });
  }
}

/** Reads the consumers first: whoever changes one after that raises its generation, which the claim compares when it writes. */
export async function viewFor(
  session: Session,
  consumerUuids: readonly string[],
  providerUuids: readonly string[],
): Promise<ClaimView> {
  const consumers = await consumersOf(session, consumerUuids);
  const providers = new Map<string, ViewedProvider>();
  if (providerUuids.length > 0)
    addRows(
      providers,
      await session.all<Row>(`${SELECT} WHERE p.uuid IN_TEXTS(?)`, [[...new Set(providerUuids)]]),
    );
  const seen = new Set([...providers.values()].map(({ id }) => id));
  const others = new Set<number>();
  for (const { held } of consumers.values())
    for (const { providerId } of held) if (!seen.has(providerId)) others.add(providerId);
  if (others.size > 0)
    addRows(providers, await session.all<Row>(`${SELECT} WHERE p.id IN_NUMBERS(?)`, [[...others]]));
  return { consumers, providers };
}
