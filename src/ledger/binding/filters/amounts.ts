import type { Filter } from './filter.ts';

/** Amounts that a request states must be free. A pod that is not measured has room for anything. */
export const amounts: Filter = {
  name: 'amounts',
  about: 'passes pods that have the stated amounts free; a pod that is not measured has',
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
