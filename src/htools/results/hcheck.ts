/** hcheck's document. */
import { z } from 'zod';
import { count, type DocumentOf, figure, flag, head, listOf, name } from '../../kit/results/members.ts';
import { answers, changed, healthExplanation, lintFindings } from './parts/explanation.ts';

const counts = {
  n1Fail: count.describe('nodes that are not N+1 happy'),
  conflictTags: count.describe('nodes with conflicting instances'),
  offlinePrimaries: count.describe('instances with an offline primary'),
  offlineSecondaries: count.describe('offline nodes, as the stock program counts'),
  globalN1Fail: count
    .optional()
    .describe('nodes that cannot be evacuated; absent where capacity is not checked'),
};

const counted = z.object({
  ...head('hcheck'),
  isSimulated: flag.describe('whether balancing was simulated'),
  phases: listOf({
    phase: z.enum(['initial', 'final']),
    groups: listOf({ name, uuid: z.string(), ...counts, score: figure }),
    cluster: z.object(counts),
    needsRebalance: flag,
  }),
  explanation: healthExplanation.optional(),
  ...changed,
});
export type HcheckDocument = DocumentOf<typeof counted>;

/** Of `--lint`. */
const linted = z.object({ ...head('hcheck'), lint: lintFindings, ...changed });

export const hcheck = z.union([counted, linted, answers('hcheck')]);
