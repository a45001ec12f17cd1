import { isEmpty } from '../model/affinity.ts';
import type { Filter } from './filter.ts';

/** A pod with an affinity takes requests in which all its pairs occur; one without takes requests that ask for nothing special. */
export const affinity: Filter = {
  name: 'affinity',
  about: 'passes pods all of whose pairs the request has; pods without any when the request has none',
  refusal(pod, question) {
    const lacking = Object.entries(pod.affinity).find(([key, value]) => question.affinity[key] !== value);
    if (lacking) return { why: `is for ${lacking[0]}=${lacking[1]}`, reason: 'admin' };
    if (isEmpty(pod.affinity) && !isEmpty(question.affinity))
      return { why: 'is for general use', reason: 'admin' };
    return undefined;
  },
};
