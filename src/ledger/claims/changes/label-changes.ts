/** Traits and aggregates of providers. */
import { insertRows } from '../../store/rows.ts';
import { idsOf } from '../tables/names.ts';
import { aggregatesOf, traitsOf } from '../tables/providers.ts';
import { editProvider, type ProviderChanger } from './provider-write.ts';

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
    await session.run('DELETE FROM provider_traits WHERE provider_id = ?', [id]);
    await insertRows(
      session,
      'provider_traits (provider_id, trait_id)',
      [...ids.values()].map((traitId) => [id, traitId]),
    );
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
    await session.run('DELETE FROM provider_aggregates WHERE provider_id = ?', [id]);
    await insertRows(
      session,
      'provider_aggregates (provider_id, aggregate_id)',
      [...ids.values()].map((aggregateId) => [id, aggregateId]),
    );
    return { action: 'aggregates', before, after: wanted, value: {}, keepsGeneration };
  });
