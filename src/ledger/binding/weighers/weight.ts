import type { Weigher } from './weigher.ts';

/** The weight that an administrator gave the pod. */
export const weight: Weigher = {
  name: 'weight',
  about: 'the pod with the larger stated weight',
  value: (pod) => pod.weight ?? undefined,
};
