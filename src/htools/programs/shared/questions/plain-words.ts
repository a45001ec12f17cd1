/** Codes in plain words, to stand beside them: metrics of the score, the stock programs' refusals, moves. */
import { METRIC_TABLE, type MetricName } from '../../../cluster/metric-table.ts';
import type { FailModeName } from '../../../cluster/refusal.ts';

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
export const metricWords = (code: string): string => METRIC_TABLE[code as MetricName]?.words ?? code;

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
