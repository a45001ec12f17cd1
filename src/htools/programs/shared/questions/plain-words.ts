/** Codes in plain words, to stand beside them: metrics of the score, the stock programs' refusals, moves. */
import type { MetricName } from '../../../cluster/metric-weights.ts';
import type { FailModeName } from '../../../cluster/refusal.ts';

/** docs/reference/metrics.md explains each. */
const METRIC_WORDS: Readonly<Record<MetricName, string>> = {
  free_mem_cv: 'uneven free memory',
  free_disk_cv: 'uneven free disk',
  n1_cnt: 'instances on nodes that fail N+1',
  reserved_mem_cv: 'uneven memory kept for failovers',
  offline_all_cnt: 'instances on offline nodes',
  offline_pri_cnt: 'primaries on offline nodes',
  vcpu_ratio_cv: 'uneven virtual cpus',
  cpu_load_cv: 'uneven cpu load',
  mem_load_cv: 'uneven memory load',
  disk_load_cv: 'uneven disk load',
  net_load_cv: 'uneven network load',
  pri_tags_score: 'primaries that should not be together',
  spindles_cv: 'uneven spindles',
  free_mem_cv_forth: 'uneven free memory, with reserved instances',
  free_disk_cv_forth: 'uneven free disk, with reserved instances',
  vcpu_ratio_cv_forth: 'uneven virtual cpus, with reserved instances',
  spindles_cv_forth: 'uneven spindles, with reserved instances',
  location_score: 'locations that both nodes share, or not as wished',
  location_exclusion_score: 'instances that should not share a location',
  reserved_mem_rtotal: 'memory kept for failovers, in all',
};

const FAIL_WORDS: Readonly<Record<FailModeName, string>> = {
  FailMem: 'memory',
  FailDisk: 'disk',
  FailCPU: 'virtual cpus',
  FailN1: 'memory for N+1',
  FailTags: 'exclusion tags',
  FailMig: 'migration tags',
  FailDiskCount: 'number of disks',
  FailSpindles: 'spindles',
  FailInternal: 'an error of this program',
};

/** @param code of the metric, as documents have it */
export const metricWords = (code: string): string => METRIC_WORDS[code as MetricName] ?? code;

/** @param code such as `FailMem` */
export const failWords = (code: string): string => FAIL_WORDS[code as FailModeName] ?? code;

const STEP_WORDS: Readonly<Record<string, string>> = { f: 'fail over', fa: 'fail over to', r: 'copy to' };

/** `f r:node10 f` as `fail over, copy to node10, fail over`. */
export const moveWords = (notation: string): string =>
  notation
    .split(' ')
    .map((step) => {
      const at = step.indexOf(':');
      return at < 0 ? (STEP_WORDS[step] ?? step) : `${STEP_WORDS[step.slice(0, at)]} ${step.slice(at + 1)}`;
    })
    .join(', ');
