/** A ledger's content by names. */
import { kept } from '../../../kit/kept.ts';
import type { Session } from '../../store/store.ts';
import { type Inventory, inventoryOf } from '../model/inventory.ts';
import { allConsumers } from '../tables/consumers.ts';
import { allInventories } from '../tables/inventories.ts';
import { aggregatesOf, traitsOf } from '../tables/labels.ts';
import { allNames } from '../tables/names.ts';
import { allProviders } from '../tables/providers.ts';
import { type ConsumerImage, type LedgerImage, type ProviderImage, parentsFirst } from './image.ts';

export async function readImage(session: Session): Promise<LedgerImage> {
  const rows = parentsFirst(await allProviders(session));
  const ids = rows.map(({ id }) => id);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const traits = await traitsOf(session, ids);
  const aggregates = await aggregatesOf(session, ids);
  const providers = new Map<string, ProviderImage>();
  for (const row of rows)
    providers.set(row.uuid, {
      uuid: row.uuid,
      name: row.name,
      parent: row.parent,
      canHost: row.canHost === 1,
      generation: row.generation,
      inventories: new Map(),
      traits: traits.get(row.id) ?? [],
      aggregates: aggregates.get(row.id) ?? [],
    });
  const classNames = new Map<number, string>();
  for (const stored of await allInventories(session)) {
    const { inventories } = providers.get(byId.get(stored.providerId)!.uuid)!;
    (inventories as Map<string, Inventory>).set(stored.class, inventoryOf(stored));
    classNames.set(stored.classId, stored.class);
  }
  const consumers = new Map<string, ConsumerImage>();
  for (const { uuid, held, ...consumer } of (await allConsumers(session)).values()) {
    const { project, user, type, generation, movingFrom } = consumer;
    const allocations = new Map<string, Map<string, number>>();
    const ends: ConsumerImage['ends'][number][] = [];
    for (const one of held) {
      const provider = byId.get(one.providerId)!.uuid;
      const name = classNames.get(one.classId)!;
      kept(allocations, provider, () => new Map()).set(name, one.used);
      ends.push(...one.ends.map((end) => ({ ...end, provider, class: name })));
    }
    consumers.set(uuid, { consumer: uuid, project, user, type, generation, allocations, ends, movingFrom });
  }
  const names = {
    class: await allNames(session, 'resource_classes'),
    trait: await allNames(session, 'traits'),
  };
  return { providers, consumers, names };
}
