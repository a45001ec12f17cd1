import type { Weigher } from './weigher.ts';

/** The pods stand in a queue in the order in which they were made: the older, the better. */
export const age: Weigher = {
  name: 'age',
  about: 'the older pod',
  value: (pod) => -pod.createdAt,
};
