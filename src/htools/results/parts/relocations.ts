/** Moves between groups, explained: `--explain` and `--try` of hredist, hcompress and hspread. */
import { z } from 'zod';
import {
  count,
  type DocumentOf,
  figure,
  flag,
  listOf,
  name,
  named,
  names,
} from '../../../kit/results/members.ts';
import { cost } from './common.ts';
import { hold, lift, metricChange, refusal } from './explanation.ts';

/** What a group says that does not take an instance. */
export const groupRefusal = z.object({
  group: name,
  rule: z.string(),
  nodes: count.optional(),
  needed: z.number().optional(),
  available: z.number().optional(),
  unit: z.string().optional(),
  withForthcoming: flag.optional(),
  detail: z.string().optional(),
});
export type GroupRefusal = DocumentOf<typeof groupRefusal>;

/** Where an instance is, group and nodes. */
export const groupPlace = z.object({ group: name, primary: name, secondary: name.nullable() });

export const groupChange = named('groupChange', {
  group: name,
  scoreBefore: figure,
  score: figure,
  gain: figure,
  metrics: z.array(metricChange).describe('those that change; their gains add up'),
});
export type GroupChange = DocumentOf<typeof groupChange>;

const relocationMembers = {
  instance: name,
  from: groupPlace,
  to: groupPlace,
  steps: z.array(z.string()).describe('as the text has them: f, r:NODE, ...'),
  groups: z.array(groupChange).describe('the group that it leaves, then the one that it comes to'),
  cost,
  commands: z.array(z.string()),
};

export const relocationsExplanation = named('relocationsExplanation', {
  groups: z.array(groupChange).describe('from start to end'),
  steps: listOf({
    ...relocationMembers,
    step: count,
    jobSet: count,
    alsoOpen: names.describe('groups that would have taken it as well'),
    refused: z.array(groupRefusal),
  }),
});
export type RelocationsExplanation = DocumentOf<typeof relocationsExplanation>;
export type RelocationStep = RelocationsExplanation['steps'][number];

export const relocationTry = z.object({
  ...relocationMembers,
  isAllowed: flag,
  holds: z.array(hold),
  groupRefusals: z.array(groupRefusal),
  refusals: z.array(refusal),
  lift,
});
export type RelocationTry = DocumentOf<typeof relocationTry>;
