/** What a filter is, and all filters. A new one is a constant and its place in the list. */
import { hasNothing, isAtLimit, type Limits, limitOf } from '../model/limits.ts';
import { type BindingReason, isEmpty, type Pod, type Policy, type Question } from '../model/pod.ts';
import type { Metric } from '../model/usage.ts';

interface Refusal {
  /** In a few words with the figures, such as `memory: 900 of 1000 used, limit 0.9`. */
  readonly why: string;
  /** What is written into the history when a tenant has to leave the pod for this. */
  readonly reason: BindingReason;
}

interface Filter {
  readonly name: string;
  /** undefined: the pod passes. */
  readonly refusal: (pod: Pod, question: Question) => Refusal | undefined;
}

function limitWords(metric: Metric, limits: Limits): string {
  const limit = limitOf(limits, metric.name);
  return 'free' in limit ? `head room ${limit.free}` : `limit ${limit.share}`;
}

export function exhaustionWords({ metrics, limits, verdict }: Pod): string {
  if (verdict && !verdict.fits) {
    const why = verdict.why === undefined ? '' : ` (${verdict.why})`;
    return `${verdict.by}: not one more instance of ${verdict.size} fits${why}`;
  }
  if (!verdict && hasNothing(metrics)) return 'has nothing that could be used';
  const full = verdict ? [] : metrics.filter((metric) => isAtLimit(metric, limits));
  if (full.length === 0) return `was exhausted, opens again at ${limits.reopen}`;
  return full
    .map((metric) => `${metric.name}: ${metric.used} of ${metric.total} used, ${limitWords(metric, limits)}`)
    .join('; ');
}

/** Pods that have reached a threshold, or are full to the capacity planner; none that are not measured. */
const exhaustion: Filter = {
  name: 'exhausted',
  refusal: (pod) => (pod.isExhausted ? { why: exhaustionWords(pod), reason: 'exhausted' } : undefined),
};

/** Passes everything: the beginning of the chain, and a chain of its own for who wants no filters. */
const allPods: Filter = { name: 'all-pods', refusal: () => undefined };

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

/** All that there are; a policy chooses some and orders them. */
export const FILTERS: readonly Filter[] = [allPods, zone, affinity, state, exhaustion, amounts];

export const filterNames: readonly string[] = FILTERS.map(({ name }) => name);

/** The filters of a policy, in its order. Names that there are not were refused when the policy was made. */
export const filtersOf = ({ filters }: Policy): readonly Filter[] =>
  filters.flatMap((name) => FILTERS.filter((filter) => filter.name === name));

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
