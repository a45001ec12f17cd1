/** Figures of hspace, harep, hroller and hsqueeze. */

import type { Family } from '../../../../kit/report/prometheus.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import { bytes, each, family, sample } from '../../../../kit/results/samples.ts';
import type { harep } from '../../../results/harep.ts';
import type { hspace } from '../../../results/hspace.ts';
import type {
  hroller,
  hrollerAnswers,
  hrollerRounds,
  hsqueeze,
  hsqueezePlan,
} from '../../../results/maintain.ts';

export const hspaceFamilies = ({ cluster, allocations }: DocumentOf<typeof hspace>): readonly Family[] => {
  const times = [
    { when: 'initial', resources: cluster.resources },
    ...allocations.map(({ kind, resources }) => ({ when: kind, resources })),
  ];
  return [
    family('hspace_nodes', 'Nodes of the cluster.', sample(cluster.nodes)),
    each('hspace_allocatable_instances', 'Instances that fit.', allocations, ({ kind, instanceCount }) =>
      sample(instanceCount, { kind }),
    ),
    each('hspace_failures', 'Candidates refused for the next instance.', allocations, ({ kind, reasons }) =>
      reasons.map(({ mode, count }) => sample(count, { kind, reason: mode })),
    ),
    each('hspace_score', 'Score of all nodes taken together.', times, ({ when, resources }) =>
      sample(resources.score, { when }),
    ),
    each('hspace_memory_bytes', 'Memory of all nodes by kind.', times, ({ when, resources }) => [
      bytes(resources.totalMemMib, { kind: 'total', when }),
      bytes(resources.freeMemMib, { kind: 'free', when }),
      bytes(resources.availableMemMib, { kind: 'available', when }),
      bytes(resources.instanceMemMib, { kind: 'instances', when }),
    ]),
    each('hspace_disk_bytes', 'Disk of all nodes by kind.', times, ({ when, resources }) => [
      bytes(resources.totalDiskMib, { kind: 'total', when }),
      bytes(resources.freeDiskMib, { kind: 'free', when }),
      bytes(resources.availableDiskMib, { kind: 'available', when }),
      bytes(resources.instanceDiskMib, { kind: 'instances', when }),
    ]),
    each('hspace_vcpus', 'Virtual cpus by kind.', times, ({ when, resources }) => [
      sample(resources.totalVcpus, { kind: 'total', when }),
      sample(resources.instanceVcpus, { kind: 'instances', when }),
    ]),
    each('hspace_efficiency_ratio', 'Share in use of each resource.', times, ({ when, resources }) =>
      Object.entries(resources.efficiency).map(([resource, share]) => sample(share, { resource, when })),
    ),
  ];
};

export function hrollerFamilies(document: DocumentOf<typeof hroller>): readonly Family[] {
  if ('rounds' in document) return roundFamilies(document);
  if ('why' in document || 'try' in document) return whyFamilies(document);
  return 'plan' in document
    ? [family('hroller_rounds', 'Rounds of the reboot.', sample(document.plan.rounds.length))]
    : [];
}

const whyFamilies = ({ why = [], try: tried = [] }: DocumentOf<typeof hrollerAnswers>): readonly Family[] => [
  each('hroller_try_allowed', 'Whether the node could be in that round.', tried, (one) =>
    sample(one.isAllowed, { node: one.node, round: `${one.round}` }),
  ),
  each('hroller_round', 'Round that the node is in, from 1.', why, ({ node, round }) =>
    round === null ? [] : sample(round, { node }),
  ),
  each('hroller_conflicts', 'Nodes that may not be down with the node.', why, ({ node, conflicts }) =>
    sample(conflicts.length, { node }),
  ),
];

const roundFamilies = ({ rounds, fewest }: DocumentOf<typeof hrollerRounds>): readonly Family[] => [
  family('hroller_rounds', 'Rounds of the reboot.', sample(rounds.length)),
  family(
    'hroller_nodes',
    'Nodes to reboot.',
    sample(rounds.reduce((sum, { nodes }) => sum + nodes.length, 0)),
  ),
  family(
    'hroller_largest_round',
    'Nodes of the largest round.',
    sample(Math.max(0, ...rounds.map(({ nodes }) => nodes.length))),
  ),
  family(
    'hroller_moved_instances',
    'Instances that are moved out of the way.',
    sample(rounds.reduce((sum, { moves }) => sum + moves.length, 0)),
  ),
  ...(fewest
    ? [family('hroller_rounds_at_least', 'No order has fewer rounds.', sample(fewest.atLeast))]
    : []),
];

export const harepFamilies = ({ counts }: DocumentOf<typeof harep>): readonly Family[] => [
  each(
    'harep_instances',
    'Instances by what repairs have to do with them.',
    Object.entries(counts),
    ([state, instances]) => sample(instances, { state }),
  ),
];

export const hsqueezeFamilies = (document: DocumentOf<typeof hsqueeze>): readonly Family[] =>
  'action' in document ? squeezeFamilies(document) : [];

const squeezeFamilies = (document: DocumentOf<typeof hsqueezePlan>): readonly Family[] => [
  family(
    'hsqueeze_nodes',
    'Nodes to switch, by what is to be done.',
    sample(document.nodes.length, { action: document.action }),
  ),
  family('hsqueeze_enough', 'Whether that is enough.', sample(document.isEnough)),
  family(
    'hsqueeze_candidates',
    'Nodes that may be switched off, and on.',
    sample(document.candidates.offline.length, { action: 'offline' }),
    sample(document.candidates.online.length, { action: 'online' }),
  ),
  family('hsqueeze_saved_memory_bytes', 'Memory of the nodes to switch off.', bytes(document.saved.memMib)),
  family('hsqueeze_saved_cpus', 'Cpus of the nodes to switch off.', sample(document.saved.cpus)),
];
