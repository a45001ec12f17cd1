/** Figures of hbal, hinfo, hcheck and hscan. */

import type { Family } from '../../../../kit/report/prometheus.ts';
import type { DeepReadonly, DocumentOf } from '../../../../kit/results/members.ts';
import { bytes, each, family, sample } from '../../../../kit/results/samples.ts';
import type { hbal, hbalGroup } from '../../../results/hbal.ts';
import type { HcheckDocument, hcheck } from '../../../results/hcheck.ts';
import type { hinfo } from '../../../results/hinfo.ts';
import type { hscan } from '../../../results/maintain.ts';
import type { answers } from '../../../results/parts/explanation.ts';
import type { nodeRow } from '../../../results/parts/tables.ts';
import { executionFamilies } from './execution.ts';

type GroupPlan = DocumentOf<typeof hbalGroup>;

const WHEN = ['initial', 'final'] as const;

/** Of all groups that were balanced. */
function balanceFamilies(groups: readonly GroupPlan[]): readonly Family[] {
  const of = (
    name: string,
    help: string,
    value: (one: GroupPlan) => number | boolean | null,
    make: (value: number, labels: Record<string, string>) => ReturnType<typeof sample> = sample,
  ): Family =>
    each(`hbal_${name}`, help, groups, (one) => make(value(one) as number, { group: one.group.name }));
  return [
    each('hbal_score', 'Score of the group before and after the plan; lower is better.', groups, (one) =>
      WHEN.map((when) => sample(one[when].score, { group: one.group.name, when })),
    ),
    each('hbal_metric', 'Part of the score, before its weight.', groups, (one) =>
      WHEN.flatMap((when) =>
        one[when].metrics.map(({ name, value }) =>
          sample(value, { group: one.group.name, metric: name, when }),
        ),
      ),
    ),
    of('optimum_score', 'Lowest score that N+1 reservations allow.', ({ optimum }) => optimum),
    of('balanced', 'Whether the group was balanced already.', ({ wasBalanced }) => wasBalanced),
    of('bad_nodes', 'Online nodes that fail N+1.', ({ health }) => health.badNodes.length),
    of('bad_instances', 'Instances on nodes that fail N+1.', ({ health }) => health.badInstances),
    of('policy_violations', 'Nodes that break the policy.', ({ health }) => health.policyViolations.length),
    of('steps', 'Steps of the plan.', ({ steps }) => steps.length),
    of('job_sets', 'Sets of jobs of the plan, one after another.', ({ jobSets }) => jobSets.length),
    of('copied_bytes', 'Disk data that the plan copies.', ({ cost }) => cost.copiedMib, bytes),
    of('migrations', 'Live migrations of the plan.', ({ cost }) => cost.migrations),
    of('failovers', 'Failovers of the plan.', ({ cost }) => cost.failovers),
    of(
      'plan_seconds',
      'How long the plan takes, with data transfers alone counted.',
      ({ cost }) => cost.seconds,
    ),
    each(
      'hbal_broken_rules',
      'How many times rules are broken, with --only-rules.',
      groups.flatMap(({ group, rules }) => (rules ? [{ group, rules }] : [])),
      ({ group, rules }) => [
        sample(rules.brokenBefore, { group: group.name, when: 'initial' }),
        sample(rules.brokenAfter, { group: group.name, when: 'final' }),
      ],
    ),
    of('downtime_seconds', 'Downtime of all instances together.', ({ cost }) => cost.downtimeSeconds),
  ];
}

type Answers = DocumentOf<ReturnType<typeof answers<'hbal' | 'hcheck'>>>;

/** What moves would do that were asked about. */
function questionFamilies({ program, why = [], try: tried = [] }: Answers): readonly Family[] {
  const asked = [
    ...why.flatMap(({ options }) => options.map((one) => ({ ...one, isAllowed: one.refusals.length === 0 }))),
    ...tried,
  ];
  // A move may be asked for and be an option, too.
  const moves = [...new Map(asked.map((one) => [`${one.instance} ${one.notation}`, one])).values()];
  return [
    each(
      `${program}_move_gain`,
      'By how much the move lowers the score.',
      moves,
      ({ instance, notation, gain }) => sample(gain, { instance, move: notation }),
    ),
    each(
      `${program}_move_allowed`,
      'Whether the rules allow the move.',
      moves,
      ({ instance, notation, isAllowed }) => sample(isAllowed, { instance, move: notation }),
    ),
  ];
}

export function hbalFamilies(document: DocumentOf<typeof hbal>): readonly Family[] {
  const execution = 'execution' in document ? executionFamilies('hbal', document.execution) : [];
  if ('why' in document || 'try' in document) return questionFamilies(document);
  if ('balanced' in document) return [...balanceFamilies(document.balanced), ...execution];
  if ('cost' in document)
    return [
      ...balanceFamilies([document]),
      each(
        'hbal_left_behind',
        'Instances that stay on a node to be emptied.',
        leftBy(document),
        ([node, left]) => sample(left, { node }),
      ),
      ...execution,
    ];
  return execution;
}

function leftBy({
  leftBehind = [],
}: {
  readonly leftBehind?: readonly { readonly node: string }[] | undefined;
}) {
  const counts = new Map<string, number>();
  for (const { node } of leftBehind) counts.set(node, (counts.get(node) ?? 0) + 1);
  return [...counts];
}

const nodeFamilies = (nodes: readonly DocumentOf<typeof nodeRow>[]): readonly Family[] => [
  each('node_offline', 'Whether the node is offline.', nodes, ({ name, isOffline }) =>
    sample(isOffline, { node: name }),
  ),
  each('node_fails_n_plus_one', 'Whether the node fails N+1.', nodes, ({ name, failsNPlusOne }) =>
    sample(failsNPlusOne, { node: name }),
  ),
  each('node_memory_bytes', 'Memory of the node by kind.', nodes, (one) => [
    bytes(one.totalMemMib, { node: one.name, kind: 'total' }),
    bytes(one.freeMemMib, { node: one.name, kind: 'free' }),
    bytes(one.reservedMemMib, { node: one.name, kind: 'reserved' }),
    bytes(one.instanceMemMib, { node: one.name, kind: 'instances' }),
  ]),
  each('node_disk_bytes', 'Disk of the node by kind.', nodes, (one) => [
    bytes(one.totalDiskMib, { node: one.name, kind: 'total' }),
    bytes(one.freeDiskMib, { node: one.name, kind: 'free' }),
  ]),
  each('node_vcpus', 'Virtual cpus in use on the node.', nodes, ({ name, usedVcpus }) =>
    sample(usedVcpus, { node: name }),
  ),
  each('node_primary_instances', 'Instances that run on the node.', nodes, ({ name, primaries }) =>
    sample(primaries.length, { node: name }),
  ),
];

export const hinfoFamilies = (document: DocumentOf<typeof hinfo>): readonly Family[] => [
  family('cluster_nodes', 'Nodes of the cluster.', sample(document.cluster.nodes)),
  family('cluster_instances', 'Instances of the cluster.', sample(document.cluster.instances)),
  family('cluster_score', 'Score of all nodes taken together.', sample(document.score)),
  family(
    'cluster_split_instances',
    'Instances with nodes in two groups.',
    sample(document.splitInstances.length),
  ),
  each('cluster_metric', 'Part of the score, before its weight.', document.metrics, ({ name, value }) =>
    sample(value, { metric: name }),
  ),
  each('group_nodes', 'Nodes of the group.', document.groups, ({ name, nodes }) =>
    sample(nodes, { group: name }),
  ),
  each('group_instances', 'Instances of the group.', document.groups, ({ name, instances }) =>
    sample(instances, { group: name }),
  ),
  each('group_score', 'Score of the group.', document.groups, ({ name, score }) =>
    sample(score, { group: name }),
  ),
  each('group_bad_nodes', 'Online nodes that fail N+1.', document.groups, ({ name, badNodes }) =>
    sample(badNodes, { group: name }),
  ),
  each(
    'group_bad_instances',
    'Instances on nodes that fail N+1.',
    document.groups,
    ({ name, badInstances }) => sample(badInstances, { group: name }),
  ),
  each('pool_used_bytes', 'Space in use in the storage pool.', document.storage?.pools ?? [], (one) =>
    bytes(one.usedMib, { pool: one.pool }),
  ),
  each(
    'pool_size_bytes',
    'Size of the storage pool, where it is known.',
    document.storage?.pools ?? [],
    (one) => (one.sizeMib === null ? [] : bytes(one.sizeMib, { pool: one.pool })),
  ),
  each('pool_instances', 'Instances with their disks in the pool.', document.storage?.pools ?? [], (one) =>
    sample(one.instances, { pool: one.pool }),
  ),
  each(
    'node_may_fail',
    'Whether all instances of the node could start elsewhere.',
    document.n1?.nodes ?? [],
    (one) => sample(one.verdict === 'yes', { node: one.node, verdict: one.verdict }),
  ),
  ...nodeFamilies(document.nodes ?? []),
];

const CHECKS = ['n1Fail', 'conflictTags', 'offlinePrimaries', 'offlineSecondaries', 'globalN1Fail'] as const;
const CHECK_NAMES: Readonly<Record<(typeof CHECKS)[number], string>> = {
  n1Fail: 'n1_fail',
  conflictTags: 'conflict_tags',
  offlinePrimaries: 'offline_primaries',
  offlineSecondaries: 'offline_secondaries',
  globalN1Fail: 'global_n1_fail',
};

export function hcheckFamilies(document: DocumentOf<typeof hcheck>): readonly Family[] {
  if ('phases' in document) return checkFamilies(document);
  return 'lint' in document ? lintFamilies(document) : questionFamilies(document);
}

const LINT_KINDS = ['unknown', 'unmatched', 'contradiction', 'unmeetable'] as const;

const lintFamilies = ({
  lint,
}: {
  readonly lint: readonly { readonly kind: string }[];
}): readonly Family[] => [
  each('hcheck_lint_findings', 'Tags that are not as they were surely meant.', LINT_KINDS, (kind) =>
    sample(lint.filter((one) => one.kind === kind).length, { kind }),
  ),
];

const checkFamilies = ({ phases, explanation = [] }: DeepReadonly<HcheckDocument>): readonly Family[] => [
  each('hcheck_problems', 'What is wrong in the group, by check.', phases, ({ phase, groups }) =>
    groups.flatMap((group) =>
      CHECKS.filter((check) => group[check] !== undefined).map((check) =>
        sample(group[check], { check: CHECK_NAMES[check], group: group.name, phase }),
      ),
    ),
  ),
  each('hcheck_score', 'Score of the group.', phases, ({ phase, groups }) =>
    groups.map(({ name, score }) => sample(score, { group: name, phase })),
  ),
  family(
    'hcheck_needs_rebalance',
    'Whether anything is wrong that balancing may mend.',
    sample(phases[0]!.needsRebalance),
  ),
  each('hcheck_broken_rules', 'Rules that are broken in the group.', explanation, ({ group, before }) =>
    sample(before.length, { group }),
  ),
];

export function hscanFamilies({ clusters }: DocumentOf<typeof hscan>): readonly Family[] {
  const read = clusters.flatMap((one) => ('file' in one ? [one] : []));
  const of = (
    name: string,
    help: string,
    value: (one: (typeof read)[number]) => number | null,
    make: (value: number | null, labels: Record<string, string>) => ReturnType<typeof sample> = sample,
  ): Family => each(`hscan_${name}`, help, read, (one) => make(value(one), { cluster: one.name }));
  return [
    each('hscan_up', 'Whether the cluster could be read.', clusters, (one) =>
      sample('file' in one, { cluster: one.name }),
    ),
    of('nodes', 'Nodes of the cluster.', ({ nodes }) => nodes),
    of('instances', 'Instances of the cluster.', ({ instances }) => instances),
    of('bad_nodes', 'Online nodes that fail N+1.', ({ badNodes }) => badNodes),
    of('bad_instances', 'Instances on nodes that fail N+1.', ({ badInstances }) => badInstances),
    of('memory_total_bytes', 'Memory of all nodes.', ({ totalMemMib }) => totalMemMib, bytes),
    of('memory_free_bytes', 'Free memory of all nodes.', ({ freeMemMib }) => freeMemMib, bytes),
    of('disk_total_bytes', 'Disk of all nodes.', ({ totalDiskMib }) => totalDiskMib, bytes),
    of('disk_free_bytes', 'Free disk of all nodes.', ({ freeDiskMib }) => freeDiskMib, bytes),
    of('score', 'Score of all nodes taken together.', ({ score }) => score),
  ];
}
