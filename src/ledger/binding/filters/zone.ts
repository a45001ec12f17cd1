import type { Filter } from './filter.ts';

/** The availability zone that was asked for, or any when none was. */
export const zone: Filter = {
  name: 'az',
  about: 'passes pods of the zone that is asked for; all when none is',
  refusal: (pod, { az }) =>
    az === '' || pod.az === az
      ? undefined
      : { why: pod.az === '' ? 'is in no zone' : `is in zone ${pod.az}`, reason: 'admin' },
};
