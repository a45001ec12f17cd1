/** Figures of hspace, harep, hroller, hsqueeze and hdisk. */

import type { harep } from '../../../documents/harep.ts';
import type { hdisk } from '../../../documents/hdisk.ts';
import type { hspace } from '../../../documents/hspace.ts';
import type {
  hroller,
  hrollerAnswers,
  hrollerRounds,
  hsqueeze,
  hsqueezePlan,
} from '../../../documents/maintain.ts';
import type { DocumentOf } from '../../../documents/parts/common.ts';
import type { Family } from '../../../report/prometheus.ts';
import { bytes, each, family, sample } from './samples.ts';

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

/** Sizes are in the unit of the hardware's records, which hdisk does not know. */
export function hdiskFamilies(document: DocumentOf<typeof hdisk>): readonly Family[] {
  const nodes: readonly DiskNode[] = document.nodes;
  return nodes.length === 0
    ? []
    : [
        each('hdisk_laid_out', 'Whether the node has a layout.', nodes, (one) =>
          'outcome' in one
            ? sample(one.outcome === 'layout', { node: one.node ?? '', outcome: one.outcome })
            : [],
        ),
        each('hdisk_as_wanted', 'Whether the layout is the one of the schema.', nodes, (one) =>
          'isAsWanted' in one ? sample(one.isAsWanted, { node: one.node ?? '' }) : [],
        ),
        each('hdisk_unallocated_size', 'Left on all disks, in their unit.', nodes, (one) =>
          'unallocated' in one ? sample(one.unallocated, { node: one.node ?? '' }) : [],
        ),
        each('hdisk_space_size', 'Size of the space on all disks, in their unit.', nodes, (one) =>
          'spaces' in one
            ? one.spaces.map(({ id, size }) => sample(size, { node: one.node ?? '', space: id }))
            : [],
        ),
        each('hdisk_pool_size', 'Size of the storage pool, in the unit of the disks.', nodes, (one) =>
          'pools' in one
            ? one.pools.map(({ pool, size }) => sample(size, { node: one.node ?? '', pool }))
            : [],
        ),
      ];
}

type DiskNode = DocumentOf<typeof hdisk>['nodes'][number];
