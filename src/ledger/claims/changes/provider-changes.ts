/** Making, renaming, moving and removing providers. */
import type { Session } from '../../store/store.ts';
import { type ChangeContext, writeHistory } from '../tables/history.ts';
import { inventoriesOf } from '../tables/inventories.ts';
import {
  childrenOf,
  holdTrees,
  providerByName,
  providerByUuid,
  type StoredProvider,
  subtreeIds,
} from '../tables/providers.ts';
import { usedOnes } from './inventory-changes.ts';
import {
  editProvider,
  type ProviderChanger,
  type ProviderOutcome,
  type ProviderRefusal,
} from './provider-write.ts';

interface NewProvider {
  readonly uuid: string;
  readonly name: string;
  readonly parent: string | null;
  /** Whether instances can run on it; pools cannot. */
  readonly canHost: boolean;
}

const described = (name: string, parent: string | null, canHost: boolean) => ({
  name,
  parent,
  can_host: canHost,
});
const formerly = ({ name, parent, canHost }: StoredProvider) => described(name, parent, canHost === 1);

/** The parent, and what is in the way below it. @param name undefined for one that has its name already */
async function placeFor(session: Session, name: string | undefined, parent: string | null) {
  const above = parent === null ? undefined : await providerByUuid(session, parent);
  const refusals: ProviderRefusal[] = [];
  if (name !== undefined && (await providerByName(session, name)))
    refusals.push({ kind: 'name-taken', name });
  if (parent !== null && above === undefined) refusals.push({ kind: 'unknown-parent', parent });
  return { above, refusals };
}

export async function createProvider(
  session: Session,
  context: ChangeContext,
  { uuid, name, parent, canHost }: NewProvider,
): Promise<ProviderOutcome<{ readonly id: number }>> {
  await holdTrees(session);
  const { above, refusals } = await placeFor(session, name, parent);
  if (await providerByUuid(session, uuid)) refusals.unshift({ kind: 'uuid-taken', uuid });
  if (refusals.length > 0) return { kind: 'refused', refusals };
  const row = await session.get<{ id: number }>(
    `INSERT INTO resource_providers (uuid, name, can_host, parent_id, root_id, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    [uuid, name, canHost ? 1 : 0, above?.id ?? null, above?.rootId ?? null, context.at, context.at],
  );
  const { id } = row!;
  if (above === undefined) await session.run('UPDATE resource_providers SET root_id = id WHERE id = ?', [id]);
  const after = described(name, parent, canHost);
  await writeHistory(session, context, [
    { action: 'provider-add', provider: { id, name }, generation: 0, after },
  ]);
  return { kind: 'done', value: { id, generation: 0 } };
}

interface ProviderChange {
  readonly name?: string | undefined;
  /** UUID; null makes it a root; undefined leaves it where it is. */
  readonly parent?: string | null | undefined;
  readonly canHost?: boolean | undefined;
  /** Clients of Placement rename and move providers without raising the generation. */
  readonly keepsGeneration?: boolean;
}

/** Renames a provider, or moves it with all below it. Its generation is raised, unless it is to be kept. */
export const changeProvider: ProviderChanger<[change: ProviderChange]> = async (
  session,
  context,
  target,
  change,
) => {
  if (change.parent !== undefined) await holdTrees(session);
  return editProvider(session, context, target, async (provider) => {
    const name = change.name ?? provider.name;
    const parent = change.parent === undefined ? provider.parent : change.parent;
    const canHost = change.canHost ?? provider.canHost === 1;
    const { above, refusals } = await placeFor(session, name === provider.name ? undefined : name, parent);
    const below = await subtreeIds(session, provider.id);
    if (above !== undefined && below.includes(above.id))
      refusals.push({
        kind: 'circle',
        provider: provider.uuid,
        providerName: provider.name,
        parent: above.uuid,
        parentName: above.name,
      });
    if (refusals.length > 0) return refusals;
    await session.run('UPDATE resource_providers SET name = ?, can_host = ?, parent_id = ? WHERE id = ?', [
      name,
      canHost ? 1 : 0,
      above?.id ?? null,
      provider.id,
    ]);
    const rootId = above?.rootId ?? provider.id;
    if (rootId !== provider.rootId)
      await session.run('UPDATE resource_providers SET root_id = ? WHERE id IN_NUMBERS(?)', [rootId, below]);
    return {
      action: 'provider-set',
      before: formerly(provider),
      after: described(name, parent, canHost),
      value: {},
      keepsGeneration: change.keepsGeneration ?? false,
    };
  });
};

/** Removes a provider with inventories, traits, aggregates. Refused while it is used or has children. */
export const removeProvider: ProviderChanger<[]> = async (session, context, target) => {
  await holdTrees(session);
  return editProvider(session, context, target, async (provider) => {
    const refusals = await bindings(session, provider);
    if (refusals.length > 0) return refusals;
    for (const table of ['inventories', 'provider_traits', 'provider_aggregates'])
      await session.run(`DELETE FROM ${table} WHERE provider_id = ?`, [provider.id]);
    await session.run('UPDATE resource_providers SET root_id = NULL WHERE id = ?', [provider.id]);
    await session.run('DELETE FROM resource_providers WHERE id = ?', [provider.id]);
    return { action: 'provider-rm', before: formerly(provider), after: null, value: {} };
  });
};

async function bindings(session: Session, provider: StoredProvider): Promise<readonly ProviderRefusal[]> {
  const { id, uuid, name: providerName } = provider;
  const children = (await childrenOf(session, id)).map(({ name }) => name);
  return [
    ...(children.length > 0
      ? [{ kind: 'has-children', provider: uuid, providerName, children } as const]
      : []),
    ...usedOnes(provider, await inventoriesOf(session, id)),
  ];
}
