/** Why this pod and not another: each filter's and each weigher's word for each pod. */
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { podWord } from '../../results/hbind.ts';
import { filtersOf } from '../filters/filters.ts';
import type { Pod, Question } from '../model/pod.ts';
import type { Policy } from '../model/policy.ts';
import { candidates } from './choose.ts';

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
