/** Enters an image at once, with its generations: a few statements a table, not a change a consumer. */
import { insertRows } from '../../store/rows.ts';
import type { Session, SqlValue } from '../../store/store.ts';
import { removeName } from '../changes/name-changes.ts';
import { knownOwners, madeOwners, ownerOf, ownerValues } from '../claim/owners.ts';
import { isCustomName } from '../model/names.ts';
import type { Outcome } from '../model/refusal.ts';
import { type ChangeContext, type HistoryEntry, writeHistory } from '../tables/history.ts';
import { SET_COLUMNS, setValues } from '../tables/inventories.ts';
import { ensureIds } from '../tables/names.ts';
import { OwnerTotals } from '../tables/owner-totals.ts';
import { type ConsumerImage, type LedgerImage, type ProviderImage, usedOf } from './image.ts';
import { type ImportRefusal, makeRoom } from './import.ts';
import { linkProviders } from './link-providers.ts';
import { readImage } from './read-image.ts';

type Ids = ReadonlyMap<string, number>;

const KINDS_OF_NAMES = [
  ['class', 'resource_classes'],
  ['trait', 'traits'],
] as const;

/** @param mode whether what is in the ledger is removed first, or refused. */
export async function enterImage(
  session: Session,
  context: ChangeContext,
  image: LedgerImage,
  mode: 'fresh' | 'replace',
): Promise<Outcome<undefined, ImportRefusal>> {
  const present = await readImage(session);
  const room = await makeRoom(session, context, present, mode);
  if (room.kind !== 'done') return room;
  // Names that users have made here, and nowhere there.
  for (const [of, table] of KINDS_OF_NAMES) {
    const kept = new Set(image.names?.[of]);
    for (const name of present.names?.[of] ?? [])
      if (isCustomName(name) && !kept.has(name)) await removeName(session, context, table, name);
  }
  await new Entry(session, context, image).enter();
  return room;
}

class Entry {
  private readonly providers: readonly ProviderImage[];
  private readonly consumers: readonly ConsumerImage[];

  constructor(
    private readonly session: Session,
    private readonly context: ChangeContext,
    private readonly image: LedgerImage,
  ) {
    this.providers = [...image.providers.values()];
    this.consumers = [...image.consumers.values()];
  }

  async enter(): Promise<void> {
    const classes = await this.ids('resource_classes', this.image.names?.class ?? []);
    const providers = await this.enterProviders();
    await this.enterStock(providers, classes);
    await this.enterConsumers(providers, classes);
    await writeHistory(this.session, this.context, this.history(providers));
  }

  private ids(table: 'resource_classes' | 'traits' | 'aggregates', names: readonly string[]): Promise<Ids> {
    return ensureIds(this.session, table, names, this.context.at);
  }

  private insert(into: string, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    return insertRows(this.session, into, rows);
  }

  /** Their generations were counted elsewhere: the history has none of those changes. */
  private async enterProviders(): Promise<Ids> {
    const { at } = this.context;
    await this.insert(
      'resource_providers (uuid, name, can_host, generation, history_from, created_at, updated_at)',
      this.providers.map((one) => {
        const { generation = 0 } = one;
        return [one.uuid, one.name, one.canHost ? 1 : 0, generation, generation, at, at];
      }),
    );
    return linkProviders(this.session, this.providers, { parent: 'parent_id', root: 'root_id' });
  }

  private async enterStock(ids: Ids, classes: Ids): Promise<void> {
    const { at } = this.context;
    const used = usedOf(this.image);
    await this.insert(
      `inventories (provider_id, class_id, ${SET_COLUMNS}, used, created_at, updated_at)`,
      this.providers.flatMap(({ uuid, inventories }) =>
        [...inventories].map(([name, one]) => {
          const sum = used.get(uuid)?.get(name) ?? 0;
          return [ids.get(uuid)!, classes.get(name)!, ...setValues(one), sum, at, at];
        }),
      ),
    );
    const traits = await this.ids('traits', this.image.names?.trait ?? []);
    await this.insert(
      'provider_traits (provider_id, trait_id)',
      this.providers.flatMap((one) => one.traits.map((trait) => [ids.get(one.uuid)!, traits.get(trait)!])),
    );
    const uuids = this.providers.flatMap((one) => one.aggregates.map(({ uuid }) => uuid));
    const aggregates = await this.ids('aggregates', uuids);
    await this.insert(
      'provider_aggregates (provider_id, aggregate_id)',
      this.providers.flatMap((one) =>
        one.aggregates.map(({ uuid }) => [ids.get(one.uuid)!, aggregates.get(uuid)!]),
      ),
    );
  }

  private async enterConsumers(providers: Ids, classes: Ids): Promise<void> {
    const { at } = this.context;
    const before = await knownOwners(this.session, this.consumers);
    const known = await madeOwners(this.session, this.consumers, before, at);
    const owners = this.consumers.map((one) => ownerOf(one, undefined, known).ownerIds);
    await this.insert(
      'consumers (uuid, generation, project_id, user_id, type_id, created_at, updated_at)',
      this.consumers.map(({ consumer, generation = 0 }, i) => {
        return [consumer, generation, ...ownerValues(owners[i]!), at, at];
      }),
    );
    const stored = await this.session.all<{ id: number; uuid: string }>('SELECT id, uuid FROM consumers');
    const ids = new Map(stored.map(({ id, uuid }) => [uuid, id]));
    const rows: SqlValue[][] = [];
    const totals = new OwnerTotals();
    for (const [i, { consumer, allocations }] of this.consumers.entries())
      for (const [provider, amounts] of allocations)
        for (const [name, used] of amounts) {
          const held = { providerId: providers.get(provider)!, classId: classes.get(name)!, used };
          totals.add(owners[i]!, [held], 1);
          rows.push([ids.get(consumer)!, held.providerId, held.classId, used, at]);
        }
    await this.insert('allocations (consumer_id, provider_id, class_id, used, updated_at)', rows);
    await totals.write(this.session);
  }

  /** What came, by provider and by consumer and provider: whoever follows the ledger looks at all of it. */
  private history(ids: Ids): readonly HistoryEntry[] {
    const entry = (uuid: string, more: Omit<HistoryEntry, 'action'>): HistoryEntry => {
      const { name, generation = 0 } = this.image.providers.get(uuid)!;
      return { action: 'import', provider: { id: ids.get(uuid)!, name }, generation, ...more };
    };
    return [
      ...this.providers.map(({ uuid, name, parent, canHost }) =>
        entry(uuid, { after: { name, parent, can_host: canHost } }),
      ),
      ...this.consumers.flatMap(({ consumer, project, allocations }) =>
        [...allocations].map(([uuid, amounts]) =>
          entry(uuid, { consumer, project, after: Object.fromEntries(amounts) }),
        ),
      ),
    ];
  }
}
