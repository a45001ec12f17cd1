/** Setting and removing what providers have. */
import type { Session } from '../../store/store.ts';
import { capacityOf, type Inventory, placementInventory } from '../model/inventory.ts';
import { inventoriesOf, putInventory, type StoredInventory } from '../tables/inventories.ts';
import { idsOf } from '../tables/names.ts';
import type { StoredProvider } from '../tables/providers.ts';
import { editProvider, type ProviderChanger, type ProviderRefusal } from './provider-write.ts';

/** An inventory that now holds less than is used of it: allowed, and worth a warning. */
interface OverCapacity {
  readonly class: string;
  readonly used: number;
  readonly capacity: number;
}

export interface InventoriesSet {
  readonly overCapacity: readonly OverCapacity[];
}

const plainByClass = (inventories: Iterable<readonly [string, Inventory]>) =>
  Object.fromEntries([...inventories].map(([name, inventory]) => [name, placementInventory(inventory)]));

/** @param wanted free of problems (see inventoryProblems) @param others the provider's other classes */
export const setInventories: ProviderChanger<
  [wanted: ReadonlyMap<string, Inventory>, others: 'kept' | 'removed'],
  InventoriesSet
> = (session, context, target, wanted, others) =>
  editProvider(session, context, target, async (provider) => {
    const present = await inventoriesOf(session, provider.id);
    const classIds = await idsOf(session, 'resource_classes', [...wanted.keys()]);
    const refusals: ProviderRefusal[] = [];
    for (const name of wanted.keys())
      if (!classIds.has(name)) refusals.push({ kind: 'unknown-class', class: name });
    const leaving = others === 'removed' ? present.filter((one) => !wanted.has(one.class)) : [];
    refusals.push(...usedOnes(provider, leaving));
    if (refusals.length > 0) return refusals;

    for (const { classId } of leaving) await removeRow(session, provider.id, classId);
    for (const [name, inventory] of wanted)
      await putInventory(session, provider.id, classIds.get(name)!, inventory, context.at);
    const overCapacity = present
      .filter((one) => wanted.has(one.class) && one.used > capacityOf(wanted.get(one.class)!))
      .map(({ class: name, used }) => ({ class: name, used, capacity: capacityOf(wanted.get(name)!) }));
    const changed = present.filter((one) => wanted.has(one.class) || leaving.includes(one));
    return {
      action: 'inventory',
      before: plainByClass(changed.map((one) => [one.class, one])),
      after: plainByClass(wanted),
      value: { overCapacity },
    };
  });

/** @param classes names; undefined for all. Refused while one of them is used. */
export const removeInventories: ProviderChanger<[classes: readonly string[] | undefined]> = (
  session,
  context,
  target,
  classes,
) =>
  editProvider(session, context, target, async (provider) => {
    const { id, uuid, name: providerName } = provider;
    const present = await inventoriesOf(session, id);
    const leaving = present.filter((one) => classes?.includes(one.class) ?? true);
    const refusals: ProviderRefusal[] = [...usedOnes(provider, leaving)];
    for (const name of classes ?? [])
      if (!leaving.some((one) => one.class === name))
        refusals.push({ kind: 'no-inventory', provider: uuid, providerName, class: name });
    if (refusals.length > 0) return refusals;
    for (const { classId } of leaving) await removeRow(session, id, classId);
    return {
      action: 'inventory',
      before: plainByClass(leaving.map((one) => [one.class, one])),
      after: {},
      value: {},
    };
  });

/** Refuses what would take away inventories that somebody uses. */
export function usedOnes(
  { uuid: provider, name: providerName }: StoredProvider,
  inventories: readonly StoredInventory[],
): readonly ProviderRefusal[] {
  const classes = inventories.filter(({ used }) => used > 0).map((one) => one.class);
  return classes.length === 0 ? [] : [{ kind: 'in-use', provider, providerName, classes }];
}

const removeRow = (session: Session, providerId: number, classId: number): Promise<number> =>
  session.run('DELETE FROM inventories WHERE provider_id = ? AND class_id = ?', [providerId, classId]);
