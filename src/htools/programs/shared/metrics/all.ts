/** The figures of each document about clusters, by its program. */
import { type Family, figures, figuresOf } from '../../../../kit/report/prometheus.ts';
import type { CLUSTER_DOCUMENTS, ProgramDocument } from '../../../results/all.ts';
import { hbalFamilies, hcheckFamilies, hinfoFamilies, hscanFamilies } from './clusters.ts';
import { hcompressFamilies, hredistFamilies, hspreadFamilies } from './groups.ts';

/** Labels in the order in which they were first published. */
const at = (when: string, label: string, amounts: Readonly<Record<string, number | null>>) =>
  Object.entries(amounts).map(([key, amount]) => [{ [label]: key, when }, amount] as const);

// biome-ignore format: a table
const hspaceFamilies = ({ cluster, allocations }: ProgramDocument<'hspace'>): readonly Family[] => [
  ...figures('hspace', cluster, ['nodes', 'Nodes of the cluster.', ({ nodes }) => nodes]),
  ...figuresOf('hspace', allocations, ({ kind }) => ({ kind }),
    ['allocatable_instances', 'Instances that fit.', ({ instanceCount }) => instanceCount],
    ['failures', 'Candidates refused for the next instance.',
      ({ reasons }) => ({ reason: Object.fromEntries(reasons.map(({ mode, count }) => [mode, count])) })],
  ),
  ...figuresOf('hspace',
    [
      { when: 'initial', ...cluster.resources },
      ...allocations.map(({ kind, resources }) => ({ when: kind, ...resources })),
    ],
    ({ when }) => ({ when }),
    ['score', 'Score of all nodes taken together.', ({ score }) => score],
    ['memory_bytes', 'Memory of all nodes by kind.', (one) => at(one.when, 'kind', {
      total: one.totalMemMib, free: one.freeMemMib, available: one.availableMemMib, instances: one.instanceMemMib })],
    ['disk_bytes', 'Disk of all nodes by kind.', (one) => at(one.when, 'kind', {
      total: one.totalDiskMib, free: one.freeDiskMib, available: one.availableDiskMib, instances: one.instanceDiskMib })],
    ['vcpus', 'Virtual cpus by kind.',
      (one) => at(one.when, 'kind', { total: one.totalVcpus, instances: one.instanceVcpus })],
    ['efficiency_ratio', 'Share in use of each resource.',
      ({ when, efficiency }) => at(when, 'resource', efficiency)],
  ),
];

// biome-ignore format: a table
function hrollerFamilies(document: ProgramDocument<'hroller'>): readonly Family[] {
  if ('rounds' in document)
    return figures('hroller', document,
      ['rounds', 'Rounds of the reboot.', ({ rounds }) => rounds.length],
      ['nodes', 'Nodes to reboot.', ({ rounds }) => rounds.flatMap(({ nodes }) => nodes).length],
      ['largest_round', 'Nodes of the largest round.',
        ({ rounds }) => Math.max(0, ...rounds.map(({ nodes }) => nodes.length))],
      ['moved_instances', 'Instances that are moved out of the way.',
        ({ rounds }) => rounds.flatMap(({ moves }) => moves).length],
      ['rounds_at_least', 'No order has fewer rounds.', ({ fewest }) => fewest?.atLeast],
    );
  if ('why' in document || 'try' in document)
    return [
      ...figuresOf('hroller', document.try ?? [], ({ node, round }) => ({ node, round: `${round}` }),
        ['try_allowed', 'Whether the node could be in that round.', ({ isAllowed }) => isAllowed]),
      ...figuresOf('hroller', document.why ?? [], ({ node }) => ({ node }),
        ['round', 'Round that the node is in, from 1.', ({ round }) => round ?? undefined],
        ['conflicts', 'Nodes that may not be down with the node.', ({ conflicts }) => conflicts.length],
      ),
    ];
  return 'plan' in document
    ? figures('hroller', document.plan, ['rounds', 'Rounds of the reboot.', ({ rounds }) => rounds.length])
    : [];
}

// biome-ignore format: a table
const harepFamilies = (document: ProgramDocument<'harep'>): readonly Family[] =>
  figures('harep', document,
    ['instances', 'Instances by what repairs have to do with them.', ({ counts }) => ({ state: counts })]);

// biome-ignore format: a table
const hsqueezeFamilies = (document: ProgramDocument<'hsqueeze'>): readonly Family[] =>
  'action' in document
    ? figures('hsqueeze', document,
        ['nodes', 'Nodes to switch, by what is to be done.',
          ({ action, nodes }) => ({ action: { [action]: nodes.length } })],
        ['enough', 'Whether that is enough.', ({ isEnough }) => isEnough],
        ['candidates', 'Nodes that may be switched off, and on.', ({ candidates: { offline, online } }) =>
          ({ action: { offline: offline.length, online: online.length } })],
        ['saved_memory_bytes', 'Memory of the nodes to switch off.', ({ saved }) => saved.memMib],
        ['saved_cpus', 'Cpus of the nodes to switch off.', ({ saved }) => saved.cpus],
      )
    : [];

type Programs = Exclude<keyof typeof CLUSTER_DOCUMENTS, 'hail' | 'hail-explanation' | 'hbal-history'>;

export type AnyDocument = { [P in Programs]: ProgramDocument<P> }[Programs];

const FAMILIES: { readonly [P in Programs]: (document: ProgramDocument<P>) => readonly Family[] } = {
  harep: harepFamilies,
  hbal: hbalFamilies,
  hcheck: hcheckFamilies,
  hcompress: hcompressFamilies,
  hinfo: hinfoFamilies,
  hredist: hredistFamilies,
  hroller: hrollerFamilies,
  hscan: hscanFamilies,
  hspace: hspaceFamilies,
  hspread: hspreadFamilies,
  hsqueeze: hsqueezeFamilies,
};

/** @param document as its `program` makes it */
export const familiesOf = (document: AnyDocument): readonly Family[] =>
  (FAMILIES[document.program] as (document: AnyDocument) => readonly Family[])(document);
