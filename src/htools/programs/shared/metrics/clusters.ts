/** Figures of hbal, hinfo, hcheck and hscan. */
import { countsOf, type Family, figures, figuresOf } from '../../../../kit/report/prometheus.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import type { ProgramDocument } from '../../../results/all.ts';
import type { GroupPlan } from '../../../results/hbal.ts';
import type { HcheckDocument } from '../../../results/hcheck.ts';
import type { answers } from '../../../results/parts/explanation.ts';
import { executionFamilies } from './execution.ts';

/** Of all groups that were balanced. */
// biome-ignore format: a table
const balanceFamilies = (groups: readonly GroupPlan[]): readonly Family[] =>
  figuresOf('hbal', groups, ({ group }) => ({ group: group.name }),
    ['score', 'Score of the group before and after the plan; lower is better.',
      ({ initial, final }) => ({ when: { initial: initial.score, final: final.score } })],
    ['metric', 'Part of the score, before its weight.', ({ group, ...one }) =>
      (['initial', 'final'] as const).flatMap((when) =>
        one[when].metrics.map(({ name, value }) => [{ group: group.name, metric: name, when }, value] as const))],
    ['optimum_score', 'Lowest score that N+1 reservations allow.', ({ optimum }) => optimum],
    ['balanced', 'Whether the group was balanced already.', ({ wasBalanced }) => wasBalanced],
    ['bad_nodes', 'Online nodes that fail N+1.', ({ health }) => health.badNodes.length],
    ['bad_instances', 'Instances on nodes that fail N+1.', ({ health }) => health.badInstances],
    ['policy_violations', 'Nodes that break the policy.', ({ health }) => health.policyViolations.length],
    ['steps', 'Steps of the plan.', ({ steps }) => steps.length],
    ['job_sets', 'Sets of jobs of the plan, one after another.', ({ jobSets }) => jobSets.length],
    ['copied_bytes', 'Disk data that the plan copies.', ({ cost }) => cost.copiedMib],
    ['migrations', 'Live migrations of the plan.', ({ cost }) => cost.migrations],
    ['failovers', 'Failovers of the plan.', ({ cost }) => cost.failovers],
    ['plan_seconds', 'How long the plan takes by the clock.', ({ cost }) => cost.seconds],
    ['broken_rules', 'How many times rules are broken, with --only-rules.',
      ({ rules }) => rules && { when: { initial: rules.brokenBefore, final: rules.brokenAfter } }],
    ['downtime_seconds', 'Downtime of all instances together.', ({ cost }) => cost.downtimeSeconds],
  );

/** What moves would do that were asked about. */
function questionFamilies({
  program,
  why = [],
  try: tried = [],
}: DocumentOf<ReturnType<typeof answers<'hbal' | 'hcheck'>>>): readonly Family[] {
  const asked = [
    ...why.flatMap(({ options }) => options.map((one) => ({ ...one, isAllowed: one.refusals.length === 0 }))),
    ...tried,
  ];
  // A move may be asked for and be an option, too.
  const moves = [...new Map(asked.map((one) => [`${one.instance} ${one.notation}`, one])).values()];
  return figuresOf(
    program,
    moves,
    ({ instance, notation }) => ({ instance, move: notation }),
    ['move_gain', 'By how much the move lowers the score.', ({ gain }) => gain],
    ['move_allowed', 'Whether the rules allow the move.', ({ isAllowed }) => isAllowed],
  );
}

// biome-ignore format: a table
export function hbalFamilies(document: ProgramDocument<'hbal'>): readonly Family[] {
  if ('why' in document || 'try' in document) return questionFamilies(document);
  const execution = 'execution' in document ? executionFamilies(document) : [];
  if ('balanced' in document) return [...balanceFamilies(document.balanced), ...execution];
  if (!('cost' in document)) return execution;
  return [
    ...balanceFamilies([document]),
    ...figures('hbal', document,
      ['left_behind', 'Instances that stay on a node to be emptied.',
        ({ leftBehind = [] }) => ({ node: countsOf(leftBehind.map(({ node }) => node)) })]),
    ...execution,
  ];
}

// biome-ignore format: a table
export const hinfoFamilies = (document: ProgramDocument<'hinfo'>): readonly Family[] => [
  ...figures('cluster', document,
    ['nodes', 'Nodes of the cluster.', ({ cluster }) => cluster.nodes],
    ['instances', 'Instances of the cluster.', ({ cluster }) => cluster.instances],
    ['score', 'Score of all nodes taken together.', ({ score }) => score],
    ['split_instances', 'Instances with nodes in two groups.', ({ splitInstances }) => splitInstances.length],
    ['metric', 'Part of the score, before its weight.',
      ({ metrics }) => ({ metric: Object.fromEntries(metrics.map(({ name, value }) => [name, value])) })],
  ),
  ...figuresOf('group', document.groups, ({ name }) => ({ group: name }),
    ['nodes', 'Nodes of the group.', ({ nodes }) => nodes],
    ['instances', 'Instances of the group.', ({ instances }) => instances],
    ['score', 'Score of the group.', ({ score }) => score],
    ['bad_nodes', 'Online nodes that fail N+1.', ({ badNodes }) => badNodes],
    ['bad_instances', 'Instances on nodes that fail N+1.', ({ badInstances }) => badInstances],
  ),
  ...figuresOf('pool', document.storage?.pools ?? [], ({ pool }) => ({ pool }),
    ['used_bytes', 'Space in use in the storage pool.', ({ usedMib }) => usedMib],
    ['size_bytes', 'Size of the storage pool, where it is known.', ({ sizeMib }) => sizeMib ?? undefined],
    ['instances', 'Instances with their disks in the pool.', ({ instances }) => instances],
  ),
  ...figuresOf('node', document.n1?.nodes ?? [], ({ node, verdict }) => ({ node, verdict }),
    ['may_fail', 'Whether all instances of the node could start elsewhere.', ({ verdict }) => verdict === 'yes'],
  ),
  ...figuresOf('node', document.nodes ?? [], ({ name }) => ({ node: name }),
    ['offline', 'Whether the node is offline.', ({ isOffline }) => isOffline],
    ['fails_n_plus_one', 'Whether the node fails N+1.', ({ failsNPlusOne }) => failsNPlusOne],
    ['memory_bytes', 'Memory of the node by kind.', (one) => ({ kind: {
      total: one.totalMemMib, free: one.freeMemMib, reserved: one.reservedMemMib, instances: one.instanceMemMib } })],
    ['disk_bytes', 'Disk of the node by kind.',
      (one) => ({ kind: { total: one.totalDiskMib, free: one.freeDiskMib } })],
    ['vcpus', 'Virtual cpus in use on the node.', ({ usedVcpus }) => usedVcpus],
    ['primary_instances', 'Instances that run on the node.', ({ primaries }) => primaries.length],
  ),
];

/** The names of the checks, by their members. */
const CHECKS = {
  n1Fail: 'n1_fail',
  conflictTags: 'conflict_tags',
  offlinePrimaries: 'offline_primaries',
  offlineSecondaries: 'offline_secondaries',
  globalN1Fail: 'global_n1_fail',
} as const;

const LINT_KINDS = ['unknown', 'unmatched', 'contradiction', 'unmeetable'] as const;

// biome-ignore format: a table
export function hcheckFamilies(document: ProgramDocument<'hcheck'>): readonly Family[] {
  if ('phases' in document) return checkFamilies(document);
  if (!('lint' in document)) return questionFamilies(document);
  return figuresOf('hcheck', LINT_KINDS, (kind) => ({ kind }),
    ['lint_findings', 'Tags that are not as they were surely meant.',
      (kind) => document.lint.filter((one) => one.kind === kind).length]);
}

// biome-ignore format: a table
const checkFamilies = ({ phases, explanation = [] }: HcheckDocument): readonly Family[] => [
  ...figuresOf('hcheck',
    phases.flatMap(({ phase, groups }) => groups.map((group) => ({ ...group, phase }))),
    ({ name, phase }) => ({ group: name, phase }),
    ['problems', 'What is wrong in the group, by check.', ({ name, phase, ...one }) =>
      (Object.keys(CHECKS) as (keyof typeof CHECKS)[]).map((check) =>
        [{ check: CHECKS[check], group: name, phase }, one[check]] as const)],
    ['score', 'Score of the group.', ({ score }) => score],
  ),
  ...figures('hcheck', phases[0]!,
    ['needs_rebalance', 'Whether anything is wrong that balancing may mend.', ({ needsRebalance }) => needsRebalance]),
  ...figuresOf('hcheck', explanation, ({ group }) => ({ group }),
    ['broken_rules', 'Rules that are broken in the group.', ({ before }) => before.length]),
];

// biome-ignore format: a table
export const hscanFamilies = ({ clusters }: ProgramDocument<'hscan'>): readonly Family[] => [
  ...figuresOf('hscan', clusters, ({ name }) => ({ cluster: name }),
    ['up', 'Whether the cluster could be read.', (one) => 'file' in one]),
  ...figuresOf('hscan', clusters.flatMap((one) => ('file' in one ? [one] : [])), ({ name }) => ({ cluster: name }),
    ['nodes', 'Nodes of the cluster.', ({ nodes }) => nodes],
    ['instances', 'Instances of the cluster.', ({ instances }) => instances],
    ['bad_nodes', 'Online nodes that fail N+1.', ({ badNodes }) => badNodes],
    ['bad_instances', 'Instances on nodes that fail N+1.', ({ badInstances }) => badInstances],
    ['memory_total_bytes', 'Memory of all nodes.', ({ totalMemMib }) => totalMemMib],
    ['memory_free_bytes', 'Free memory of all nodes.', ({ freeMemMib }) => freeMemMib],
    ['disk_total_bytes', 'Disk of all nodes.', ({ totalDiskMib }) => totalDiskMib],
    ['disk_free_bytes', 'Free disk of all nodes.', ({ freeDiskMib }) => freeDiskMib],
    ['score', 'Score of all nodes taken together.', ({ score }) => score],
  ),
];
