/** The document of `hbal --history`. */
import { z } from 'zod';
import { count, figure, head, listOf, mib, moment, name, names, seconds } from '../../kit/results/members.ts';

const amount = z.object({ jobs: count, copyMib: mib });

export const history = z.object({
  ...head('hbal'),
  runs: listOf({
    journal: z.string(),
    state: z
      .enum(['running', 'done', 'stopped', 'failed', 'changed', 'broken', 'held', 'broken off'])
      .describe('held: nothing was begun; broken off: the program ended without a word'),
    program: name,
    cluster: name,
    isHomeward: z.boolean().describe('whether jobs and copies are those of the way home'),
    began: moment,
    ended: moment,
    seconds,
    wanted: amount,
    done: amount,
    score: z
      .object({ before: figure, wanted: figure, reached: figure })
      .nullable()
      .describe('where the program goes by the score, and the plan was gone on with as it was'),
    why: z.array(z.string()),
  }).describe('the newest first'),
  unreadable: names.describe('journals that cannot be read'),
});
