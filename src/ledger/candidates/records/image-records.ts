/** A cluster, seen as a ledger, as records for the forest. */
import { type LedgerImage, usedOf } from '../../claims/cluster/image.ts';
import { capacityOf } from '../../claims/model/inventory.ts';
import type { ProviderRecord } from '../forest/provider.ts';

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
