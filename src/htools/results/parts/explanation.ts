/** Why each step, and why not: what `--explain`, `--why` and `--try` say. */
import { z } from 'zod';
import { count, figure, flag, head, mib, name, names } from '../../../kit/results/members.ts';
import { cost, failCode } from './common.ts';

export const place = z.object({ primary: name, secondary: name.nullable() });

export const metricChange = z
  .object({
    metric: z.string(),
    weight: z.number(),
    weightBefore: z.number().optional().describe('with --diff, where a change says what the metric weighs'),
    before: figure,
    after: figure,
    gain: figure.describe('weight * (before - after), or each with its own weight'),
    share: figure.describe('part of the whole gain'),
  })
  .meta({ id: 'metricChange' });

const groupFigures = z.object({
  nodes: count,
  onlineNodes: count,
  instances: count,
  freeMemMib: mib,
  freeDiskMib: mib,
  nodesFailingN1: count,
  score: figure,
});

/** Members of the documents of clusters that were changed in thought. */
export const changed = {
  whatIf: z
    .object({
      edits: z.array(z.string()).describe('changes in the words of --what-if'),
      groups: z
        .array(
          z.object({
            group: name,
            before: groupFigures.nullable(),
            after: groupFigures.nullable(),
            metrics: z.array(metricChange),
          }),
        )
        .optional()
        .describe('with --diff'),
    })
    .meta({ id: 'whatIf' })
    .optional(),
};

export const refusal = z
  .object({
    rule: z.string(),
    mode: failCode,
    node: name,
    role: z.enum(['primary', 'secondary']),
    needed: z.number().optional(),
    available: z.number().optional(),
    unit: z.string().optional(),
    detail: z.string().optional(),
  })
  .meta({ id: 'ruleRefusal' });

const candidate = {
  instance: name,
  move: z.string(),
  notation: z.string(),
  from: place,
  to: place,
  score: figure,
  gain: figure,
};

/** Changes in the words of `--what-if`. */
export const lift = z.array(z.string()).nullable();
const refused = z.object({ ...candidate, refusals: z.array(refusal), lift }).meta({ id: 'refusedCandidate' });

export const planExplanation = z
  .object({
    group: name,
    initialScore: figure,
    finalScore: figure,
    metrics: z.array(metricChange),
    steps: z.array(
      z.object({
        ...candidate,
        step: count,
        scoreBefore: figure,
        metrics: z.array(metricChange),
        cost,
        jobSet: count,
        refused: z.array(refused),
      }),
    ),
    refusedAtEnd: z.array(refused),
    instancesNotLookedAt: count,
  })
  .meta({ id: 'planExplanation' });

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
export const mending = z.object(mendingMembers).meta({ id: 'mending' });

/** What `hcheck --explain` says of a group. */
export const healthExplanation = z.array(
  z.object({
    group: name,
    score: figure,
    ...mendingMembers,
    steps: z
      .array(z.object({ ...candidate, cost, commands: z.array(z.string()) }))
      .describe('what would mend what is broken'),
    cost: cost.describe('of all steps together'),
  }),
);

/** What `hcheck --lint` finds. */
export const lintFindings = z.array(
  z.object({
    kind: z.enum(['unknown', 'unmatched', 'contradiction', 'unmeetable']),
    subject: z.string(),
    tag: z.string(),
    problem: z.string(),
    remedy: z.string(),
  }),
);

export const hold = z.object({ rule: z.string(), lift });

const why = z.object({
  instance: name,
  group: name,
  at: place,
  score: figure,
  holds: z.array(hold),
  options: z.array(z.object({ ...candidate, refusals: z.array(refusal), lift, cost })),
  verdict: z.enum(['best-place', 'better-elsewhere', 'held', 'nowhere']),
});

const tried = z.object({
  ...candidate,
  isAllowed: flag,
  holds: z.array(hold),
  refusals: z.array(refusal),
  lift,
  scoreBefore: figure,
  metrics: z.array(metricChange),
  cost,
  commands: z.array(z.string()),
});

/** The document of `--why` and `--try`. */
export const answers = <P extends string>(program: P) =>
  z.object({ ...head(program), why: z.array(why).optional(), try: z.array(tried).optional(), ...changed });
