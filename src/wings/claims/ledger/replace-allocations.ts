/** One claim in one transaction: compare, and update. */
import { insertRows } from '../../../store/rows.ts';
import type { Session, SqlValue } from '../../../store/store.ts';
import type { ClaimRefusal, Outcome } from '../model/refusal.ts';
import type { OwnerIds } from '../tables/consumers.ts';
import { type ChangeContext, writeHistory } from '../tables/history.ts';
import { addUse } from '../tables/inventories.ts';
import { OwnerTotals } from '../tables/owner-totals.ts';
import { raiseGeneration, setGeneration } from '../tables/providers.ts';
import { checkClaim, staleConsumer } from './claim-check.ts';
import type { ClaimRequest } from './claim-request.ts';
import { type ClaimView, type ViewedProvider, viewFor } from './claim-view.ts';
import { largestHolders } from './holders.ts';
import { knownOwners, madeOwners, ownerOf } from './owners.ts';
import { historyOf, type Replacement, touchedProviders } from './replacement.ts';

export interface Claimed {
  /** Each consumer's generation after the claim; null when it gave everything back. In the order of the request. */
  readonly generations: readonly (number | null)[];
}

const FIRST_GENERATION = 1;
const NO_OWNER_IDS: OwnerIds = { project: 0, user: 0, type: 0 };

/**
 * Replaces what the request's consumers hold. Rows are locked in one order for everybody: consumers by name, providers by number, totals by
 * key. A provider or a consumer that moved on since it was read ends the try as a `busy` conflict.
 *
 * Statements that do not need each other's answers are sent together: over a network each waiting costs more than the statement.
 */
export async function replaceAllocations(
  session: Session,
  request: ClaimRequest,
  context: ChangeContext,
): Promise<Outcome<Claimed, ClaimRefusal>> {
  const names = request.consumers.map(({ consumer }) => consumer);
  const wanted = request.consumers.flatMap(({ allocations }) => allocations.map(({ provider }) => provider));
  const [view, known] = await Promise.all([
    viewFor(session, names, wanted),
    knownOwners(session, request.consumers),
  ]);
  const stale = staleConsumer(request, view);
  if (stale !== undefined) return { kind: 'conflict', conflict: stale };
  const { held, refusals } = checkClaim(request, view);
  if (refusals.length > 0) return { kind: 'refused', refusals: await withHolders(session, refusals, view) };

  const kept = request.consumers.filter((_, i) => held[i]!.length > 0);
  const owners = await madeOwners(session, kept, known);
  const replacements = request.consumers.map((claim, i): Replacement => {
    const before = view.consumers.get(claim.consumer);
    return { claim, before, held: held[i]!, ...ownerOf(claim, before, owners) };
  });
  const generations = new Map<string, number | null>();
  const rows: SqlValue[][] = [];
  for (const replacement of [...replacements].sort((a, b) =>
    a.claim.consumer < b.claim.consumer ? -1 : 1,
  )) {
    const { consumer } = replacement.claim;
    const written = await writeConsumer(session, replacement, context.at);
    if (written === undefined) return busy(`consumer ${consumer} changed meanwhile`);
    generations.set(consumer, written.generation);
    for (const { providerId, classId, used } of replacement.held)
      rows.push([written.id, providerId, classId, used, context.at]);
  }
  const touched = touchedProviders(view, replacements);
  const [raised] = await Promise.all([
    Promise.all(touched.map(({ id, generation }) => raiseGeneration(session, id, generation, context.at))),
    insertRows(session, 'allocations (consumer_id, provider_id, class_id, used, updated_at)', rows),
  ]);
  const moved = touched.find((_, i) => !raised[i]);
  if (moved !== undefined) return busy(`provider ${moved.name} changed meanwhile`);
  await Promise.all([
    ...(request.keepsGenerations
      ? touched.map(({ id, generation }) => setGeneration(session, id, generation))
      : []),
    writeUse(session, replacements, touched),
    writeHistory(session, context, historyOf(request, replacements, touched)),
  ]);
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

/**
 * Writes the consumer, and takes away what it had.
 * @returns its number and generation (null when it is gone), undefined when it moved on.
 */
async function writeConsumer(
  session: Session,
  { claim, before, ownerIds, held }: Replacement,
  at: number,
): Promise<{ readonly id: number; readonly generation: number | null } | undefined> {
  const orNull = (id: number): number | null => (id === 0 ? null : id);
  const owner = [orNull(ownerIds.project), orNull(ownerIds.user), orNull(ownerIds.type)];
  if (before === undefined) {
    if (held.length === 0) return { id: 0, generation: null };
    const row = await session.get<{ id: number }>(
      `INSERT INTO consumers (uuid, project_id, user_id, type_id, generation, expires_at, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
      [claim.consumer, ...owner, FIRST_GENERATION, claim.expiresAt ?? null, at, at],
    );
    return { id: row!.id, generation: FIRST_GENERATION };
  }
  const { id } = before;
  // Held until the end of the transaction, so that nobody adds allocations to a consumer that is about to go.
  const expiresAt = claim.expiresAt === undefined ? before.expiresAt : claim.expiresAt;
  const changed = await session.run(
    `UPDATE consumers SET project_id = ?, user_id = ?, type_id = ?, generation = generation + 1, expires_at = ?, updated_at = ?
     WHERE id = ? AND generation = ?`,
    [...owner, expiresAt, at, id, before.generation],
  );
  if (changed !== 1) return undefined;
  const isGone = held.length === 0;
  await Promise.all([
    session.run('DELETE FROM allocations WHERE consumer_id = ?', [id]),
    isGone && session.run('DELETE FROM consumers WHERE id = ?', [id]),
  ]);
  return { id, generation: isGone ? null : before.generation + 1 };
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
  await Promise.all([
    ...touched.map(({ id }) => addUse(session, id, changes.get(id)!)),
    totals.write(session),
  ]);
}
