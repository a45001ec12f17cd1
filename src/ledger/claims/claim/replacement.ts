/** What a claim makes of its consumers, and what the history keeps of that. */
import { kept } from '../../../kit/kept.ts';
import type { Held, Owner, OwnerIds, StoredConsumer } from '../tables/consumers.ts';
import type { HistoryEntry } from '../tables/history.ts';
import type { ClaimRequest, ConsumerClaim } from './claim-request.ts';
import type { ClaimView, ViewedProvider } from './claim-view.ts';

/** A consumer of the request: as it was, and as it shall be. */
export interface Replacement {
  readonly claim: ConsumerClaim;
  readonly before: StoredConsumer | undefined;
  readonly owner: Owner;
  readonly ownerIds: OwnerIds;
  readonly held: readonly Held[];
}

/** Providers that give or take back something, by number. */
export function touchedProviders(
  view: ClaimView,
  replacements: readonly Replacement[],
): readonly ViewedProvider[] {
  const ids = new Set<number>();
  for (const { before, held } of replacements)
    for (const { providerId } of [...(before?.held ?? []), ...held]) ids.add(providerId);
  return [...view.providers.values()].filter(({ id }) => ids.has(id)).sort((a, b) => a.id - b.id);
}

/** Numbers of those of them whose generations are raised. */
export function raisedProviders(
  { raises = 'all' }: ClaimRequest,
  replacements: readonly Replacement[],
  touched: readonly ViewedProvider[],
): ReadonlySet<number> {
  if (raises === 'none') return new Set();
  if (raises === 'all') return new Set(touched.map(({ id }) => id));
  return new Set(
    replacements.flatMap(({ before, held }) =>
      (held.length > 0 ? held : (before?.held ?? [])).map(({ providerId }) => providerId),
    ),
  );
}

/** An entry a consumer and provider; two for a change of project, so that each project's use is known. */
export function historyOf(
  { action }: ClaimRequest,
  replacements: readonly Replacement[],
  touched: readonly ViewedProvider[],
  raised: ReadonlySet<number>,
): readonly HistoryEntry[] {
  const providers = new Map(touched.map((provider) => [provider.id, provider]));
  return replacements.flatMap(({ claim: { consumer }, before: past, owner, held }) => {
    const former = amountsByProvider(past?.held ?? []);
    const present = amountsByProvider(held);
    const pastProject = past?.project ?? null;
    const project = held.length > 0 ? owner.project : pastProject;
    const changesProject = past !== undefined && pastProject !== owner.project;
    const ids = [...new Set([...former.keys(), ...present.keys()])].sort((a, b) => a - b);
    return ids.flatMap((id): HistoryEntry[] => {
      const provider = providers.get(id)!;
      // Null where it was kept: the audit counts the rows that raised it.
      const generation = raised.has(id) ? provider.generation + 1 : null;
      const entry = { action, provider, generation, consumer, project };
      const before = former.get(id) ?? null;
      const after = present.get(id) ?? null;
      if (!changesProject || before === null) return [{ ...entry, before, after }];
      const given = { ...entry, project: pastProject, before, after: null };
      return after === null ? [given] : [given, { ...entry, before: null, after }];
    });
  });
}

/** Provider number to class to amount. */
function amountsByProvider(held: readonly Held[]): ReadonlyMap<number, Record<string, number>> {
  const found = new Map<number, Record<string, number>>();
  for (const { providerId, class: name, used } of held)
    kept(found, providerId, (): Record<string, number> => ({}))[name] = used;
  return found;
}
