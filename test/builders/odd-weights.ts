/**
 * Weights of the score that `--what-if` may set: some metrics count for nothing, some for more or less than
 * they do.
 */
import type { Random } from '../../bench/generate/random.ts';
import { METRIC_NAMES, METRIC_TABLE } from '../../src/htools/cluster/metric-table.ts';
import type { Snapshot } from '../../src/htools/cluster/snapshot.ts';

/** The cluster with weights of about half of the metrics changed. */
export function withOddWeights(snapshot: Snapshot, random: Random): Snapshot {
  const changed = METRIC_NAMES.filter(() => random.chance(0.5));
  const weights = changed.map((name) => [
    name,
    random.chance(0.3) ? 0 : METRIC_TABLE[name].weight * random.real(0.25, 4),
  ]);
  return { ...snapshot, weights: Object.fromEntries(weights) };
}
