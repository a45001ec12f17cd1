import type { Filter } from './filter.ts';

/** Pods under maintenance and closed ones take no new requests. */
export const state: Filter = {
  name: 'state',
  about: 'passes open pods',
  refusal(pod) {
    if (pod.state === 'open') return undefined;
    return pod.state === 'maintenance'
      ? { why: 'is under maintenance', reason: 'maintenance' }
      : { why: 'is closed', reason: 'admin' };
  },
};
