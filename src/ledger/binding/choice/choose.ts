/** The choice itself, pure: which binding is kept, or which pod takes the tenant. */
import { tallied } from '../../../kit/grouped.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { podWord } from '../../results/hbind.ts';
import { filtersOf, firstRefusal } from '../filters/filters.ts';
import {
  affinityText,
  type Binding,
  type BindingReason,
  type Pod,
  type Policy,
  type Question,
} from '../model/pod.ts';
import { type Candidate, weigh } from '../weighers/weighers.ts';

type Standing =
  /** This one serves; nothing is written. */
  | { readonly kept: Binding; readonly without: null }
  /** A pod is looked for. */
  | {
      readonly kept: undefined;
      /** Ends when one is found; undefined: there is none yet. */
      readonly leaves: Binding | undefined;
      readonly reason: BindingReason;
      /** The pod that must not be found; null: any may. */
      readonly without: number | null;
    };

/**
 * That of the same zone and affinity decides; else any of the same affinity whose pod passes serves, the
 * oldest first, so that no tenant is split for want of a stated zone. @param bindings the tenant's current
 * ones @param podOf their pods @param at milliseconds since 1970
 */
export function standing(
  bindings: readonly Binding[],
  podOf: (id: number) => Pod,
  policy: Policy,
  question: Question,
  at: number,
): Standing {
  const filters = filtersOf(policy);
  const affinity = affinityText(question.affinity);
  const alike = bindings.filter((binding) => affinityText(binding.affinity) === affinity);
  const own = alike.find(({ az }) => az === question.az);
  const isDue = ({ expiresAt }: Binding): boolean => expiresAt !== null && expiresAt <= at;
  if (own) {
    const refusal = firstRefusal(filters, podOf(own.podId), question);
    if (refusal) return { kept: undefined, leaves: own, reason: refusal.reason, without: own.podId };
    if (isDue(own)) return { kept: undefined, leaves: own, reason: 'expired', without: null };
    return { kept: own, without: null };
  }
  const other = [...alike]
    .sort((a, b) => a.startAt - b.startAt || a.id - b.id)
    .find((binding) => !isDue(binding) && !firstRefusal(filters, podOf(binding.podId), question));
  if (other) return { kept: other, without: null };
  return { kept: undefined, leaves: undefined, reason: 'initial', without: null };
}

/** The pods that pass, best first. @param without id of a pod that is left out; null: none is */
export function candidates(
  pods: readonly Pod[],
  policy: Policy,
  question: Question,
  without: number | null,
): readonly Candidate[] {
  const filters = filtersOf(policy);
  return weigh(
    pods.filter((pod) => pod.id !== without && !firstRefusal(filters, pod, question)),
    policy,
  );
}

export function refusalCounts(
  pods: readonly Pod[],
  policy: Policy,
  question: Question,
): Readonly<Record<string, number>> {
  const filters = filtersOf(policy);
  const first = pods.flatMap((pod) => firstRefusal(filters, pod, question)?.filter ?? []);
  return Object.fromEntries(tallied(first));
}

export type PodWord = DocumentOf<typeof podWord>;

/** One entry a pod, candidates first in their order, then the others as they stand in `pods`. */
export function explainChoice(
  pods: readonly Pod[],
  policy: Policy,
  question: Question,
  without: number | null,
): readonly PodWord[] {
  const filters = filtersOf(policy);
  const ranked = candidates(pods, policy, question, without);
  const places = new Map(ranked.map((candidate, at) => [candidate.pod.id, { ...candidate, place: at + 1 }]));
  const words = pods.map((pod): PodWord => {
    const found = places.get(pod.id);
    return {
      pod: pod.name,
      filters: filters.map(({ name, refusal }) => ({
        filter: name,
        why: refusal(pod, question)?.why ?? null,
      })),
      place: found?.place ?? null,
      total: found?.total ?? null,
      weighings: found?.weighings ?? [],
    };
  });
  return words.sort((a, b) => (a.place ?? Infinity) - (b.place ?? Infinity) || 0);
}
