/** One provider or consumer with all that belongs to it, as facts. */
import { groupedBy } from '../../../kit/grouped.ts';
import type { Session } from '../../store/store.ts';
import { type End, firstEnd } from '../model/ends.ts';
import { capacityOf, type Inventory } from '../model/inventory.ts';
import { keptName } from '../model/names.ts';
import { allocationsOfProvider } from '../tables/allocations.ts';
import { byNames, consumersOf, type Owner } from '../tables/consumers.ts';
import { inventoriesOf } from '../tables/inventories.ts';
import { type Aggregate, aggregatesOf, findProvider, providerByUuid, traitsOf } from '../tables/providers.ts';

export interface ConsumerFacts extends Owner {
  readonly consumer: string;
  readonly generation: number;
  /** When the first of it goes back, in milliseconds since 1970; null: all is for good. */
  readonly expiresAt: number | null;
  readonly allocations: readonly {
    readonly provider: string;
    readonly class: string;
    readonly used: number;
    /** What of it goes back, by time. */
    readonly ends: readonly End[];
  }[];
}

export async function consumerFacts(session: Session, name: string): Promise<ConsumerFacts | undefined> {
  const [found] = (await consumersOf(session, [keptName(name)])).values();
  if (found === undefined) return undefined;
  const { uuid: consumer, generation, project, user, type, held } = found;
  const allocations = byNames(held).map(({ providerName: provider, class: className, used, ends }) => {
    return { provider, class: className, used, ends };
  });
  return { consumer, generation, project, user, type, expiresAt: firstEnd(held), allocations };
}

export interface ProviderFacts {
  readonly provider: string;
  readonly name: string;
  readonly kind: 'node' | 'pool';
  readonly generation: number;
  /** Name of the provider above. */
  readonly parent: string | null;
  readonly traits: readonly string[];
  readonly aggregates: readonly Aggregate[];
  readonly inventories: readonly (Inventory & {
    readonly class: string;
    readonly used: number;
    readonly capacity: number;
  })[];
  /** By name. */
  readonly consumers: readonly {
    readonly consumer: string;
    readonly project: string | null;
    readonly amounts: Readonly<Record<string, number>>;
  }[];
}

export async function providerFacts(
  session: Session,
  nameOrUuid: string,
): Promise<ProviderFacts | undefined> {
  const found = await findProvider(session, nameOrUuid);
  if (found === undefined) return undefined;
  const { id, uuid: provider, name, canHost, generation } = found;
  const parent = found.parent === null ? undefined : await providerByUuid(session, found.parent);
  const rows = await allocationsOfProvider(session, id);
  const consumers = [...groupedBy(rows, ({ consumer }) => consumer)].map(([consumer, held]) => ({
    consumer,
    project: held[0]!.project,
    amounts: Object.fromEntries(held.map(({ class: className, used }) => [className, used])),
  }));
  return {
    provider,
    name,
    kind: canHost === 1 ? 'node' : 'pool',
    generation,
    parent: parent?.name ?? null,
    traits: await traitsOf(session, id),
    aggregates: await aggregatesOf(session, id),
    inventories: (await inventoriesOf(session, id)).map(({ classId, updatedAt, ...one }) => ({
      ...one,
      capacity: capacityOf(one),
    })),
    consumers,
  };
}
