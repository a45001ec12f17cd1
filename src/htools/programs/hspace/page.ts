/** hspace's page: what still fits, what stops the next instance, and what would make room. */

import { chartRow } from '../../../kit/report/html/charts.ts';
import { type Content, html, type Markup, shortNumber } from '../../../kit/report/html/markup.ts';
import { type Card, cards, pageTable, section } from '../../../kit/report/html/page.ts';
import type { ProgramDocument } from '../../results/all.ts';
import { writePage } from '../shared/document/write-page.ts';
import { type NodeTables, nodeCharts, nodesSection } from '../shared/page/nodes.ts';
import { fullness, shareBar } from '../shared/page/use.ts';
import * as W from '../shared/page/words.ts';
import { failWords, ruleWords } from '../shared/questions/words.ts';
import type { Allocation } from './allocations.ts';
import type { Explanation } from './explain.ts';

type Hspace = ProgramDocument<'hspace'>;
type Lift = Explanation['lifts'][number];

const specText = ({ memMib, diskMib, vcpus }: Allocation['size']): string =>
  `${W.sizeText(memMib)} of memory, ${W.sizeText(diskMib)} of disk, ${W.many(vcpus, 'virtual cpu')}`;

function allocationSection(allocation: Allocation): Markup {
  const { kind, sizes, reasons, resources, diskTemplate } = allocation;
  const tries = reasons.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(1, ...sizes.map(({ count }) => count));
  const { memory, disk, vcpu } = resources.efficiency;
  const inUse = Object.entries({ Memory: memory, Disk: disk, 'Virtual cpus': vcpu });
  const stops = pageTable(
    `${kind}-reasons`,
    'reasons',
    reasons.filter(({ count }) => count > 0),
    [
      ['~For want of', ({ mode }) => html`${failWords(mode)} <small>${mode}</small>`],
      [
        'Of the places tried',
        ({ mode, count }) =>
          shareBar(failWords(mode), count / tries, `${shortNumber(count)} of ${shortNumber(tries)}`),
      ],
    ],
  );
  const full = pageTable(`${kind}-full`, 'resources', inUse, [
    ['Resource', ([what]) => what],
    ['In use', ([what, share]) => (share === null ? '-' : shareBar(what, share, W.percent(share)))],
  ]);
  const fits = pageTable(`${kind}-sizes`, 'sizes', sizes, [
    ['#Memory', ({ memMib }) => W.size(memMib)],
    ['#Disk', ({ diskMib }) => W.size(diskMib)],
    ['#Cpus', ({ vcpus }) => vcpus],
    ['Instances', ({ count }) => shareBar('Instances', count / most, shortNumber(count))],
  ]);
  return section(
    kind,
    kind === 'tiered' ? 'Instances that shrink until they fit' : 'Instances of the standard size',
    html`<p>Beginning with ${specText(allocation.size)}, on disks of kind ${diskTemplate}.</p>`,
    chartRow(['What stops the next one', stops], ['How full the cluster is then', full], ['What fits', fits]),
  );
}

const gainWords = ({ gain, isAtLeast }: Lift): string =>
  gain === 0 && isAtLeast ? 'too many to count' : `${gain}${isAtLeast ? ' or' : ''} more`;
const liftWords = ({ lift }: Lift): Markup => html`${lift.map((words) => html`<code>${words}</code> `)}`;
const mostFirst = (lifts: readonly Lift[]): Lift[] => [...lifts].sort((a, b) => b.gain - a.gain);

const roomSection = ({ obstacles, lifts, usableNodes }: Explanation): Markup =>
  section(
    'room',
    'What would make room',
    pageTable('lift-rows', 'changes', mostFirst(lifts), [
      ['~Change', liftWords],
      ['#Instances', gainWords],
    ]),
    html`<h3>What is in the way of the next instance</h3>`,
    pageTable('obstacle-rows', 'obstacles', obstacles, [
      ['~Rule', obstacleWords],
      [
        'Nodes that refuse',
        ({ nodes }) =>
          nodes.length > 0
            ? shareBar('Nodes that refuse', nodes.length / usableNodes, `${nodes.length} of ${usableNodes}`)
            : '-',
      ],
      [
        '~The best of them',
        ({ rule, least }) =>
          least && rule !== 'policy'
            ? `${least.node} lacks ${W.shortAmount(least.missing, least.unit)} of ${least.mustLeaveSome ? 'more than ' : ''}${W.shortAmount(least.needed, least.unit)}`
            : '-',
      ],
    ]),
  );

function obstacleWords({ rule, role, detail, nodes, least }: Explanation['obstacles'][number]): string {
  if (role === 'any' && nodes.length === 0) return 'some node could not be emptied onto the others any more';
  const about = detail === undefined ? '' : ` (${detail})`;
  const bound =
    rule === 'policy' && least
      ? ` (bound ${W.shortAmount(least.available, least.unit)}, asked ${W.shortAmount(least.needed, least.unit)})`
      : '';
  return `${ruleWords(rule)}${about}${bound}${role === 'any' ? '' : `, as ${role}`}`;
}

function stopCard({ reasons }: Allocation, stoppedBy: readonly string[]): Card {
  const question = 'What stops the next one';
  const [first] = reasons;
  const tries = reasons.reduce((sum, { count }) => sum + count, 0);
  if (stoppedBy.length > 0) {
    const lines = ['nothing was tried: balance the cluster first, or accept existing errors'];
    return { question, answer: 'Nodes fail N+1', isBad: true, lines };
  }
  return first && first.count > 0
    ? {
        question,
        answer: failWords(first.mode),
        lines: [`at ${W.percentText(first.count / tries)} of the places tried`],
      }
    : { question, answer: 'Nothing', lines: [] };
}

function sectionsOf(
  { cluster, allocations, explanation }: Hspace,
  { before, after }: NodeTables,
): readonly Content[] {
  const standard = allocations.find(({ kind }) => kind === 'standard')!;
  const tiered = allocations.find(({ kind }) => kind === 'tiered');
  const { stoppedBy = [], lifts = [] } = explanation ?? {};
  const [best] = mostFirst(lifts);
  const [least] = lifts;
  return [
    html`<p class="soft">${W.many(cluster.nodes, 'node')} with ${W.many(cluster.instances, 'instance')}; the standard size is ${specText(standard.size)}.</p>`,
    cards(
      {
        question: 'What still fits',
        answer: W.many(standard.instanceCount, 'instance'),
        lines: [
          'of the standard size',
          tiered && `${shortNumber(tiered.instanceCount)} if they begin large and shrink as needed`,
        ],
      },
      stopCard(standard, stoppedBy),
      {
        question: 'What would make room',
        answer: best ? gainWords(best) : 'No single change',
        lines: [
          best && html`with ${liftWords(best)}`,
          best !== least && html`${gainWords(least!)} with ${liftWords(least!)}`,
        ],
      },
      fullness(after, 'How full it is then'),
    ),
    explanation && stoppedBy.length === 0 && roomSection(explanation),
    allocationSection(standard),
    tiered && allocationSection(tiered),
    nodeCharts(after, before),
    nodesSection(after, before),
  ];
}

/** @param document with the explanation, asked for or not @throws ExecutionError unless it can be written */
export const writeSpacePage = (file: string, document: Hspace, nodes: NodeTables): void =>
  writePage(file, 'hspace', 'what still fits', sectionsOf(document, nodes));
