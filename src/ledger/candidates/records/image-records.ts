/** A cluster, seen as a ledger, as records for the forest. */
import type { LedgerImage } from '../../claims/cluster/image.ts';
import { capacityOf } from '../../claims/model/inventory.ts';
import type { ProviderRecord } from '../forest/provider.ts';

/** What all consumers together hold, by provider and class. */
function usedOf({ consumers }: LedgerImage): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const used = new Map<string, Map<string, number>>();
  for (const { allocations } of consumers.values())
    for (const [provider, amounts] of allocations) {
      const sums = used.get(provider) ?? new Map<string, number>();
      used.set(provider, sums);
      for (const [resourceClass, amount] of amounts)
        sums.set(resourceClass, (sums.get(resourceClass) ?? 0) + amount);
    }
  return used;
}

export function recordsOfImage(image: LedgerImage): readonly ProviderRecord[] {
  const used = usedOf(image);
  return [...image.providers.values()].map(({ uuid, name, parent, inventories, traits, aggregates }) => ({
    uuid,
    name,
    parentUuid: parent ?? undefined,
    inventories: [...inventories].map(([resourceClass, inventory]) => ({
      resourceClass,
      capacity: capacityOf(inventory),
      used: used.get(uuid)?.get(resourceClass) ?? 0,
      minUnit: inventory.minUnit,
      maxUnit: inventory.maxUnit,
      stepSize: inventory.stepSize,
    })),
    traits,
    aggregates: aggregates.map((aggregate) => aggregate.uuid),
  }));
}
