/** The metrics of the score with their weights, in stock's order. Source: hbal(1) "CLUSTER SCORING". */

/** What each metric weighs unless `--what-if` says otherwise. */
export const METRIC_WEIGHTS = {
  free_mem_cv: 0.5,
  free_disk_cv: 0.5,
  n1_cnt: 1,
  reserved_mem_cv: 1,
  offline_all_cnt: 4,
  offline_pri_cnt: 16,
  vcpu_ratio_cv: 0.5,
  cpu_load_cv: 1,
  mem_load_cv: 1,
  disk_load_cv: 1,
  net_load_cv: 1,
  pri_tags_score: 2,
  spindles_cv: 0.5,
  free_mem_cv_forth: 0.5,
  free_disk_cv_forth: 0.5,
  vcpu_ratio_cv_forth: 0.5,
  spindles_cv_forth: 0.5,
  location_score: 1,
  location_exclusion_score: 1,
  reserved_mem_rtotal: 0.25,
} as const;

export type MetricName = keyof typeof METRIC_WEIGHTS;

export const METRIC_NAMES = Object.keys(METRIC_WEIGHTS) as readonly MetricName[];

/** Weights that differ from the usual ones: at least 0, and 0 for a metric that is to count for nothing. */
export type ChangedWeights = Readonly<Partial<Record<MetricName, number>>>;

/** The weights of a cluster, in the order of the table. */
export const weightsOf = (changed: ChangedWeights = {}): Float64Array =>
  Float64Array.from(METRIC_NAMES, (name) => changed[name] ?? METRIC_WEIGHTS[name]);
