/**
 * Enters all of an image at once, with the generations that it has: a hundred thousand consumers are a few
 * statements each table, where the same number of claims would be as many changes.
 */
import { insertRows } from '../../store/rows.ts';
import type { Session, SqlValue } from '../../store/store.ts';
import { removeName } from '../changes/name-changes.ts';
import { isCustomName } from '../model/names.ts';
import type { Outcome } from '../model/refusal.ts';
import type { Held } from '../tables/consumers.ts';
import { type ChangeContext, type HistoryEntry, writeHistory } from '../tables/history.ts';
import { ensureIds, type OwnerTable } from '../tables/names.ts';
import { OwnerTotals } from '../tables/owner-totals.ts';
import type { ConsumerImage, LedgerImage, ProviderImage } from './image.ts';
import { type ImportRefusal, makeRoom } from './import.ts';
import { linkProviders } from './link-providers.ts';
import { readImage } from './read-image.ts';

type Ids = ReadonlyMap<string, number>;

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
  await dropNames(session, context, present, image);
  const providers = [...image.providers.values()];
  const consumers = [...image.consumers.values()];
  const classes = await ensureIds(session, 'resource_classes', image.names?.class ?? [], context.at);
  const providerIds = await enterProviders(session, context, providers);
  await enterStock(session, context, image, providerIds, classes);
  const { consumerIds, owners } = await enterConsumers(session, context, consumers);
  const rows: SqlValue[][] = [];
  const totals = new OwnerTotals();
  for (const consumer of consumers) {
    const held = [...consumer.allocations].flatMap(([provider, amounts]) =>
      [...amounts].map(
        ([name, used]): Held => ({
          providerId: providerIds.get(provider)!,
          classId: classes.get(name)!,
          used,
          ends: [],
        }),
      ),
    );
    totals.add(owners(consumer), held, 1);
    for (const { providerId, classId, used } of held)
      rows.push([consumerIds.get(consumer.consumer)!, providerId, classId, used, context.at]);
  }
  await insertRows(session, 'allocations (consumer_id, provider_id, class_id, used, updated_at)', rows);
  await totals.write(session);
  await writeHistory(session, context, historyOf(image, providerIds));
  return room;
}

/** Names that users have made here, and nowhere there. */
async function dropNames(
  session: Session,
  context: ChangeContext,
  { names: present }: LedgerImage,
  { names: wanted }: LedgerImage,
): Promise<void> {
  const tables = { class: 'resource_classes', trait: 'traits' } as const;
  for (const of of ['class', 'trait'] as const) {
    const kept = new Set(wanted?.[of]);
    for (const name of present?.[of] ?? [])
      if (isCustomName(name) && !kept.has(name)) await removeName(session, context, tables[of], name);
  }
}

/** Their generations were counted elsewhere: the history has none of those changes. */
async function enterProviders(
  session: Session,
  { at }: ChangeContext,
  providers: readonly ProviderImage[],
): Promise<Ids> {
  await insertRows(
    session,
    'resource_providers (uuid, name, generation, history_from, can_host, created_at, updated_at)',
    providers.map(({ uuid, name, generation = 0, canHost }) => [
      uuid,
      name,
      generation,
      generation,
      canHost ? 1 : 0,
      at,
      at,
    ]),
  );
  return linkProviders(session, providers, { parent: 'parent_id', root: 'root_id' });
}

/** Inventories with what is used of them, traits and aggregates. */
async function enterStock(
  session: Session,
  context: ChangeContext,
  { providers, consumers, names }: LedgerImage,
  ids: Ids,
  classes: Ids,
): Promise<void> {
  const used = new Map<string, number>();
  for (const { allocations } of consumers.values())
    for (const [provider, amounts] of allocations)
      for (const [name, amount] of amounts) {
        const key = `${provider} ${name}`;
        used.set(key, amount + (used.get(key) ?? 0));
      }
  const list = [...providers.values()];
  await insertRows(
    session,
    `inventories (provider_id, class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio, used,
       created_at, updated_at)`,
    list.flatMap(({ uuid, inventories }) =>
      [...inventories].map(([name, one]) => [
        ids.get(uuid)!,
        classes.get(name)!,
        one.total,
        one.reserved,
        one.minUnit,
        one.maxUnit,
        one.stepSize,
        one.allocationRatio,
        used.get(`${uuid} ${name}`) ?? 0,
        context.at,
        context.at,
      ]),
    ),
  );
  const traits = await ensureIds(session, 'traits', names?.trait ?? [], context.at);
  await insertRows(
    session,
    'provider_traits (provider_id, trait_id)',
    list.flatMap((one) => one.traits.map((trait) => [ids.get(one.uuid)!, traits.get(trait)!])),
  );
  const uuids = list.flatMap(({ aggregates }) => aggregates.map(({ uuid }) => uuid));
  const aggregates = await ensureIds(session, 'aggregates', uuids, context.at);
  await insertRows(
    session,
    'provider_aggregates (provider_id, aggregate_id)',
    list.flatMap((one) => one.aggregates.map(({ uuid }) => [ids.get(one.uuid)!, aggregates.get(uuid)!])),
  );
}

async function enterConsumers(session: Session, context: ChangeContext, consumers: readonly ConsumerImage[]) {
  const idsOf = (part: 'project' | 'user' | 'type', table: OwnerTable): Promise<Ids> => {
    const stated = consumers.map((consumer) => consumer[part]).filter((name) => typeof name === 'string');
    return ensureIds(session, table, stated, context.at);
  };
  const projects = await idsOf('project', 'projects');
  const users = await idsOf('user', 'users');
  const types = await idsOf('type', 'consumer_types');
  const owners = ({ project, user, type }: ConsumerImage) => ({
    project: projects.get(project ?? '') ?? 0,
    user: users.get(user ?? '') ?? 0,
    type: types.get(type ?? '') ?? 0,
  });
  await insertRows(
    session,
    'consumers (uuid, generation, project_id, user_id, type_id, created_at, updated_at)',
    consumers.map((one) => {
      const { project, user, type } = owners(one);
      const generation = one.generation ?? 0;
      return [one.consumer, generation, project || null, user || null, type || null, context.at, context.at];
    }),
  );
  const rows = await session.all<{ id: number; uuid: string }>('SELECT id, uuid FROM consumers');
  return { consumerIds: new Map(rows.map(({ id, uuid }) => [uuid, id])), owners };
}

/** What came, by provider and by consumer and provider: whoever follows the ledger looks at all of it. */
function historyOf({ providers, consumers }: LedgerImage, ids: Ids): readonly HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  for (const { uuid, name, generation = 0, parent, canHost } of providers.values())
    entries.push({
      action: 'import',
      provider: { id: ids.get(uuid)!, name },
      generation,
      consumer: null,
      project: null,
      before: null,
      after: { name, parent, can_host: canHost },
    });
  for (const { consumer, project, allocations } of consumers.values())
    for (const [uuid, amounts] of allocations) {
      const { name, generation = 0 } = providers.get(uuid)!;
      entries.push({
        action: 'import',
        provider: { id: ids.get(uuid)!, name },
        generation,
        consumer,
        project,
        before: null,
        after: Object.fromEntries(amounts),
      });
    }
  return entries;
}
