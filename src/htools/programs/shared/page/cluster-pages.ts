/** Pages of hinfo and hspace: the cluster as it is, and what still fits. */

import { html, type Markup } from '../../../../kit/report/html/markup.ts';
import { figures, section } from '../../../../kit/report/html/page.ts';
import { pageTable, tableSection } from '../../../../kit/report/html/table.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import type { hinfo } from '../../../results/hinfo.ts';
import type { hspace } from '../../../results/hspace.ts';
import { ruleWords } from '../questions/refusal-words.ts';
import { nodesSection, type PageNode, type PlanTables } from './nodes.ts';
import { sizeBar } from './use-bars.ts';
import { nameCell, scoreWords, shareWords, shortNames, sizeWords, yesOrNo } from './words.ts';

export const hinfoSections = (
  document: DocumentOf<typeof hinfo>,
  nodes: readonly PageNode[],
): readonly Markup[] => [
  figures([
    ['Nodes', String(document.cluster.nodes)],
    ['Instances', String(document.cluster.instances)],
    ['Groups', String(document.groups.length)],
    ['Score', scoreWords(document.score)],
    ['Fail N+1', String(document.groups.reduce((sum, { badNodes }) => sum + badNodes, 0))],
  ]),
  tableSection(
    'Groups',
    'groups',
    'groups',
    [
      { heading: 'Group', isName: true },
      { heading: 'Nodes', isNumeric: true },
      { heading: 'Instances', isNumeric: true },
      { heading: 'Fail N+1', isNumeric: true },
      { heading: 'Instances on these', isNumeric: true },
      { heading: 'N+1' },
      { heading: 'Score', isNumeric: true },
    ],
    document.groups.map((one) => [
      one.name,
      one.nodes,
      one.instances,
      one.badNodes,
      one.badInstances,
      yesOrNo(one.isNPlusOneHappy),
      scoreWords(one.score),
    ]),
  ),
  nodesSection(nodes),
  ...(document.storage
    ? [
        tableSection(
          'Storage pools',
          'pools',
          'pools',
          [
            { heading: 'Pool', isName: true },
            { heading: 'Nodes', isNumeric: true },
            { heading: 'Instances', isNumeric: true },
            { heading: 'Use' },
            { heading: 'Groups', isText: true },
          ],
          document.storage.pools.map((pool) => [
            pool.pool,
            pool.nodes.length,
            pool.instances,
            pool.sizeMib === null
              ? `${sizeWords(pool.usedMib)}, size not known`
              : sizeBar('Space', pool.sizeMib, pool.freeMib ?? pool.sizeMib - pool.usedMib),
            pool.groups.join(', '),
          ]),
        ),
      ]
    : []),
  ...(document.n1
    ? [
        tableSection(
          'Whether each node may fail',
          'n1',
          'nodes',
          [
            { heading: 'Node', isName: true },
            { heading: 'Group' },
            { heading: 'Instances', isNumeric: true },
            { heading: 'May fail' },
            { heading: 'What is short' },
          ],
          document.n1.nodes.map(({ node, group, instances, verdict, shortfall }) => [
            nameCell(node, shortNames(nodes)),
            group,
            instances,
            verdict === 'unproven' ? 'unproven' : yesOrNo(verdict === 'yes'),
            shortfall ? `${shortfall.resource}: ${shortfall.missing} ${shortfall.unit}` : '',
          ]),
        ),
      ]
    : []),
  tableSection(
    'Parts of the score',
    'metrics',
    'metrics',
    [
      { heading: 'Metric', isName: true },
      { heading: 'Weight', isNumeric: true },
      { heading: 'Value', isNumeric: true },
    ],
    document.metrics.map(({ name, weight, value }) => [name, weight, scoreWords(value)]),
  ),
];

export const hspaceSections = (
  { cluster, allocations, explanation }: DocumentOf<typeof hspace>,
  { before, after }: PlanTables,
): readonly Markup[] => [
  html`<p>${cluster.nodes} nodes, ${cluster.instances} instances at the start.</p>`,
  figures(
    allocations.map(({ kind, instanceCount }) => [
      kind === 'tiered' ? 'Fit, size shrinking as needed' : 'Fit, of the standard size',
      `${instanceCount} instances`,
    ]),
  ),
  ...allocations.map(({ kind, size, sizes, reasons, resources, diskTemplate }) =>
    section(
      kind === 'tiered' ? 'Tiered allocation' : 'Standard allocation',
      html`<p>From ${sizeWords(size.memMib)} of memory, ${sizeWords(size.diskMib)} of disk and ${size.vcpus} virtual cpus (${diskTemplate}). It stopped for ${
        reasons
          .filter(({ count }) => count > 0)
          .map(({ mode, count }) => `${mode} (${count})`)
          .join(', ') || 'nothing'
      }. Then ${shareWords(resources.efficiency.memory)} of the memory, ${shareWords(resources.efficiency.disk)} of the disk and ${shareWords(
        resources.efficiency.vcpu,
      )} of the virtual cpus are in use.</p>`,
      pageTable(
        `${kind}-sizes`,
        'sizes',
        [
          { heading: 'Memory', isName: true, isNumeric: true },
          { heading: 'Disk', isNumeric: true },
          { heading: 'Virtual cpus', isNumeric: true },
          { heading: 'Instances', isNumeric: true },
        ],
        sizes.map((one) => [sizeWords(one.memMib), sizeWords(one.diskMib), one.vcpus, one.count]),
      ),
    ),
  ),
  ...(explanation ? [obstaclesSection(explanation)] : []),
  nodesSection(after, before),
];

const obstaclesSection = ({
  obstacles,
  lifts,
}: NonNullable<DocumentOf<typeof hspace>['explanation']>): Markup =>
  section(
    'What stops the next instance, and what would lift it',
    html`<ul>${obstacles.map(
      ({ rule, role, nodes, least }) =>
        html`<li>${ruleWords(rule)}${role === 'any' ? '' : ` as ${role}`}: ${nodes.length} nodes refuse${
          least ? `; the best, ${least.node}, lacks ${least.missing} ${least.unit}` : ''
        }</li>`,
    )}</ul><ul>${lifts.map(
      ({ lift, gain, isAtLeast }) =>
        html`<li>${lift.join('; ')}: ${gain === 0 && isAtLeast ? 'not counted' : `${gain}${isAtLeast ? ' or' : ''} more`}</li>`,
    )}</ul>`,
  );
