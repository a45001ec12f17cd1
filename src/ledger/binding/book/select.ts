/** Which pod a request goes to: the one that the tenant has, or the next. */
import { type Session, StoreConflict } from '../../store/store.ts';
import { candidates, explainChoice, type PodWord, refusalCounts, standing } from '../choice/choose.ts';
import {
  affinityOf,
  type Binding,
  type Pod,
  type Policy,
  type Question,
  type Request,
} from '../model/pod.ts';
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
  readonly isDry?: boolean;
  readonly explains?: boolean;
}

interface Answer {
  readonly question: Question;
  readonly policy: Policy;
  /** Generation of the pods that were looked at. */
  readonly generation: number;
  readonly words?: readonly PodWord[];
}

export type Selected = Answer &
  (
    | { readonly kind: 'kept'; readonly pod: Pod; readonly binding: Binding }
    | {
        readonly kind: 'bound';
        readonly pod: Pod;
        readonly binding: Binding;
        readonly ended: Binding | null;
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

/**
 * Serves a request: a current binding whose pod passes is kept, and nothing is written; else the tenant is
 * bound to the best pod that passes, and the row that it leaves ends in the same transaction.
 * @throws {StoreConflict} when others came first again and again
 */
export async function select(book: Book, request: Request, options: SelectOptions): Promise<Selected> {
  const { tenant, az, specs, need } = request;
  const { actor, lastsMs, isDry, explains } = options;
  const at = book.now();
  const first = await book.store.read(async (session) =>
    answerIn(session, await readRegistry(session), !isDry),
  );
  if (first) return first;
  return changeBook(
    book,
    // Somebody else may have bound the tenant meanwhile.
    async (session) => (await answerIn(session, await holdRegistry(session), false))!,
    ({ kind }) => kind === 'bound',
  );

  /** @returns undefined where the tenant keeps no pod, and only kept ones are asked for */
  async function answerIn(
    session: Session,
    registry: Registry,
    onlyKept: boolean,
  ): Promise<Selected | undefined> {
    const policy = { ...registry.policy, ...options.policy };
    const question = { az, affinity: affinityOf(specs, registry.keys), need };
    const bindings = await currentOf(session, tenant, question.affinity);
    const ids = bindings.map(({ podId }) => podId);
    const podOf = await book.cache.some(session, registry, ids);
    const stands = standing(bindings, podOf, policy, question, at);
    const { kept, without } = stands;
    if (onlyKept && !kept) return undefined;
    const pods = explains || !kept ? await book.cache.all(session, registry) : [];
    const words = explains ? { words: explainChoice(pods, policy, question, without) } : {};
    const answer = { question, policy, generation: registry.generation, ...words };
    if (stands.kept) return { ...answer, kind: 'kept', pod: podOf(stands.kept.podId), binding: stands.kept };
    const { leaves, reason } = stands;
    const left = leaves ? podOf(leaves.podId) : null;
    const ranked = candidates(pods, policy, question, without);
    const best = ranked[0];
    if (!best) {
      const refusedBy = refusalCounts(pods, policy, question);
      return { ...answer, kind: 'none', without, left, current: leaves ?? null, refusedBy };
    }
    const handed = await hand(
      isDry ? undefined : session,
      {
        tenant,
        az,
        affinity: question.affinity,
        podId: best.pod.id,
        ends: leaves,
        left,
        reason,
        expiresInMs: lastsMs,
      },
      { at, actor, generation: registry.generation },
    );
    if (!handed) throw new StoreConflict(`the binding of ${tenant} ended meanwhile`);
    return { ...answer, kind: 'bound', without, left, pod: best.pod, candidates: ranked, ...handed };
  }
}
