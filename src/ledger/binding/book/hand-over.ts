/** One tenant's row ends and the next begins, at the same moment. */
import type { Session } from '../../store/store.ts';
import type { Binding, BindingReason, Pod } from '../model/pod.ts';
import { endBinding, insertBinding, lastEnd } from '../tables/bindings.ts';
import type { ChangeContext } from '../tables/changes.ts';

interface HandOver extends Pick<Binding, 'tenant' | 'az' | 'affinity' | 'podId'> {
  /** Why the next begins, and the one before ends. */
  readonly reason: BindingReason;
  readonly ends?: Binding | undefined;
  /** The pod that `ends` is to, where its state may be why. */
  readonly left?: Pod | null;
  /** Milliseconds; undefined: until `expiresAt`. */
  readonly expiresInMs?: number | undefined;
  /** Milliseconds since 1970, of a row that nobody asked for: that of the one it follows. null: for good. */
  readonly expiresAt?: number | null;
}

/** Id of rows that are only thought of. */
const NO_ROW = 0;

/** @param session undefined: nothing is written @returns undefined: the row that should end had ended */
export async function hand(
  session: Session | undefined,
  { ends, left, expiresInMs, expiresAt = null, ...wanted }: HandOver,
  { at, actor, generation }: ChangeContext,
): Promise<{ readonly binding: Binding; readonly ended: Binding | null } | undefined> {
  // Clocks of several hosts differ, and a writer may have waited for its turn: no row ends before it began,
  // or begins before the last ended; and who leaves for maintenance does so in it, and comes back after it.
  const { reason } = wanted;
  const least = ends ? ends.startAt : session ? await lastEnd(session, wanted) : at;
  const moment = Math.max(at, least, reason === 'maintenance' ? left!.stateAt : 0);
  if (session && ends && !(await endBinding(session, ends.id, moment, reason))) return undefined;
  const row = {
    ...wanted,
    startAt: moment,
    endAt: null,
    expiresAt: expiresInMs === undefined ? expiresAt : moment + expiresInMs,
    endReason: null,
    actor,
    generation,
  };
  const id = session ? await insertBinding(session, row) : NO_ROW;
  const ended = ends ? { ...ends, endAt: moment, endReason: reason } : null;
  return { binding: { id, ...row }, ended };
}
