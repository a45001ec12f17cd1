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
  const entries: HistoryEntry[] = [];
  for (const { claim, before, owner, held } of replacements) {
    const former = amountsByProvider(before?.held ?? []);
    const present = amountsByProvider(held);
    const changesProject = before !== undefined && before.project !== owner.project;
    for (const id of [...new Set([...former.keys(), ...present.keys()])].sort((a, b) => a - b)) {
      const provider = providers.get(id)!;
      // Null where it was kept: the audit counts the rows that raised it.
      const generation = raised.has(id) ? provider.generation + 1 : null;
      const entry = { action, provider, generation, consumer: claim.consumer };
      const was = former.get(id) ?? null;
      const is = present.get(id) ?? null;
      const project = held.length > 0 ? owner.project : (before?.project ?? null);
      if (!changesProject || was === null) entries.push({ ...entry, project, before: was, after: is });
      else {
        entries.push({ ...entry, project: before.project, before: was, after: null });
        if (is !== null) entries.push({ ...entry, project, before: null, after: is });
      }
    }
  }
  return entries;
}

/** Provider number to class to amount. */
function amountsByProvider(held: readonly Held[]): ReadonlyMap<number, Record<string, number>> {
  const found = new Map<number, Record<string, number>>();
  for (const { providerId, class: name, used } of held)
    kept(found, providerId, (): Record<string, number> => ({}))[name] = used;
  return found;
}
