/** All filters, in their usual order. A new one gets its line here. */
import type { Pod, Question } from '../model/pod.ts';
import type { Policy } from '../model/policy.ts';
import { affinity } from './affinity.ts';
import { allPods } from './all-pods.ts';
import { amounts } from './amounts.ts';
import { exhaustion } from './exhaustion.ts';
import type { Filter, Refusal } from './filter.ts';
import { state } from './state.ts';
import { zone } from './zone.ts';

export const FILTERS: readonly Filter[] = [allPods, zone, affinity, state, exhaustion, amounts];

/** The filters of a policy, in its order. Names that there are not were refused when the policy was made. */
export const filtersOf = ({ filters }: Policy): readonly Filter[] =>
  filters.flatMap((name) => FILTERS.filter((filter) => filter.name === name));

/** The first filter that refuses the pod; undefined when it passes all. */
export function firstRefusal(
  filters: readonly Filter[],
  pod: Pod,
  question: Question,
): (Refusal & { readonly filter: string }) | undefined {
  for (const filter of filters) {
    const refusal = filter.refusal(pod, question);
    if (refusal) return { filter: filter.name, ...refusal };
  }
  return undefined;
}
