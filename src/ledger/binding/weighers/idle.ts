import { shareOf } from '../model/limits.ts';
import type { Weigher } from './weigher.ts';

/** The smallest free share over the metrics; a pod that is not measured is idle. */
export const idle: Weigher = {
  name: 'idle',
  about: 'the pod with the larger free share of its scarcest metric',
  value: ({ metrics }) =>
    metrics.reduce((least, metric) => Math.min(least, Math.max(0, 1 - shareOf(metric))), 1),
};
