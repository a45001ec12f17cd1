/** `--explain`, `--why` and `--try`: scores and gains in points of the cluster score; a gain is positive. */
import { z } from 'zod';
import {
  count,
  type DocumentOf,
  figure,
  flag,
  head,
  listOf,
  maybe,
  mib,
  name,
  named,
  names,
} from '../../../kit/results/members.ts';
import { cost, failCode } from './common.ts';

export const place = z.object({ primary: name, secondary: name.nullable() });
export type NamedPlacement = DocumentOf<typeof place>;

/** What one metric of the score does; of a step only those that it changes, the largest gain first. */
export const metricChange = named('metricChange', {
  metric: z.string(),
  weight: z.number(),
  weightBefore: z.number().optional().describe('with --diff, where a change says what the metric weighs'),
  before: figure,
  after: figure,
  gain: figure.describe('weight * (before - after), or each with its own weight'),
  share: maybe.describe('part of the whole gain'),
});
export type MetricChange = DocumentOf<typeof metricChange>;

const groupFigures = z.object({
  nodes: count,
  onlineNodes: count,
  instances: count,
  freeMemMib: mib,
  freeDiskMib: mib,
  nodesFailingN1: count,
  score: figure,
});

/** What `--what-if` makes different: each group before and after, null where it is not there. */
export const whatIf = named('whatIf', {
  edits: z.array(z.string()).describe('changes in the words of --what-if'),
  groups: listOf({
    group: name,
    before: groupFigures.nullable(),
    after: groupFigures.nullable(),
    metrics: z.array(metricChange),
  })
    .optional()
    .describe('with --diff'),
});
type WhatIf = DocumentOf<typeof whatIf>;
export type GroupDifference = NonNullable<WhatIf['groups']>[number];
export type GroupFigures = NonNullable<GroupDifference['before']>;
/** With `--diff`. */
export type Difference = WhatIf & { readonly groups: readonly GroupDifference[] };

/** Members of the documents of clusters that were changed in thought. */
export const changed = { whatIf: whatIf.optional() };

/**
 * A rule that says no, as in docs/reference/rules.md, or `n1-guard`. Amounts are there where it is a matter
 * of them; the detail are tags or a storage pool.
 */
export const refusal = named('ruleRefusal', {
  rule: z.string(),
  mode: failCode,
  node: name,
  role: z.enum(['primary', 'secondary']),
  needed: z.number().optional(),
  available: z.number().optional(),
  unit: z.string().optional(),
  detail: z.string().optional(),
});
export type RuleRefusal = DocumentOf<typeof refusal>;

/** Where a move leads, and what it would make of the score. */
const candidateMembers = {
  instance: name,
  move: z.string(),
  notation: z.string(),
  from: place,
  to: place,
  score: figure,
  gain: figure,
};

export const candidate = z.object(candidateMembers);
export type Candidate = DocumentOf<typeof candidate>;

/** Changes in the words of `--what-if` after which the rules allow it; null = none of this kind. */
export const lift = z.array(z.string()).nullable();
/** Refusals in the order in which they show: each later one once those before it are lifted. */
export const refusedCandidate = named('refusedCandidate', {
  ...candidateMembers,
  refusals: z.array(refusal),
  lift,
});
export type RefusedCandidate = DocumentOf<typeof refusedCandidate>;

export const planExplanation = named('planExplanation', {
  group: name,
  initialScore: figure,
  finalScore: figure,
  metrics: z.array(metricChange),
  steps: listOf({
    ...candidateMembers,
    step: count,
    scoreBefore: figure,
    metrics: z.array(metricChange),
    cost,
    jobSet: count,
    /** What would have gained more at this point, the best of each instance, the largest gain first. */
    refused: z.array(refusedCandidate),
  }),
  refusedAtEnd: z.array(refusedCandidate),
  /** Those whose moves were too many to be looked at for refusals. */
  instancesNotLookedAt: count,
});
export type PlanExplanation = DocumentOf<typeof planExplanation>;
export type StepExplanation = PlanExplanation['steps'][number];

/** `offline`, `n-plus-one`, `exclusion-tags`, `together`, `pinned`, `keep-off` or `pool-access`. */
const brokenRule = z.object({
  rule: z.string(),
  instances: names,
  nodes: names,
  detail: z.string().optional().describe('the tag or the set'),
});

const mendingMembers = {
  before: z.array(brokenRule),
  after: z.array(brokenRule),
  brokenBefore: count.describe('how many times rules are broken by what may move'),
  brokenAfter: count,
  isFewest: flag.describe('whether it is proven that fewer moves would leave more broken'),
  isCheapest: flag,
};

/** What `--only-rules` came to. */
export const mending = named('mending', mendingMembers);
export type MendingFacts = DocumentOf<typeof mending>;
export type BrokenRuleFacts = MendingFacts['before'][number];

/** What `hcheck --explain` says of a group. */
export const healthExplanation = listOf({
  group: name,
  score: figure,
  ...mendingMembers,
  steps: listOf({ ...candidateMembers, cost, commands: z.array(z.string()) }).describe(
    'what would mend what is broken',
  ),
  cost: cost.describe('of all steps together'),
});
export type HealthExplanation = DocumentOf<typeof healthExplanation>[number];

/** What `hcheck --lint` finds: the subject is as `instance web1`, `node node1`, `the cluster`. */
export const lintFindings = listOf({
  kind: z.enum(['unknown', 'unmatched', 'contradiction', 'unmeetable']),
  subject: z.string(),
  tag: z.string(),
  problem: z.string(),
  remedy: z.string(),
});
export type LintFinding = DocumentOf<typeof lintFindings>[number];

/** Why it does not move by itself: `not-movable`, `template`, `sticky`...; no lift where an option does. */
export const hold = z.object({ rule: z.string(), lift });
export type Hold = DocumentOf<typeof hold>;

/**
 * The best way to each node in each role, allowed ones first. `best-place`: no allowed move lowers the score;
 * `better-elsewhere`: one does; `held`: it may not move; `nowhere`: no move is allowed.
 */
export const why = z.object({
  instance: name,
  group: name,
  at: place,
  score: figure,
  holds: z.array(hold),
  options: listOf({ ...candidateMembers, refusals: z.array(refusal), lift, cost }),
  verdict: z.enum(['best-place', 'better-elsewhere', 'held', 'nowhere']),
});
export type WhyExplanation = DocumentOf<typeof why>;
export type Option = WhyExplanation['options'][number];

/** What a move would do. */
export const tried = z.object({
  ...candidateMembers,
  isAllowed: flag,
  holds: z.array(hold),
  refusals: z.array(refusal),
  lift,
  scoreBefore: figure,
  metrics: z.array(metricChange),
  cost,
  commands: z.array(z.string()),
});
export type TryExplanation = DocumentOf<typeof tried>;

/** The document of `--why` and `--try`. */
export const answers = <P extends string>(program: P) =>
  z.object({ ...head(program), why: z.array(why).optional(), try: z.array(tried).optional(), ...changed });
