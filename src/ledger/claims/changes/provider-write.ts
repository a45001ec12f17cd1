/** What changes of one provider have in common: find it, compare its generation, change it, note it. */
import type { OfKinds } from '../../../kit/kinds.ts';
import type { Session } from '../../store/store.ts';
import { busy, type Outcome } from '../model/refusal.ts';
import { type ChangeContext, writeHistory } from '../tables/history.ts';
import { providerByUuid, raiseGeneration, type StoredProvider, setGeneration } from '../tables/providers.ts';

export type ProviderRefusal = OfKinds<{
  'unknown-provider': { provider: string };
  'name-taken': { name: string };
  'uuid-taken': { uuid: string };
  'unknown-parent': { parent: string };
  /** The new parent stands below the provider, or is the provider. */
  circle: { provider: string; providerName: string; parent: string; parentName: string };
  'has-children': { provider: string; providerName: string; children: readonly string[] };
  'in-use': { provider: string; providerName: string; classes: readonly string[] };
  'unknown-class': { class: string };
  'no-inventory': { provider: string; providerName: string; class: string };
  'unknown-trait': { trait: string };
}>;

export interface ProviderTarget {
  /** UUID of the provider. */
  readonly provider: string;
  /** The generation that the caller has seen; undefined: whatever it is. */
  readonly generation?: number | undefined;
}

/** What a change did, for the history; its `value` goes to the caller. */
interface ProviderEdit<Value> {
  readonly action: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly value: Value;
  /** Old clients of Placement change aggregates without raising the generation. */
  readonly keepsGeneration?: boolean;
}

export type ProviderOutcome<Value> = Outcome<Value & { readonly generation: number }, ProviderRefusal>;

export type ProviderChanger<More extends unknown[], Value = object> = (
  session: Session,
  context: ChangeContext,
  target: ProviderTarget,
  ...more: More
) => Promise<ProviderOutcome<Value>>;

/** Runs `edit`. The generation is raised once, before it, so that the provider's rows are this writer's. */
export async function editProvider<Value>(
  session: Session,
  context: ChangeContext,
  target: ProviderTarget,
  edit: (provider: StoredProvider) => Promise<ProviderEdit<Value> | readonly ProviderRefusal[]>,
): Promise<ProviderOutcome<Value>> {
  const provider = await providerByUuid(session, target.provider);
  if (provider === undefined)
    return { kind: 'refused', refusals: [{ kind: 'unknown-provider', provider: target.provider }] };
  const { uuid, name, generation: found } = provider;
  if (target.generation !== undefined && target.generation !== found)
    return {
      kind: 'conflict',
      conflict: { kind: 'provider-generation', provider: uuid, expected: target.generation, found },
    };
  if (!(await raiseGeneration(session, provider.id, found, context.at)))
    return busy(`provider ${name} changed meanwhile`);
  const edited = await edit(provider);
  if (!('action' in edited)) return { kind: 'refused', refusals: edited };
  const { action, before, after, keepsGeneration = false } = edited;
  if (keepsGeneration) await setGeneration(session, provider.id, found);
  // Null where it was kept: the audit counts the rows that raised it.
  const generation = keepsGeneration ? null : found + 1;
  await writeHistory(session, context, [{ action, provider, generation, before, after }]);
  return { kind: 'done', value: { ...edited.value, generation: generation ?? found } };
}
