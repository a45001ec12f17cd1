/** Documents of the programs that work across groups: hredist, hcompress, hspread. */
import { z } from 'zod';
import {
  count,
  type DocumentOf,
  figure,
  flag,
  head,
  listOf,
  mib,
  name,
  named,
  names,
  seconds,
} from '../../kit/results/members.ts';
import { allocPolicy, amounts, clusterCounts, cost, groupState, jobSets } from './parts/common.ts';
import { execution, resumed } from './parts/execution.ts';
import { changed, place } from './parts/explanation.ts';
import { groupPlace, groupRefusal, relocationsExplanation, relocationTry } from './parts/relocations.ts';

export const relocationCost = cost
  .extend({ instances: count, seconds, bandwidthMibPerSecond: z.number() })
  .meta({ id: 'relocationCost' });
export type RelocationCosts = DocumentOf<typeof relocationCost>;

const moveMembers = {
  instance: name,
  from: groupPlace,
  to: groupPlace,
  isWithinGroup: flag,
  steps: z.array(z.string()).describe('as the text has them: f, r:NODE, ...'),
  commands: z.array(z.string()),
  jobSet: count.min(1),
  cost,
};
export const relocationMove = named('relocation', moveMembers);
export type RelocationMove = DocumentOf<typeof relocationMove>;

/** The deep search (`--search=deep`), and what is found without it. */
export const groupSearch = named('groupSearch', {
  kind: z.literal('deep'),
  seed: count,
  effort: z.number().nullable().describe('million candidates; null: by the number of instances'),
  timeLimitSeconds: seconds.nullable().describe('null: none'),
  workShare: figure.describe('less than 1: time ended the search'),
  greedy: z
    .object({
      groupsHealed: count.optional().describe('hredist'),
      reclaimable: count.optional().describe('hcompress'),
      groupsEmptied: count.optional().describe('hcompress'),
      meanScore: figure.optional().describe('hcompress: of the groups that are not emptied, afterwards'),
      spread: figure.optional().describe('hspread'),
      instances: count,
      copiedMib: mib,
      migratedMemMib: mib.optional().describe('hspread'),
    })
    .describe('what is done without the search'),
  meanScore: figure.optional().describe('hcompress: of the groups that are not emptied, afterwards'),
});
export type GroupSearch = DocumentOf<typeof groupSearch>;

export const stranded = named('stranded', {
  instance: name,
  reason: z.string().nullable().describe('why it cannot leave at all; null where no group takes it'),
  departure: listOf({ node: name, role: z.enum(['primary', 'secondary']), rule: z.string() }),
  refusals: z.array(groupRefusal),
  isAfterOthers: flag.describe('the reasons hold once others have moved'),
});
export type Stranded = DocumentOf<typeof stranded>;

/** `--why` and `--try`: which groups would take an instance, why others not, what a move would do. */
const answers = <P extends string>(program: P) =>
  z.object({
    ...head(program),
    ...changed,
    why: listOf({
      instance: name,
      group: name,
      at: place,
      open: listOf({ group: name, home: place }),
      stranded,
    }).optional(),
    try: z.array(relocationTry).optional(),
  });
export type GroupAnswers = DocumentOf<ReturnType<typeof answers<string>>>;

/** How it was searched, why each move, how it was carried out. */
const ofAnyPlan = {
  search: groupSearch.optional(),
  explanation: relocationsExplanation.optional(),
  execution: execution.optional(),
  ...changed,
};

const destinations = listOf({ group: name, instances: count });
const share = z.object({ instances: count, copiedMib: mib });

const hredistPlan = z.object({
  ...head('hredist'),
  cluster: clusterCounts,
  isForbidden: flag,
  noHelp: z.enum(['forbidden', 'no-healthy-group', 'alone']).nullable(),
  leftOut: names,
  groups: listOf({
    name,
    allocPolicy,
    state: groupState,
    isAlone: flag,
    deadNodes: names,
    failingNodes: count,
    overcommittedNodes: names,
    unrestartableNodes: names,
  }),
  healings: listOf({
    group: name,
    isHealed: flag,
    instances: count,
    within: share,
    across: share.extend({ destinations }),
    acrossOnly: share.nullable(),
    stranded: z.array(stranded),
  }),
  moves: z.array(relocationMove),
  jobSets,
  cost: relocationCost,
  gain: z.object({ groupsHealed: count, nodesFreed: names, freedMemMib: mib }),
  ...ofAnyPlan,
});
export const hredist = z.union([hredistPlan, resumed('hredist'), answers('hredist')]);
export type HredistDocument = DocumentOf<typeof hredistPlan>;

const shortages = listOf({
  resource: z.enum(['memory', 'disk', 'cpu']),
  needed: z.number(),
  available: z.number(),
  unit: z.string(),
});

const compressedGroup = z.object({
  name,
  allocPolicy,
  state: groupState,
  nodes: count,
  instances: count,
  total: amounts,
  free: amounts,
  freeShare: figure,
  share: figure,
  gain: figure,
  givesBack: amounts.extend({ nodes: count, master: name.nullable() }),
  isReclaimable: flag,
  isEmpty: flag,
  isWorthwhile: flag.optional(),
  fills: names.optional(),
  destinations: destinations.optional(),
  cost: relocationCost.optional(),
  reason: z.string().optional(),
  isProven: flag.optional(),
  shortages: shortages.optional(),
  stranded: z.array(stranded).optional(),
});

const hcompressPlan = z.object({
  ...head('hcompress'),
  cluster: clusterCounts,
  leftOut: names,
  pools: listOf({
    pool: z.string(),
    usedMib: mib,
    sizeMib: mib.nullable(),
    freeMib: mib.nullable(),
    groups: names,
  }),
  groups: z.array(compressedGroup),
  alreadyEmpty: names,
  together: names.optional(),
  filled: names.optional(),
  isLargest: flag.optional(),
  emptied: names.optional(),
  moves: z.array(relocationMove).optional(),
  jobSets: jobSets.optional(),
  cost: relocationCost.optional(),
  ...ofAnyPlan,
});

/** Of `--check`. */
const hcompressCheck = z.object({
  ...head('hcompress'),
  groups: count,
  reclaimable: listOf({ group: name, nodes: count, memMib: figure, cost: relocationCost }),
  withoutGain: names,
  alreadyEmpty: names,
  blocked: listOf({ group: name, reason: z.string() }),
  summary: z.string(),
  ...changed,
});
export const hcompress = z.union([hcompressPlan, hcompressCheck, resumed('hcompress'), answers('hcompress')]);
export type HcompressDocument = DocumentOf<typeof hcompressPlan>;
export type HcompressCheck = DocumentOf<typeof hcompressCheck>;

const resource = z.enum(['cpu', 'memory', 'disk', 'net']);
const picture = z.object({
  spread: figure,
  groups: listOf({
    name,
    load: z.object({ cpu: figure, memory: figure, disk: figure, net: figure }),
    above: z.array(resource).describe('what it stands out in'),
  }),
});

const hspreadPlan = z.object({
  ...head('hspread'),
  cluster: clusterCounts,
  leftOut: names,
  before: picture,
  after: picture,
  moves: listOf({ ...moveMembers, spread: figure, gain: figure }),
  end: z.string(),
  jobSets,
  cost: relocationCost,
  ...ofAnyPlan,
});
export const hspread = z.union([hspreadPlan, resumed('hspread'), answers('hspread')]);
export type HspreadDocument = DocumentOf<typeof hspreadPlan>;
