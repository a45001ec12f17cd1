/** An administrator's word: this tenant, this pod. And the end of bindings. */
import { type Session, StoreConflict } from '../../store/store.ts';
import { affinity as affinityFilter, firstRefusal, zone } from '../filters/filters.ts';
import {
  type Affinity,
  affinityOf,
  affinityText,
  type Binding,
  type BindingReason,
  type Pod,
} from '../model/pod.ts';
import { currentOf, currentOfTenants, dueBindings, endBinding } from '../tables/bindings.ts';
import { podByName } from '../tables/pods.ts';
import { holdRegistry } from '../tables/registry.ts';
import { type Book, changeBook, done, type Outcome, refused } from './book.ts';
import { hand } from './hand-over.ts';

interface BindWish {
  readonly tenant: string;
  readonly pod: string;
  readonly az: string;
  /** undefined: what the pod is for. */
  readonly specs?: Affinity | undefined;
  readonly lastsMs?: number | undefined;
}

interface Bound {
  readonly pod: Pod;
  readonly binding: Binding;
  /** The tenant was bound there already: nothing was written. */
  readonly isKept: boolean;
}

/** Binds the tenant to the pod, exhausted and closed ones too; not where its requests would never find it. */
export const bind = (
  book: Book,
  actor: string,
  { tenant, pod: name, az, specs, lastsMs }: BindWish,
): Promise<Outcome<Bound>> =>
  changeBook(
    book,
    async (session): Promise<Outcome<Bound>> => {
      const { keys, generation } = await holdRegistry(session);
      const pod = await podByName(session, name);
      if (!pod) return refused({ kind: 'unknown-pod', pod: name });
      const affinity = specs ? affinityOf(specs, keys) : pod.affinity;
      const refusal = firstRefusal([zone, affinityFilter], pod, { az, affinity, need: {} });
      if (refusal)
        return refused({ kind: 'does-not-suit', pod: name, filter: refusal.filter, why: refusal.why });
      const own = (await currentOf(session, tenant, affinity)).find((binding) => binding.az === az);
      if (own?.podId === pod.id) return done({ pod, binding: own, isKept: true });
      const handed = await hand(
        session,
        { tenant, az, affinity, podId: pod.id, ends: own, reason: 'admin', expiresInMs: lastsMs },
        { at: book.now(), actor, generation },
      );
      if (!handed) throw new StoreConflict(`the binding of ${tenant} ended meanwhile`);
      return done({ pod, binding: handed.binding, isKept: false });
    },
    ({ kind }) => kind === 'done',
  );

/** Ends bindings. @returns those that were still current */
async function endAll(
  session: Session,
  bindings: readonly Binding[],
  now: number,
  reason: BindingReason,
): Promise<readonly Binding[]> {
  const ended: Binding[] = [];
  for (const binding of bindings) {
    const at = Math.max(now, binding.startAt);
    if (await endBinding(session, binding.id, at, reason))
      ended.push({ ...binding, endAt: at, endReason: reason });
  }
  return ended;
}

/** Ends a tenant's current bindings. @param only of this zone, or for these specs; undefined: all */
export const unbind = (
  book: Book,
  tenant: string,
  { az, specs }: { readonly az?: string | undefined; readonly specs?: Affinity | undefined } = {},
): Promise<readonly Binding[]> =>
  changeBook(book, async (session) => {
    const { keys } = await holdRegistry(session);
    const affinity = specs && affinityText(affinityOf(specs, keys));
    const isMeant = (binding: Binding): boolean =>
      (az === undefined || binding.az === az) &&
      (affinity === undefined || affinityText(binding.affinity) === affinity);
    const meant = (await currentOfTenants(session, [tenant])).filter(isMeant);
    return endAll(session, meant, book.now(), 'admin');
  });

export const expire = (book: Book): Promise<readonly Binding[]> =>
  changeBook(book, async (session) => {
    const now = book.now();
    return endAll(session, await dueBindings(session, now), now, 'expired');
  });
