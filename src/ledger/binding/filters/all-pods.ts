import type { Filter } from './filter.ts';

/** Passes everything: the beginning of the chain, and a chain of its own for who wants no filters. */
export const allPods: Filter = {
  name: 'all-pods',
  about: 'passes every pod',
  refusal: () => undefined,
};
