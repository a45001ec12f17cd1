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
import { holdTrees } from '../tables/providers.ts';
import { type LedgerImage, type ProviderImage, usedOf } from './image.ts';
import { type ImportRefusal, makeRoom } from './import.ts';
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
  await holdTrees(session);
  const present = await readImage(session);
  const room = await makeRoom(session, context, present, mode);
  if (room.kind !== 'done') return room;
  // Names that users have made here, and nowhere there.
  for (const [of, table] of KINDS_OF_NAMES) {
    const kept = new Set(image.names?.[of]);
    for (const name of present.names?.[of] ?? [])
      if (isCustomName(name) && !kept.has(name)) await removeName(session, context, table, name);
  }
  await enter(session, context, image);
  return room;
}

async function enter(session: Session, context: ChangeContext, image: LedgerImage): Promise<void> {
  const { at } = context;
  const providers = [...image.providers.values()];
  const consumers = [...image.consumers.values()];
  const insert = (into: string, rows: readonly (readonly SqlValue[])[]) => insertRows(session, into, rows);
  const classIds = await ensureIds(session, 'resource_classes', image.names?.class ?? [], at);
  const ids = await enterProviders();
  await enterStock();
  await enterLabels();
  await enterConsumers();
  await writeHistory(session, context, history());

  /** Their generations were counted elsewhere: the history has none of those changes. */
  async function enterProviders(): Promise<Ids> {
    await insert(
      'resource_providers (uuid, name, can_host, generation, history_from, created_at, updated_at)',
      providers.map(({ uuid, name, canHost, generation = 0 }) => {
        return [uuid, name, canHost ? 1 : 0, generation, generation, at, at];
      }),
    );
    return linkProviders(session, providers, { parent: 'parent_id', root: 'root_id' });
  }

  async function enterStock(): Promise<void> {
    const used = usedOf(image);
    await insert(
      `inventories (provider_id, class_id, ${SET_COLUMNS}, used, created_at, updated_at)`,
      providers.flatMap(({ uuid, inventories }) =>
        [...inventories].map(([name, one]) => {
          const sum = used.get(uuid)?.get(name) ?? 0;
          return [ids.get(uuid)!, classIds.get(name)!, ...setValues(one), sum, at, at];
        }),
      ),
    );
  }

  async function enterLabels(): Promise<void> {
    const traitIds = await ensureIds(session, 'traits', image.names?.trait ?? [], at);
    await insert(
      'provider_traits (provider_id, trait_id)',
      providers.flatMap(({ uuid, traits }) => traits.map((trait) => [ids.get(uuid)!, traitIds.get(trait)!])),
    );
    const uuids = providers.flatMap(({ aggregates }) => aggregates.map(({ uuid }) => uuid));
    const aggregateIds = await ensureIds(session, 'aggregates', uuids, at);
    await insert(
      'provider_aggregates (provider_id, aggregate_id)',
      providers.flatMap(({ uuid, aggregates }) =>
        aggregates.map((one) => [ids.get(uuid)!, aggregateIds.get(one.uuid)!]),
      ),
    );
  }

  async function enterConsumers(): Promise<void> {
    const known = await madeOwners(session, consumers, await knownOwners(session, consumers), at);
    const owners = consumers.map((one) => ownerOf(one, undefined, known).ownerIds);
    await insert(
      'consumers (uuid, generation, project_id, user_id, type_id, created_at, updated_at)',
      consumers.map(({ consumer, generation = 0 }, i) => {
        return [consumer, generation, ...ownerValues(owners[i]!), at, at];
      }),
    );
    const stored = await session.all<{ id: number; uuid: string }>('SELECT id, uuid FROM consumers');
    const consumerIds = new Map(stored.map(({ id, uuid }) => [uuid, id]));
    const rows: SqlValue[][] = [];
    const totals = new OwnerTotals();
    for (const [i, { consumer, allocations }] of consumers.entries())
      for (const [provider, amounts] of allocations)
        for (const [name, used] of amounts) {
          const held = { providerId: ids.get(provider)!, classId: classIds.get(name)!, used };
          totals.add(owners[i]!, [held], 1);
          rows.push([consumerIds.get(consumer)!, held.providerId, held.classId, used, at]);
        }
    await insert('allocations (consumer_id, provider_id, class_id, used, updated_at)', rows);
    await totals.write(session);
  }

  /** What came, by provider and by consumer and provider: whoever follows the ledger looks at all of it. */
  function history(): readonly HistoryEntry[] {
    const entry = (uuid: string, more: Omit<HistoryEntry, 'action'>): HistoryEntry => {
      const { name, generation = 0 } = image.providers.get(uuid)!;
      return { action: 'import', provider: { id: ids.get(uuid)!, name }, generation, ...more };
    };
    return [
      ...providers.map(({ uuid, name, parent, canHost }) =>
        entry(uuid, { after: { name, parent, can_host: canHost } }),
      ),
      ...consumers.flatMap(({ consumer, project, allocations }) =>
        [...allocations].map(([uuid, amounts]) =>
          entry(uuid, { consumer, project, after: Object.fromEntries(amounts) }),
        ),
      ),
    ];
  }
}

/** @param providers parents first. @param columns of parent and root. @returns all numbers by UUID. */
export async function linkProviders(
  session: Pick<Session, 'all' | 'run'>,
  providers: Iterable<Pick<ProviderImage, 'uuid' | 'parent'>>,
  columns: { readonly parent: string; readonly root: string },
): Promise<ReadonlyMap<string, number>> {
  const rows = await session.all<{ id: number; uuid: string }>('SELECT id, uuid FROM resource_providers');
  const ids = new Map(rows.map(({ id, uuid }) => [uuid, id]));
  await session.run(`UPDATE resource_providers SET ${columns.root} = id`);
  const roots = new Map<string, number>();
  for (const { uuid, parent } of providers) {
    roots.set(uuid, parent === null ? ids.get(uuid)! : roots.get(parent)!);
    if (parent !== null)
      await session.run(
        `UPDATE resource_providers SET ${columns.parent} = ?, ${columns.root} = ? WHERE id = ?`,
        [ids.get(parent)!, roots.get(uuid)!, ids.get(uuid)!],
      );
  }
  return ids;
}
