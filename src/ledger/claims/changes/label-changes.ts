/** Traits and aggregates of providers. */
import { insertRows } from '../../store/rows.ts';
import type { Session } from '../../store/store.ts';
import { idsOf } from '../tables/names.ts';
import { aggregatesOf, traitsOf } from '../tables/providers.ts';
import { editProvider, type ProviderChanger } from './provider-write.ts';

/** The provider has these, and no others. */
async function link(
  session: Session,
  table: string,
  column: string,
  provider: number,
  ids: ReadonlyMap<string, number>,
): Promise<void> {
  await session.run(`DELETE FROM ${table} WHERE provider_id = ?`, [provider]);
  const rows = [...ids.values()].map((id) => [provider, id]);
  await insertRows(session, `${table} (provider_id, ${column})`, rows);
}

/** @param same the generation of a provider that has just these traits: Placement keeps it */
export const setTraits: ProviderChanger<[traits: readonly string[], same?: 'raises' | 'keeps']> = (
  session,
  context,
  target,
  traits,
  same = 'raises',
) =>
  editProvider(session, context, target, async ({ id }) => {
    const ids = await idsOf(session, 'traits', traits);
    const unknown = [...new Set(traits)].filter((trait) => !ids.has(trait));
    if (unknown.length > 0) return unknown.map((trait) => ({ kind: 'unknown-trait', trait }) as const);
    const before = await traitsOf(session, id);
    await link(session, 'provider_traits', 'trait_id', id, ids);
    const after = [...ids.keys()].sort();
    const keepsGeneration = same === 'keeps' && after.join() === [...before].sort().join();
    return { action: 'traits', before, after, value: {}, keepsGeneration };
  });

interface AggregateChange {
  /** UUIDs; those that nobody has named yet are made. */
  readonly aggregates: readonly string[];
  readonly names?: ReadonlyMap<string, string>;
  /** Placement before version 1.19 leaves the generation as it is. */
  readonly keepsGeneration?: boolean;
}

export const setAggregates: ProviderChanger<[change: AggregateChange]> = (
  session,
  context,
  target,
  { aggregates, names, keepsGeneration = false },
) =>
  editProvider(session, context, target, async ({ id }) => {
    const wanted = [...new Set(aggregates)].sort();
    await insertRows(
      session,
      'aggregates (uuid, name, created_at)',
      wanted.map((uuid) => [uuid, names?.get(uuid) ?? null, context.at]),
      { onConflict: 'ON CONFLICT (uuid) DO UPDATE SET name = COALESCE(excluded.name, aggregates.name)' },
    );
    const ids = await idsOf(session, 'aggregates', wanted);
    const before = (await aggregatesOf(session, id)).map(({ uuid }) => uuid);
    await link(session, 'provider_aggregates', 'aggregate_id', id, ids);
    return { action: 'aggregates', before, after: wanted, value: {}, keepsGeneration };
  });
