/** A ledger's content by names. */
import { kept } from '../../../kit/kept.ts';
import type { Session } from '../../store/store.ts';
import type { End } from '../model/ends.ts';
import { inventoryOf } from '../model/inventory.ts';
import { OWNER_COLUMNS, OWNERS } from '../tables/consumers.ts';
import { INVENTORIES, INVENTORY_COLUMNS, type UsedInventory } from '../tables/inventories.ts';
import { allNames } from '../tables/names.ts';
import { AGGREGATES, type Aggregate, allProviders, TRAITS } from '../tables/providers.ts';
import { type ConsumerImage, type FilledProvider, type LedgerImage, parentsFirst } from './image.ts';

type ConsumerRow = Pick<ConsumerImage, 'consumer' | 'project' | 'type'> &
  Required<Pick<ConsumerImage, 'user' | 'generation'>> & {
    readonly id: number;
    readonly movingFrom: string | null;
  };

const CONSUMERS = `SELECT k.id, k.uuid AS consumer, k.generation, k.moving_from AS "movingFrom", ${OWNER_COLUMNS}
  FROM consumers k ${OWNERS} ORDER BY k.uuid`;

interface PlaceRow {
  readonly consumer_id: number;
  readonly provider_id: number;
  readonly class_id: number;
}

export async function readImage(session: Session): Promise<LedgerImage> {
  const providers = new Map<number, FilledProvider>();
  for (const { id, uuid, name, parent, canHost, generation } of parentsFirst(await allProviders(session))) {
    const nothing = { inventories: new Map(), traits: [], aggregates: [] };
    providers.set(id, { uuid, name, parent, canHost: canHost === 1, generation, ...nothing });
  }
  const traits = await session.all<{ id: number; name: string }>(
    `SELECT l.provider_id AS id, t.name FROM ${TRAITS} ORDER BY t.name`,
  );
  for (const { id, name } of traits) providers.get(id)!.traits.push(name);
  const aggregates = await session.all<Aggregate & { readonly id: number }>(
    `SELECT l.provider_id AS id, a.uuid, a.name FROM ${AGGREGATES} ORDER BY a.uuid`,
  );
  for (const { id, uuid, name } of aggregates) providers.get(id)!.aggregates.push({ uuid, name });
  const classes = new Map<number, string>();
  const stock = await session.all<UsedInventory & { readonly id: number }>(
    `SELECT i.provider_id AS id, ${INVENTORY_COLUMNS} FROM ${INVENTORIES} ORDER BY i.provider_id, c.name`,
  );
  for (const stored of stock) {
    providers.get(stored.id)!.inventories.set(stored.class, inventoryOf(stored));
    classes.set(stored.classId, stored.class);
  }
  const consumers = await consumerImages(session, ({ provider_id, class_id }) => ({
    provider: providers.get(provider_id)!.uuid,
    class: classes.get(class_id)!,
  }));
  const names = {
    class: await allNames(session, 'resource_classes'),
    trait: await allNames(session, 'traits'),
  };
  return { providers: byKey(providers.values(), ({ uuid }) => uuid), consumers, names };
}

/** Each table by itself: rows that repeat a consumer for all that it has would take twice the time. */
async function consumerImages(
  session: Session,
  placeOf: (row: PlaceRow) => { readonly provider: string; readonly class: string },
): Promise<ReadonlyMap<string, ConsumerImage>> {
  const consumers = new Map(
    (await session.all<ConsumerRow>(CONSUMERS)).map(({ id, movingFrom, ...consumer }) => {
      const moving = movingFrom === null ? null : JSON.parse(movingFrom);
      const allocations = new Map<string, Map<string, number>>();
      const ends: ConsumerImage['ends'][number][] = [];
      return [id, { ...consumer, allocations, ends, movingFrom: moving }];
    }),
  );
  const allocations = await session.all<PlaceRow & { readonly used: number }>(
    'SELECT consumer_id, provider_id, class_id, used FROM allocations ORDER BY consumer_id, provider_id, class_id',
  );
  for (const row of allocations) {
    const { provider, class: name } = placeOf(row);
    // Of those of nobody the audit tells.
    const held = consumers.get(row.consumer_id)?.allocations;
    if (held) kept(held, provider, () => new Map()).set(name, row.used);
  }
  const ends = await session.all<PlaceRow & End>(
    'SELECT consumer_id, provider_id, class_id, expires_at AS at, amount FROM allocation_ends ORDER BY expires_at',
  );
  for (const row of ends)
    consumers.get(row.consumer_id)?.ends.push({ at: row.at, amount: row.amount, ...placeOf(row) });
  return byKey(consumers.values(), ({ consumer }) => consumer);
}

const byKey = <One>(list: Iterable<One>, keyOf: (one: One) => string): ReadonlyMap<string, One> =>
  new Map([...list].map((one) => [keyOf(one), one]));
