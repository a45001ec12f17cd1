/** Maintenance of a pod: new requests go elsewhere until it ends. */
import { filtersOf, firstRefusal } from '../filters/filters.ts';
import type { Pod } from '../model/pod.ts';
import { currentIn, currentOf, endedByMaintenance } from '../tables/bindings.ts';
import { allPods } from '../tables/pods.ts';
import { readRegistry } from '../tables/registry.ts';
import { type Book, changePods, done, type Outcome } from './book.ts';
import { hand } from './hand-over.ts';
import { editPod } from './pods.ts';
import { type Rebound, rebindAll } from './rebind.ts';

export interface Maintained {
  readonly pod: Pod;
  readonly rebound: readonly Rebound[];
}

type Maintain = (
  book: Book,
  actor: string,
  pod: string,
  withTenants: boolean,
) => Promise<Outcome<Maintained>>;

/** Begins maintenance. @param rebindsAll all tenants leave now, in place of each with its next request */
export const startMaintenance: Maintain = (book, actor, name, rebindsAll) =>
  changePods(book, actor, async (session, context) => {
    const edited = await editPod(session, context, name, 'maintenance', ({ state }) =>
      // Its end would open what was closed for good.
      state === 'closed' ? { kind: 'closed', pod: name } : { state: 'maintenance' },
    );
    if (edited.kind === 'refused') return edited;
    const { after: pod } = edited.value;
    if (!rebindsAll) return done({ pod, rebound: [] });
    const { policy } = await readRegistry(session);
    const bindings = await currentIn(session, pod.id);
    const rebound = await rebindAll(session, context, await allPods(session), policy, bindings);
    return done({ pod, rebound });
  });

/** Ends maintenance. @param givesBack who left for it comes back, unless bound elsewhere by hand since */
export const endMaintenance: Maintain = (book, actor, name, givesBack) =>
  changePods(book, actor, async (session, context) => {
    const edited = await editPod(session, context, name, 'open', ({ state }) =>
      state === 'maintenance' ? { state: 'open' } : { kind: 'not-in-maintenance', pod: name, state },
    );
    if (edited.kind === 'refused') return edited;
    const { before, after: pod } = edited.value;
    if (!givesBack) return done({ pod, rebound: [] });
    const { policy } = await readRegistry(session);
    const names = new Map((await allPods(session)).map((one) => [one.id, one.name]));
    const rebound: Rebound[] = [];
    for (const { tenant, az, affinity } of await endedByMaintenance(session, pod.id, before.stateAt)) {
      const asked = { tenant, az, affinity };
      const current = (await currentOf(session, tenant, affinity)).find((binding) => binding.az === az);
      if (!current || current.podId === pod.id || current.reason === 'admin') continue;
      if (firstRefusal(filtersOf(policy), pod, { az, affinity, need: {} })) continue;
      const handed = await hand(
        session,
        { ...asked, podId: pod.id, ends: current, reason: 'returned', expiresAt: current.expiresAt },
        context,
      );
      if (handed)
        rebound.push({ ...asked, from: names.get(current.podId)!, to: pod.name, reason: 'returned' });
    }
    return done({ pod, rebound });
  });
