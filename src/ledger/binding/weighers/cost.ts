import type { Weigher } from './weigher.ts';

/** What the pod costs, in any currency: the cheaper, the better. */
export const cost: Weigher = {
  name: 'cost',
  about: 'the pod with the lower stated cost',
  value: (pod) => (pod.cost === null ? undefined : -pod.cost),
};
