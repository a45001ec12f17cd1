/** Which filters a pod must pass, in which order, and what counts when several do. */

export interface Policy {
  /** Names of filters, in the order in which they are asked. */
  readonly filters: readonly string[];
  /** Multipliers by weigher; those that are not named count 0. */
  readonly weighers: Readonly<Record<string, number>>;
}

/** The plain queue of pods: the oldest that takes the tenant. */
export const USUAL_POLICY: Policy = {
  filters: ['all-pods', 'az', 'affinity', 'state', 'exhausted', 'amounts'],
  weighers: { age: 1 },
};
