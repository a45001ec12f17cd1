/** The rows that a claim changes, all sent before any is answered: over a network each wait costs more. */

import { kept } from '../../../kit/kept.ts';
import { insertRows } from '../../store/rows.ts';
import type { Session } from '../../store/store.ts';
import { ENDS } from '../tables/allocations.ts';
import type { Held, Owner, OwnerIds, StoredConsumer } from '../tables/consumers.ts';
import { type ChangeContext, type HistoryEntry, writeHistory } from '../tables/history.ts';
import { addUse } from '../tables/inventories.ts';
import { OwnerTotals } from '../tables/owner-totals.ts';
import { holdGeneration, raiseGeneration } from '../tables/providers.ts';
import type { ClaimRequest, ConsumerClaim } from './claim-request.ts';
import type { ClaimView, ViewedProvider } from './claim-view.ts';
import { ownerValues } from './owners.ts';

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
function raisedProviders(
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
function historyOf(
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

export const FIRST_GENERATION = 1;
/** Rows of a consumer by its name: a new one's number is not known here yet. */
const OF_CONSUMER = { row: '((SELECT id FROM consumers WHERE uuid = ?), ?, ?, ?, ?)' };
const NO_OWNER_IDS: OwnerIds = { project: 0, user: 0, type: 0 };

/**
 * Rows are locked in one order for everybody: consumers by name, providers by number, totals by key. So
 * `replacements` and `touched` are in that order.
 * @returns which consumer or provider moved on since it was read; nothing may be kept then. Else undefined
 */
export async function writeClaim(
  session: Session,
  request: ClaimRequest,
  context: ChangeContext,
  replacements: readonly Replacement[],
  touched: readonly ViewedProvider[],
): Promise<string | undefined> {
  const { at } = context;
  const raised = raisedProviders(request, replacements, touched);
  const comparing = Promise.all([
    ...replacements.map(async (replacement) =>
      (await putConsumer(session, replacement, at)) ? undefined : `consumer ${replacement.claim.consumer}`,
    ),
    ...touched.map(async ({ id, name, generation }) => {
      const isAsRead = raised.has(id)
        ? raiseGeneration(session, id, generation, at)
        : holdGeneration(session, id, generation);
      return (await isAsRead) ? undefined : `provider ${name}`;
    }),
  ]);
  const writing = Promise.all([
    writeAllocations(session, replacements, at),
    writeUse(session, replacements, touched),
    writeHistory(session, context, historyOf(request, replacements, touched, raised)),
  ]);
  // What moved on explains why something else could not be written.
  const [compared, written] = await Promise.allSettled([comparing, writing]);
  if (compared.status === 'rejected') throw compared.reason;
  const moved = compared.value.find((name) => name !== undefined);
  if (moved === undefined && written.status === 'rejected') throw written.reason;
  return moved;
}

/** So that nobody adds allocations to one that is about to go. @returns whether it was as it was read */
async function putConsumer(
  session: Session,
  { claim, before, ownerIds, held }: Replacement,
  at: number,
): Promise<boolean> {
  const owner = ownerValues(ownerIds);
  const movingFrom = claim.movingFrom === undefined ? null : JSON.stringify(claim.movingFrom);
  if (before !== undefined) {
    const changed = await session.run(
      `UPDATE consumers SET project_id = ?, user_id = ?, type_id = ?, generation = generation + 1, moving_from = ?, updated_at = ?
       WHERE id = ? AND generation = ?`,
      [...owner, movingFrom, at, before.id, before.generation],
    );
    return changed === 1;
  }
  if (held.length > 0)
    await session.run(
      `INSERT INTO consumers (uuid, project_id, user_id, type_id, generation, moving_from, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      [claim.consumer, ...owner, FIRST_GENERATION, movingFrom, at, at],
    );
  return true;
}

/** Takes away what the consumers had, and those that gave everything back; then writes what they have. */
async function writeAllocations(
  session: Session,
  replacements: readonly Replacement[],
  at: number,
): Promise<void> {
  const former = replacements.filter(({ before }) => before !== undefined);
  const gone = former.filter(({ held }) => held.length === 0);
  const rows = replacements.flatMap(({ claim, held }) =>
    held.map(({ providerId, classId, used }) => [claim.consumer, providerId, classId, used, at]),
  );
  const ends = replacements.flatMap(({ claim, held }) =>
    held.flatMap((one) =>
      one.ends.map((end) => [claim.consumer, one.providerId, one.classId, end.at, end.amount]),
    ),
  );
  const hadEnds = former.filter(({ before }) => before!.held.some((one) => one.ends.length > 0));
  const numbers = (list: readonly Replacement[]): readonly number[] => list.map(({ before }) => before!.id);
  await Promise.all([
    hadEnds.length > 0 &&
      session.run('DELETE FROM allocation_ends WHERE consumer_id IN_NUMBERS(?)', [numbers(hadEnds)]),
    former.length > 0 &&
      session.run('DELETE FROM allocations WHERE consumer_id IN_NUMBERS(?)', [numbers(former)]),
    gone.length > 0 && session.run('DELETE FROM consumers WHERE id IN_NUMBERS(?)', [numbers(gone)]),
    insertRows(
      session,
      'allocations (consumer_id, provider_id, class_id, used, updated_at)',
      rows,
      OF_CONSUMER,
    ),
    insertRows(session, ENDS, ends, OF_CONSUMER),
  ]);
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
