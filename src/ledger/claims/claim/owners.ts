/** Whom the consumers of a claim belong to: names, and their numbers. */
import type { Session } from '../../store/store.ts';
import type { Owner, OwnerIds, StoredConsumer } from '../tables/consumers.ts';
import { ensureIds, idsOf } from '../tables/names.ts';

/** Tables of names that come into being with the first consumer that has them. */
const TABLES = { project: 'projects', user: 'users', type: 'consumer_types' } as const;

const PARTS = ['project', 'user', 'type'] as const satisfies readonly (keyof Owner)[];

/** Whom somebody shall belong to; what is left out (undefined) is not stated. */
type Stated = { readonly [Part in keyof Owner]?: Owner[Part] | undefined };

/** Numbers of the names that are stated, by part; without those that nobody had before. */
type KnownOwners = Record<keyof Owner, ReadonlyMap<string, number>>;

const statedNames = (owners: readonly Stated[], part: keyof Owner): readonly string[] =>
  owners.map((owner) => owner[part]).filter((name) => typeof name === 'string');

export async function knownOwners(session: Session, owners: readonly Stated[]): Promise<KnownOwners> {
  const [project, user, type] = await Promise.all(
    PARTS.map((part) => idsOf(session, TABLES[part], statedNames(owners, part))),
  );
  return { project: project!, user: user!, type: type! };
}

/** Numbers, also of names that are new. @param owners of those that keep something */
export async function madeOwners(
  session: Session,
  owners: readonly Stated[],
  known: KnownOwners,
  at: number,
): Promise<KnownOwners> {
  const made = { ...known };
  for (const part of PARTS) {
    const missing = statedNames(owners, part).filter((name) => !known[part].has(name));
    if (missing.length > 0)
      made[part] = new Map([...known[part], ...(await ensureIds(session, TABLES[part], missing, at))]);
  }
  return made;
}

/** What is stated, else what the consumer had. Giving all back needs no number of a new name. */
export function ownerOf(claim: Stated, before: StoredConsumer | undefined, known: KnownOwners) {
  const owner: Record<keyof Owner, string | null> = { project: null, user: null, type: null };
  const ownerIds = { project: 0, user: 0, type: 0 };
  for (const part of PARTS) {
    const stated = claim[part];
    owner[part] = stated === undefined ? (before?.[part] ?? null) : stated;
    ownerIds[part] =
      stated === undefined ? (before?.ownerIds[part] ?? 0) : (known[part].get(stated as string) ?? 0);
  }
  return { owner, ownerIds };
}

export const ownerValues = (ids: OwnerIds): readonly (number | null)[] =>
  PARTS.map((part) => ids[part] || null);
