/** Which pod a request goes to: the one that the tenant has, or the next. */
import { type Session, StoreConflict } from '../../store/store.ts';
import { candidates, refusalCounts, type Standing, standing } from '../choice/choose.ts';
import { explainChoice, type PodWord } from '../choice/explain.ts';
import { affinityOf } from '../model/affinity.ts';
import type { Binding, Pod, Question, Request } from '../model/pod.ts';
import type { Policy } from '../model/policy.ts';
import { currentOf } from '../tables/bindings.ts';
import { holdRegistry, type Registry, readRegistry } from '../tables/registry.ts';
import type { Candidate } from '../weighers/weighers.ts';
import { type Book, changeBook } from './book.ts';
import { hand } from './hand-over.ts';

export interface SelectOptions {
  readonly actor: string;
  /** In place of what the book's policy says. */
  readonly policy?: Partial<Policy>;
  /** How long a new binding is kept, in milliseconds; without it, for good. */
  readonly lastsMs?: number | undefined;
  /** Only say what would be done. */
  readonly isDry?: boolean;
  /** Say each filter's and weigher's word for each pod. */
  readonly explains?: boolean;
}

interface Answer {
  readonly question: Question;
  readonly policy: Policy;
  /** Generation of the pods that were looked at. */
  readonly generation: number;
  /** Where they were asked for. */
  readonly words?: readonly PodWord[];
}

export type Selected = Answer &
  (
    | { readonly kind: 'kept'; readonly pod: Pod; readonly binding: Binding }
    | {
        readonly kind: 'bound';
        readonly pod: Pod;
        readonly binding: Binding;
        /** The row that ended for it. */
        readonly ended: Binding | null;
        /** The pod that it was bound to. */
        readonly left: Pod | null;
        readonly candidates: readonly Candidate[];
        /** Pod that was not looked at because the tenant was just leaving it. */
        readonly without: number | null;
      }
    /** No pod takes the tenant; rows are as they were. */
    | {
        readonly kind: 'none';
        readonly current: Binding | null;
        /** The pod that it is bound to. */
        readonly left: Pod | null;
        readonly without: number | null;
        /** Pods by the filter that refused them first. */
        readonly refusedBy: Readonly<Record<string, number>>;
      }
  );

interface Seen extends Answer {
  readonly registry: Registry;
  readonly standing: Standing;
  readonly podOf: (id: number) => Pod;
}

const policyOf = ({ policy }: Registry, stated: Partial<Policy> = {}): Policy => ({ ...policy, ...stated });

async function look(
  book: Book,
  session: Session,
  registry: Registry,
  request: Request,
  options: SelectOptions,
  at: number,
): Promise<Seen> {
  const policy = policyOf(registry, options.policy);
  const question = { az: request.az, affinity: affinityOf(request.specs, registry.keys), need: request.need };
  const bindings = await currentOf(session, request.tenant, question.affinity);
  const podOf = await book.cache.some(
    session,
    registry,
    bindings.map(({ podId }) => podId),
  );
  return {
    question,
    policy,
    generation: registry.generation,
    registry,
    podOf,
    standing: standing(bindings, podOf, policy, question, at),
  };
}

async function keptAnswer(
  book: Book,
  session: Session,
  { question, policy, generation, podOf, registry }: Seen,
  binding: Binding,
  { explains }: SelectOptions,
): Promise<Selected> {
  const words = explains
    ? { words: explainChoice(await book.cache.all(session, registry), policy, question, null) }
    : {};
  return { kind: 'kept', question, policy, generation, ...words, pod: podOf(binding.podId), binding };
}

/**
 * Serves a request: a current binding whose pod passes is kept, and nothing is written; else the tenant is
 * bound to the best pod that passes, and the row that it leaves ends in the same transaction.
 * @throws {StoreConflict} when others came first again and again
 */
export async function select(book: Book, request: Request, options: SelectOptions): Promise<Selected> {
  const at = book.now();
  const first = await book.store.read(async (session) => {
    const seen = await look(book, session, await readRegistry(session), request, options, at);
    if (seen.standing.kind === 'kept') return keptAnswer(book, session, seen, seen.standing.binding, options);
    return options.isDry ? choose(book, session, seen, request, options, at) : undefined;
  });
  if (first) return first;
  return changeBook(
    book,
    async (session) => {
      const seen = await look(book, session, await holdRegistry(session), request, options, at);
      // Somebody else may have bound the tenant meanwhile.
      if (seen.standing.kind === 'kept')
        return keptAnswer(book, session, seen, seen.standing.binding, options);
      return choose(book, session, seen, request, options, at);
    },
    ({ kind }) => kind === 'bound',
  );
}

async function choose(
  book: Book,
  session: Session,
  seen: Seen,
  request: Request,
  { actor, lastsMs, isDry, explains }: SelectOptions,
  at: number,
): Promise<Selected> {
  const { question, policy, generation, registry } = seen;
  const leaving = seen.standing.kind === 'leaves' ? seen.standing : undefined;
  const without = leaving?.without ?? null;
  const pods = await book.cache.all(session, registry);
  const words = explains ? { words: explainChoice(pods, policy, question, without) } : {};
  const left = leaving ? seen.podOf(leaving.binding.podId) : null;
  const answer = { question, policy, generation, without, left, ...words };
  const ranked = candidates(pods, policy, question, without);
  const best = ranked[0];
  if (!best) {
    const refusedBy = refusalCounts(pods, policy, question);
    return { ...answer, kind: 'none', current: leaving?.binding ?? null, refusedBy };
  }
  const handed = await hand(
    isDry ? undefined : session,
    {
      tenant: request.tenant,
      az: question.az,
      affinity: question.affinity,
      podId: best.pod.id,
      ends: leaving ? { binding: leaving.binding, reason: leaving.reason } : undefined,
      reason: leaving?.reason ?? 'initial',
      expiresInMs: lastsMs,
    },
    { at, actor, generation },
  );
  if (!handed) throw new StoreConflict(`the binding of ${request.tenant} ended meanwhile`);
  return { ...answer, kind: 'bound', pod: best.pod, candidates: ranked, ...handed };
}
