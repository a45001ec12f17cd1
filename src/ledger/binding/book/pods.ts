/** Making, changing and removing pods, and the policy. */
import type { Session } from '../../store/store.ts';
import { type Limits, USUAL_LIMITS } from '../model/limits.ts';
import type { Pod, Policy } from '../model/pod.ts';
import { isEverBound } from '../tables/bindings.ts';
import { type ChangeContext, type PodAction, writeChanges } from '../tables/changes.ts';
import { changedPod, deletePod, insertPod, type PodFields, podByName, updatePod } from '../tables/pods.ts';
import { noteRemoval, readRegistry, renewKeys, writePolicy } from '../tables/registry.ts';
import { type Book, type BookRefusal, changePods, done, type Outcome, refused } from './book.ts';

export type NewPod = { readonly name: string } & Partial<Omit<PodFields, 'createdAt' | 'stateAt'>>;

/** Makes a pod inside of a change of pods, which has seen that there is none of that name. */
export async function makePod(session: Session, context: ChangeContext, pod: NewPod): Promise<Pod> {
  const fields: PodFields = {
    az: '',
    affinity: {},
    weight: null,
    cost: null,
    state: 'open',
    limits: USUAL_LIMITS,
    usage: null,
    usageAt: null,
    verdict: null,
    ...pod,
    createdAt: context.at,
    stateAt: context.at,
  };
  const made = await insertPod(session, fields, context.generation);
  await renewKeys(session);
  await writeChanges(session, context, 'add', [{ pod: made, after: made }]);
  return made;
}

export const addPod = (book: Book, actor: string, pod: NewPod): Promise<Outcome<Pod>> =>
  changePods(book, actor, async (session, context) => {
    if (await podByName(session, pod.name)) return refused({ kind: 'name-taken', pod: pod.name });
    return done(await makePod(session, context, pod));
  });

export type PodChanges = Partial<Pick<PodFields, 'az' | 'affinity' | 'weight' | 'cost' | 'state' | 'limits'>>;

/** What is stated of limits on top of those before: metrics that are not named stay as they are. */
export const limitsOver = (
  before: Limits,
  { metrics, reopen = before.reopen }: { [Key in keyof Limits]?: Limits[Key] | undefined },
): Limits => ({ metrics: { ...before.metrics, ...metrics }, reopen });

/** Changes a pod inside of a change of pods; judges exhaustion anew. @param changes or why there are none */
export async function editPod(
  session: Session,
  context: ChangeContext,
  name: string,
  action: PodAction,
  changes: (pod: Pod) => PodChanges | BookRefusal,
): Promise<Outcome<{ readonly before: Pod; readonly after: Pod }>> {
  const before = await podByName(session, name);
  if (!before) return refused({ kind: 'unknown-pod', pod: name });
  const wanted = changes(before);
  if ('kind' in wanted) return refused(wanted);
  const isNewState = wanted.state !== undefined && wanted.state !== before.state;
  const after = changedPod(before, { ...wanted, ...(isNewState ? { stateAt: context.at } : {}) });
  await updatePod(session, after, context.generation);
  if (wanted.affinity) await renewKeys(session);
  await writeChanges(session, context, action, [{ pod: after, after }]);
  return done({ before, after });
}

export const setPod = (
  book: Book,
  actor: string,
  name: string,
  changes: (pod: Pod) => PodChanges,
): Promise<Outcome<Pod>> =>
  changePods(book, actor, async (session, context) => {
    const edited = await editPod(session, context, name, 'set', changes);
    return edited.kind === 'done' ? done(edited.value.after) : edited;
  });

export const removePod = (book: Book, actor: string, name: string): Promise<Outcome<Pod>> =>
  changePods(book, actor, async (session, context) => {
    const pod = await podByName(session, name);
    if (!pod) return refused({ kind: 'unknown-pod', pod: name });
    if (await isEverBound(session, pod.id)) return refused({ kind: 'ever-bound', pod: name });
    await deletePod(session, pod.id);
    await noteRemoval(session, context.generation);
    await renewKeys(session);
    await writeChanges(session, context, 'rm', [{ pod, after: null }]);
    return done(pod);
  });

export const setPolicy = (book: Book, actor: string, changes: Partial<Policy>): Promise<Outcome<Policy>> =>
  changePods(book, actor, async (session, context) => {
    const policy = { ...(await readRegistry(session)).policy, ...changes };
    await writePolicy(session, policy);
    await writeChanges(session, context, 'policy', [{ pod: null, after: policy }]);
    return done(policy);
  });
