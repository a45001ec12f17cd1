/** How pods are chosen. */
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { policy } from '../../results/hbind.ts';

export type Policy = DocumentOf<typeof policy>;

/** The plain queue of pods: the oldest that takes the tenant. */
export const USUAL_POLICY: Policy = {
  filters: ['all-pods', 'az', 'affinity', 'state', 'exhausted', 'amounts'],
  weighers: { age: 1 },
};
