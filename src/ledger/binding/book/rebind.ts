/** Rebinding without waiting for requests: all tenants of pods that take nothing new, or those named. */
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { rebound } from '../../results/hbind.ts';
import type { Session } from '../../store/store.ts';
import { candidates } from '../choice/choose.ts';
import { filtersOf, firstRefusal } from '../filters/filters.ts';
import { affinityText, type Binding, type Pod, type Policy, type Question } from '../model/pod.ts';
import { currentIn, currentOfTenants } from '../tables/bindings.ts';
import type { ChangeContext } from '../tables/changes.ts';
import { holdRegistry, readRegistry } from '../tables/registry.ts';
import { type Book, changeBook, done, type Outcome, refused } from './book.ts';
import { hand } from './hand-over.ts';

/** `to` is null where no pod takes the tenant, and the binding stays. */
export type Rebound = DocumentOf<typeof rebound>;

interface RebindWish {
  readonly tenants?: readonly string[] | undefined;
  readonly pod?: string | undefined;
  readonly isDry?: boolean;
}

/** Rows of one transaction: other writers get their turn between two pieces. */
const PIECE = 500;

const questionOf = ({ az, affinity }: Binding): Question => ({ az, affinity, need: {} });

/** Rebinds those whose pods refuse them; without a session only says what would be done. */
export async function rebindAll(
  session: Session | undefined,
  context: ChangeContext,
  pods: readonly Pod[],
  policy: Policy,
  bindings: readonly Binding[],
): Promise<readonly Rebound[]> {
  const byId = new Map(pods.map((pod) => [pod.id, pod]));
  const filters = filtersOf(policy);
  /** The next pod, by the one that is left, affinity and zone: it is looked for once. */
  const known = new Map<string, Pod | undefined>();
  const nextOf = (binding: Binding): Pod | undefined => {
    const key = `${binding.podId} ${affinityText(binding.affinity)} ${binding.az}`;
    if (!known.has(key)) known.set(key, candidates(pods, policy, questionOf(binding), binding.podId)[0]?.pod);
    return known.get(key);
  };
  const rebound: Rebound[] = [];
  for (const binding of bindings) {
    const from = byId.get(binding.podId)!;
    const reason = firstRefusal(filters, from, questionOf(binding))?.reason;
    if (reason === undefined) continue;
    const { tenant, az, affinity, expiresAt } = binding;
    const to = nextOf(binding);
    const said = { tenant, az, affinity, from: from.name, reason };
    if (!to) {
      rebound.push({ ...said, to: null });
      continue;
    }
    const handed = await hand(
      session,
      { tenant, az, affinity, podId: to.id, ends: binding, left: from, reason, expiresAt },
      context,
    );
    // Whoever was quicker has rebound the tenant.
    if (handed) rebound.push({ ...said, to: to.name });
  }
  return rebound;
}

/** Rebinds tenants whose pods take them no more. @throws {StoreConflict} pieces before that are kept */
export async function rebind(
  book: Book,
  actor: string,
  { tenants, pod: name, isDry }: RebindWish,
): Promise<Outcome<readonly Rebound[]>> {
  const at = book.now();
  const first = await book.store.read(async (session) => {
    const registry = await readRegistry(session);
    const pods = await book.cache.all(session, registry);
    const named = tenants && (await currentOfTenants(session, tenants));
    return { registry, pods, named };
  });
  const { named } = first;
  const only = first.pods.find((pod) => pod.name === name);
  if (name !== undefined && !only) return refused({ kind: 'unknown-pod', pod: name });
  const filters = filtersOf(first.registry.policy);
  const sources = only
    ? [only]
    : first.pods.filter((pod) =>
        firstRefusal(filters, pod, { az: pod.az, affinity: pod.affinity, need: {} }),
      );
  const rebound: Rebound[] = [];
  /** @returns number of the last row that was looked at; 0 for none */
  const piece = async (bindings: (session: Session) => Promise<readonly Binding[]>): Promise<number> => {
    const work = async (session: Session) => {
      const registry = await (isDry ? readRegistry : holdRegistry)(session);
      const pods = await book.cache.all(session, registry);
      const rows = await bindings(session);
      const context = { at, actor, generation: registry.generation };
      const part = await rebindAll(isDry ? undefined : session, context, pods, registry.policy, rows);
      return { part, last: rows.at(-1)?.id ?? 0 };
    };
    const { part, last } = await (isDry ? book.store.read(work) : changeBook(book, work));
    rebound.push(...part);
    return last;
  };
  if (tenants) {
    // Rows that come into being on the way are not looked at again.
    const ids = new Set(named!.map(({ id }) => id));
    const isMeant = ({ id, podId }: Binding): boolean => ids.has(id) && (!only || podId === only.id);
    for (const tenant of new Set(tenants))
      await piece(async (session) => (await currentOfTenants(session, [tenant])).filter(isMeant));
    return done(rebound);
  }
  for (const pod of sources) {
    let last = 0;
    do last = await piece((session) => currentIn(session, pod.id, last, PIECE));
    while (last > 0);
  }
  return done(rebound);
}
