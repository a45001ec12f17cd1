/**
 * The metrics of the score in stock's order, with weights, which `--what-if` changes, and words for each.
 * docs/reference/metrics.md explains each. Source: hbal(1) "CLUSTER SCORING".
 */
export const METRIC_TABLE = {
  free_mem_cv: { weight: 0.5, words: 'uneven free memory' },
  free_disk_cv: { weight: 0.5, words: 'uneven free disk' },
  n1_cnt: { weight: 1, words: 'instances on nodes that fail N+1' },
  reserved_mem_cv: { weight: 1, words: 'uneven memory kept for failovers' },
  offline_all_cnt: { weight: 4, words: 'instances on offline nodes' },
  offline_pri_cnt: { weight: 16, words: 'primaries on offline nodes' },
  vcpu_ratio_cv: { weight: 0.5, words: 'uneven virtual cpus' },
  cpu_load_cv: { weight: 1, words: 'uneven cpu load' },
  mem_load_cv: { weight: 1, words: 'uneven memory load' },
  disk_load_cv: { weight: 1, words: 'uneven disk load' },
  net_load_cv: { weight: 1, words: 'uneven network load' },
  pri_tags_score: { weight: 2, words: 'primaries that should not be together' },
  spindles_cv: { weight: 0.5, words: 'uneven spindles' },
  free_mem_cv_forth: { weight: 0.5, words: 'uneven free memory, with reserved instances' },
  free_disk_cv_forth: { weight: 0.5, words: 'uneven free disk, with reserved instances' },
  vcpu_ratio_cv_forth: { weight: 0.5, words: 'uneven virtual cpus, with reserved instances' },
  spindles_cv_forth: { weight: 0.5, words: 'uneven spindles, with reserved instances' },
  location_score: { weight: 1, words: 'locations that both nodes share, or not as wished' },
  location_exclusion_score: { weight: 1, words: 'instances that should not share a location' },
  reserved_mem_rtotal: { weight: 0.25, words: 'memory kept for failovers, in all' },
} as const;

export type MetricName = keyof typeof METRIC_TABLE;

export const METRIC_NAMES = Object.keys(METRIC_TABLE) as readonly MetricName[];

/** Weights that differ from the usual ones: at least 0, and 0 for a metric that is to count for nothing. */
export type ChangedWeights = Readonly<Partial<Record<MetricName, number>>>;

/** The weights of a cluster, in the order of the table. */
export const weightsOf = (changed: ChangedWeights = {}): Float64Array =>
  Float64Array.from(METRIC_NAMES, (name) => changed[name] ?? METRIC_TABLE[name].weight);
