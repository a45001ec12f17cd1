/** All filters. A new one is a constant and its place in the list. */
import { isEmpty } from '../model/affinity.ts';
import type { Pod, Question } from '../model/pod.ts';
import type { Policy } from '../model/policy.ts';
import { exhaustion } from './exhaustion.ts';
import type { Filter, Refusal } from './filter.ts';

/** Passes everything: the beginning of the chain, and a chain of its own for who wants no filters. */
const allPods: Filter = { name: 'all-pods', refusal: () => undefined };

/** The availability zone that was asked for, or any when none was. */
export const zone: Filter = {
  name: 'az',
  refusal: (pod, { az }) =>
    az === '' || pod.az === az
      ? undefined
      : { why: pod.az === '' ? 'is in no zone' : `is in zone ${pod.az}`, reason: 'admin' },
};

/** A pod takes requests in which all pairs of its affinity occur; one without, those that ask nothing. */
export const affinity: Filter = {
  name: 'affinity',
  refusal(pod, question) {
    for (const key in pod.affinity)
      if (question.affinity[key] !== pod.affinity[key])
        return { why: `is for ${key}=${pod.affinity[key]}`, reason: 'admin' };
    if (isEmpty(pod.affinity) && !isEmpty(question.affinity))
      return { why: 'is for general use', reason: 'admin' };
    return undefined;
  },
};

/** Pods under maintenance and closed ones take no new requests. */
const state: Filter = {
  name: 'state',
  refusal(pod) {
    if (pod.state === 'open') return undefined;
    return pod.state === 'maintenance'
      ? { why: 'is under maintenance', reason: 'maintenance' }
      : { why: 'is closed', reason: 'admin' };
  },
};

/** Amounts that a request states must be free. A pod that is not measured has room for anything. */
const amounts: Filter = {
  name: 'amounts',
  refusal(pod, { need }) {
    for (const [name, amount] of Object.entries(need)) {
      if (pod.usage === null) return undefined;
      const metric = pod.metrics.find((one) => one.name === name);
      if (!metric) return { why: `has no ${name}`, reason: 'exhausted' };
      const free = metric.total - metric.used;
      if (amount > free) return { why: `${name}: ${amount} asked, ${free} free`, reason: 'exhausted' };
    }
    return undefined;
  },
};

/** In their usual order. */
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
