/** One claim in one transaction: compare, and update. */
import type { Session } from '../../store/store.ts';
import { firstEnd } from '../model/ends.ts';
import { busy, type ClaimRefusal, type Holder, type Outcome } from '../model/refusal.ts';
import type { ChangeContext } from '../tables/history.ts';
import { checkClaim, staleConsumer } from './claim-check.ts';
import type { ClaimRequest } from './claim-request.ts';
import { type ClaimView, viewFor } from './claim-view.ts';
import { FIRST_GENERATION, type Replacement, touchedProviders, writeClaim } from './claim-write.ts';
import { knownOwners, madeOwners, ownerOf } from './owners.ts';

export interface Claimed {
  /** Each consumer's generation afterwards, in the request's order; null when it gave everything back. */
  readonly generations: readonly (number | null)[];
  /** When the first of what each has now goes back, ms since 1970; null: nothing does. */
  readonly ends: readonly (number | null)[];
}

/** Reads, decides, writes. What moved on since it was read gives a `busy` conflict. */
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
  const owners = await madeOwners(session, kept, known, context.at);
  const replacements = request.consumers.map((claim, i): Replacement => {
    const before = view.consumers.get(claim.consumer);
    return { claim, before, held: held[i]!, ...ownerOf(claim, before, owners) };
  });
  const byName = [...replacements].sort((a, b) => (a.claim.consumer < b.claim.consumer ? -1 : 1));
  const moved = await writeClaim(session, request, context, byName, touchedProviders(view, replacements));
  if (moved !== undefined) return busy(`${moved} changed meanwhile`);
  return {
    kind: 'done',
    value: { generations: replacements.map(generationAfter), ends: held.map(firstEnd) },
  };
}

const generationAfter = ({ before, held }: Replacement): number | null => {
  if (held.length === 0) return null;
  return before === undefined ? FIRST_GENERATION : before.generation + 1;
};

/** Names who holds what is asked for. */
const withHolders = (session: Session, refusals: readonly ClaimRefusal[], view: ClaimView) =>
  Promise.all(
    refusals.map(async (refusal) => {
      if (refusal.kind !== 'capacity') return refusal;
      const provider = view.providers.get(refusal.provider)!;
      const { classId } = provider.inventories.get(refusal.class)!;
      return { ...refusal, holders: await largestHolders(session, provider.id, classId) };
    }),
  );

/** As many as a person wants to read. */
const MOST_HOLDERS = 3;

/** Who holds the most of a provider's class; of equal ones the newest first. */
const largestHolders = (session: Session, providerId: number, classId: number): Promise<Holder[]> =>
  session.all<Holder>(
    `SELECT k.uuid AS consumer, p.external_id AS project, a.used AS used
     FROM allocations a JOIN consumers k ON k.id = a.consumer_id LEFT JOIN projects p ON p.id = k.project_id
     WHERE a.provider_id = ? AND a.class_id = ? ORDER BY a.used DESC, a.consumer_id DESC LIMIT ${MOST_HOLDERS}`,
    [providerId, classId],
  );
