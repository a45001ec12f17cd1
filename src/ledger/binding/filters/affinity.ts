import { isEmpty } from '../model/affinity.ts';
import type { Filter } from './filter.ts';

/**
 * A pod with an affinity takes requests in which all its pairs occur; one without takes requests that ask for
 * nothing special.
 */
export const affinity: Filter = {
  name: 'affinity',
  about: 'passes pods all of whose pairs the request has; pods without any when the request has none',
  refusal(pod, question) {
    for (const key in pod.affinity)
      if (question.affinity[key] !== pod.affinity[key])
        return { why: `is for ${key}=${pod.affinity[key]}`, reason: 'admin' };
    if (isEmpty(pod.affinity) && !isEmpty(question.affinity))
      return { why: 'is for general use', reason: 'admin' };
    return undefined;
  },
};
