/** Whom the consumers of a claim belong to: names, and their numbers. */
import type { Session } from '../../store/store.ts';
import type { Owner, OwnerIds, StoredConsumer } from '../tables/consumers.ts';
import { ensureIds, idsOf, type OwnerTable } from '../tables/names.ts';
import type { ConsumerClaim } from './claim-request.ts';

const PARTS = ['project', 'user', 'type'] as const satisfies readonly (keyof Owner)[];

const TABLES: Record<keyof Owner, OwnerTable> = {
  project: 'projects',
  user: 'users',
  type: 'consumer_types',
};

/** Numbers of the names that a request states, by part; without those that nobody had before. */
type KnownOwners = Record<keyof Owner, ReadonlyMap<string, number>>;

const statedNames = (claims: readonly ConsumerClaim[], part: keyof Owner): readonly string[] =>
  claims.map((claim) => claim[part]).filter((name) => typeof name === 'string');

export async function knownOwners(session: Session, claims: readonly ConsumerClaim[]): Promise<KnownOwners> {
  const [project, user, type] = await Promise.all(
    PARTS.map((part) => idsOf(session, TABLES[part], statedNames(claims, part))),
  );
  return { project: project!, user: user!, type: type! };
}

/**
 * The numbers, with new ones for names that the ledger did not have.
 * @param claims those that keep something. @param at milliseconds since 1970.
 */
export async function madeOwners(
  session: Session,
  claims: readonly ConsumerClaim[],
  known: KnownOwners,
  at: number,
): Promise<KnownOwners> {
  const made = { ...known };
  for (const part of PARTS) {
    const missing = statedNames(claims, part).filter((name) => !known[part].has(name));
    if (missing.length > 0)
      made[part] = new Map([...known[part], ...(await ensureIds(session, TABLES[part], missing, at))]);
  }
  return made;
}

/** What the claim states, else what the consumer had. Giving all back needs no number of a new name. */
export function ownerOf(
  claim: ConsumerClaim,
  before: StoredConsumer | undefined,
  known: KnownOwners,
): { readonly owner: Owner; readonly ownerIds: OwnerIds } {
  const owner = { project: null, user: null, type: null } as { -readonly [Part in keyof Owner]: Owner[Part] };
  const ownerIds = { project: 0, user: 0, type: 0 };
  for (const part of PARTS) {
    const stated = claim[part];
    owner[part] = stated === undefined ? (before?.[part] ?? null) : stated;
    ownerIds[part] =
      stated === undefined
        ? (before?.ownerIds[part] ?? 0)
        : stated === null
          ? 0
          : (known[part].get(stated) ?? 0);
  }
  return { owner, ownerIds };
}
