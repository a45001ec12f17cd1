/** New readings of what is used of pods. */
import type { Verdict } from '../model/limits.ts';
import type { Pod } from '../model/pod.ts';
import type { Usage } from '../model/usage.ts';
import { writeChanges } from '../tables/changes.ts';
import { changedPod, podByName, updatePod } from '../tables/pods.ts';
import { type Book, type BookRefusal, changePods, done, type Outcome } from './book.ts';
import { makePod, type NewPod } from './pods.ts';

export interface Reading {
  readonly pod: string;
  /** null: nothing is known (any more). */
  readonly usage: Usage | null;
  /** The capacity planner's word, which then decides in place of the limits; null: it was not asked. */
  readonly verdict?: Verdict | null;
  /** The pod takes nothing new where it is (an unallocable node group). */
  readonly isClosed?: boolean;
}

export interface Refreshed {
  readonly before: Pod | null;
  readonly after: Pod;
}

/** All or none. @param unknown what new pods are like; undefined: a pod that there is not is refused */
export const refreshUsage = (
  book: Book,
  actor: string,
  readings: readonly Reading[],
  unknown?: Omit<NewPod, 'name'>,
): Promise<Outcome<readonly Refreshed[]>> =>
  changePods(book, actor, async (session, context) => {
    const refusals: BookRefusal[] = [];
    const refreshed: Refreshed[] = [];
    for (const { pod: name, usage, verdict = null, isClosed } of readings) {
      const before = (await podByName(session, name)) ?? null;
      if (!before && !unknown) {
        refusals.push({ kind: 'unknown-pod', pod: name });
        continue;
      }
      const pod = before ?? (await makePod(session, context, { ...unknown, name }));
      const closes = isClosed === true && pod.state === 'open';
      const after = changedPod(pod, {
        usage,
        usageAt: context.at,
        verdict,
        ...(closes ? { state: 'closed' as const, stateAt: context.at } : {}),
      });
      await updatePod(session, after, context.generation);
      refreshed.push({ before, after });
    }
    if (refusals.length > 0) return { kind: 'refused', refusals };
    await writeChanges(
      session,
      context,
      'usage',
      refreshed.map(({ after }) => ({ pod: after, after })),
    );
    return done(refreshed);
  });
