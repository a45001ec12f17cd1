/** One claim in one transaction: compare, and update. */
import { insertRows } from '../../../store/rows.ts';
import type { Session } from '../../../store/store.ts';
import type { ClaimRefusal, Outcome } from '../model/refusal.ts';
import type { Held, Owner, OwnerIds, StoredConsumer } from '../tables/consumers.ts';
import { type ChangeContext, type HistoryEntry, writeHistory } from '../tables/history.ts';
import { addUse } from '../tables/inventories.ts';
import { ensureIds } from '../tables/names.ts';
import { OwnerTotals } from '../tables/owner-totals.ts';
import { raiseGeneration, setGeneration } from '../tables/providers.ts';
import { checkClaim, staleConsumer } from './claim-check.ts';
import type { ClaimRequest, ConsumerClaim } from './claim-request.ts';
import { type ClaimView, type ViewedProvider, viewFor } from './claim-view.ts';
import { largestHolders } from './holders.ts';

export interface Claimed {
  /** Each consumer's generation after the claim; null when it gave everything back. In the order of the request. */
  readonly generations: readonly (number | null)[];
}

/** A consumer of the request: as it was, and as it shall be. */
interface Replacement {
  readonly claim: ConsumerClaim;
  readonly before: StoredConsumer | undefined;
  readonly owner: Owner;
  readonly ownerIds: OwnerIds;
  readonly held: readonly Held[];
}

const NO_OWNER_IDS: OwnerIds = { project: 0, user: 0, type: 0 };

/**
 * Replaces what the request's consumers hold. Rows are locked in one order for everybody: consumers by name, providers by number, totals by
 * key. A provider or a consumer that moved on since it was read ends the try as a `busy` conflict.
 */
export async function replaceAllocations(
  session: Session,
  request: ClaimRequest,
  context: ChangeContext,
): Promise<Outcome<Claimed, ClaimRefusal>> {
  const names = request.consumers.map(({ consumer }) => consumer);
  const wanted = request.consumers.flatMap(({ allocations }) => allocations.map(({ provider }) => provider));
  const view = await viewFor(session, names, wanted);
  const stale = staleConsumer(request, view);
  if (stale !== undefined) return { kind: 'conflict', conflict: stale };
  const { held, refusals } = checkClaim(request, view);
  if (refusals.length > 0) return { kind: 'refused', refusals: await withHolders(session, refusals, view) };

  const replacements = await replacementsOf(session, request, view, held);
  const generations = new Map<string, number | null>();
  for (const replacement of [...replacements].sort((a, b) =>
    a.claim.consumer < b.claim.consumer ? -1 : 1,
  )) {
    const generation = await writeConsumer(session, replacement, context.at);
    if (generation === undefined) return busy(`consumer ${replacement.claim.consumer} changed meanwhile`);
    generations.set(replacement.claim.consumer, generation);
  }
  const touched = touchedProviders(view, replacements);
  for (const provider of touched)
    if (!(await raiseGeneration(session, provider.id, provider.generation, context.at)))
      return busy(`provider ${provider.name} changed meanwhile`);
  if (request.keepsGenerations)
    for (const { id, generation } of touched) await setGeneration(session, id, generation);
  await writeUse(session, replacements, touched);
  await writeHistory(session, context, historyOf(request, replacements, touched));
  return { kind: 'done', value: { generations: names.map((name) => generations.get(name)!) } };
}

const busy = (detail: string) => ({ kind: 'conflict', conflict: { kind: 'busy', detail } }) as const;

/** Names who holds what is asked for. */
async function withHolders(
  session: Session,
  refusals: readonly ClaimRefusal[],
  view: ClaimView,
): Promise<readonly ClaimRefusal[]> {
  const named: ClaimRefusal[] = [];
  for (const refusal of refusals) {
    if (refusal.kind !== 'capacity') named.push(refusal);
    else {
      const provider = view.providers.get(refusal.provider)!;
      const { classId } = provider.inventories.get(refusal.class)!;
      named.push({ ...refusal, holders: await largestHolders(session, provider.id, classId) });
    }
  }
  return named;
}

async function replacementsOf(
  session: Session,
  request: ClaimRequest,
  view: ClaimView,
  held: readonly (readonly Held[])[],
): Promise<readonly Replacement[]> {
  const owners = request.consumers.map((claim): Owner => {
    const before = view.consumers.get(claim.consumer);
    const stated = <T>(value: T | undefined, former: T | undefined): T | null =>
      value === undefined ? (former ?? null) : value;
    return {
      project: stated(claim.project, before?.project),
      user: stated(claim.user, before?.user),
      type: stated(claim.type, before?.type),
    };
  });
  // What gives everything back needs no owner any more.
  const kept = owners.filter((_, i) => held[i]!.length > 0);
  const ids = async (table: 'projects' | 'users' | 'consumer_types', part: keyof Owner) => {
    const named = kept.map((owner) => owner[part]).filter((name) => name !== null);
    return named.length === 0 ? new Map<string, number>() : ensureIds(session, table, named);
  };
  const projects = await ids('projects', 'project');
  const users = await ids('users', 'user');
  const types = await ids('consumer_types', 'type');
  return request.consumers.map((claim, i) => {
    const { project, user, type } = owners[i]!;
    const idIn = (known: ReadonlyMap<string, number>, name: string | null): number =>
      name === null ? 0 : (known.get(name) ?? 0);
    return {
      claim,
      before: view.consumers.get(claim.consumer),
      owner: owners[i]!,
      ownerIds: { project: idIn(projects, project), user: idIn(users, user), type: idIn(types, type) },
      held: held[i]!,
    };
  });
}

/** Writes the consumer and its allocations. @returns its generation, null when it is gone, undefined when it moved on. */
async function writeConsumer(
  session: Session,
  { claim, before, ownerIds, held }: Replacement,
  at: number,
): Promise<number | null | undefined> {
  const orNull = (id: number): number | null => (id === 0 ? null : id);
  const owner = [orNull(ownerIds.project), orNull(ownerIds.user), orNull(ownerIds.type)];
  let id: number;
  let generation: number | null;
  if (before === undefined) {
    if (held.length === 0) return null;
    generation = 1;
    const row = await session.get<{ id: number }>(
      `INSERT INTO consumers (uuid, project_id, user_id, type_id, generation, expires_at, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
      [claim.consumer, ...owner, generation, claim.expiresAt ?? null, at, at],
    );
    id = row!.id;
  } else {
    id = before.id;
    generation = held.length === 0 ? null : before.generation + 1;
    // Held until the end of the transaction, so that nobody adds allocations to a consumer that is about to go.
    const expiresAt = claim.expiresAt === undefined ? before.expiresAt : claim.expiresAt;
    const changed = await session.run(
      `UPDATE consumers SET project_id = ?, user_id = ?, type_id = ?, generation = generation + 1, expires_at = ?, updated_at = ?
       WHERE id = ? AND generation = ?`,
      [...owner, expiresAt, at, id, before.generation],
    );
    if (changed !== 1) return undefined;
    await session.run('DELETE FROM allocations WHERE consumer_id = ?', [id]);
    if (generation === null) await session.run('DELETE FROM consumers WHERE id = ?', [id]);
  }
  await insertRows(
    session,
    'allocations (consumer_id, provider_id, class_id, used, updated_at)',
    held.map(({ providerId, classId, used }) => [id, providerId, classId, used, at]),
  );
  return generation;
}

/** Providers that give or take back something, by number. */
function touchedProviders(view: ClaimView, replacements: readonly Replacement[]): readonly ViewedProvider[] {
  const ids = new Set<number>();
  for (const { before, held } of replacements)
    for (const { providerId } of [...(before?.held ?? []), ...held]) ids.add(providerId);
  return [...view.providers.values()].filter(({ id }) => ids.has(id)).sort((a, b) => a.id - b.id);
}

/** The kept sums follow the allocations. */
async function writeUse(
  session: Session,
  replacements: readonly Replacement[],
  touched: readonly ViewedProvider[],
): Promise<void> {
  const totals = new OwnerTotals();
  const changes = new Map(touched.map(({ id }) => [id, new Map<number, number>()]));
  for (const { before, ownerIds, held } of replacements) {
    const steps = [
      { list: before?.held ?? [], sign: -1, owner: before?.ownerIds ?? NO_OWNER_IDS },
      { list: held, sign: 1, owner: ownerIds },
    ] as const;
    for (const { list, sign, owner } of steps) {
      totals.add(owner, list, sign);
      for (const { providerId, classId, used } of list) {
        const change = changes.get(providerId)!;
        change.set(classId, sign * used + (change.get(classId) ?? 0));
      }
    }
  }
  for (const { id } of touched) await addUse(session, id, changes.get(id)!);
  await totals.write(session);
}

/** One entry a consumer and provider; two where the consumer changes its project, so that each project's use can be followed. */
function historyOf(
  { action, keepsGenerations }: ClaimRequest,
  replacements: readonly Replacement[],
  touched: readonly ViewedProvider[],
): readonly HistoryEntry[] {
  const providers = new Map(touched.map((provider) => [provider.id, provider]));
  const entries: HistoryEntry[] = [];
  for (const { claim, before, owner, held } of replacements) {
    const former = amountsByProvider(before?.held ?? [], providers);
    const present = amountsByProvider(held, providers);
    const changesProject = before !== undefined && held.length > 0 && before.project !== owner.project;
    for (const id of [...new Set([...former.keys(), ...present.keys()])].sort((a, b) => a - b)) {
      const provider = providers.get(id)!;
      // Null where it was kept: the audit counts the rows that raised it.
      const generation = keepsGenerations ? null : provider.generation + 1;
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
function amountsByProvider(
  held: readonly Held[],
  providers: ReadonlyMap<number, ViewedProvider>,
): ReadonlyMap<number, Record<string, number>> {
  const found = new Map<number, Record<string, number>>();
  for (const { providerId, classId, used } of held) {
    const amounts = found.get(providerId) ?? {};
    for (const { classId: id, class: name } of providers.get(providerId)!.inventories.values())
      if (id === classId) amounts[name] = used;
    found.set(providerId, amounts);
  }
  return found;
}
