/** hinfo's page: the cluster as it is. */
import { type Content, html, type Markup } from '../../../kit/report/html/markup.ts';
import { cards, section, tableSection } from '../../../kit/report/html/page.ts';
import type { ProgramDocument } from '../../results/all.ts';
import type { NodeRow } from '../../results/parts/tables.ts';
import { writePage } from '../shared/document/write-page.ts';
import { addsOf, metricsTable } from '../shared/page/metrics.ts';
import { nodeCharts, nodesSection, troubleCard } from '../shared/page/nodes.ts';
import { fullness, sizeBar } from '../shared/page/use.ts';
import * as W from '../shared/page/words.ts';
import { metricWords } from '../shared/questions/words.ts';

type Hinfo = ProgramDocument<'hinfo'>;

const poolsSection = ({ pools }: NonNullable<Hinfo['storage']>): Markup =>
  tableSection('pools', 'Storage pools', 'pools', pools, [
    ['Pool', ({ pool }) => pool],
    ['#Nodes', ({ nodes }) => nodes.length],
    ['#Instances', ({ instances }) => instances],
    [
      'Space in use',
      ({ sizeMib, freeMib, usedMib }) =>
        sizeMib === null
          ? html`${W.size(usedMib)}, of a size that is not known`
          : sizeBar('Space', sizeMib, freeMib ?? sizeMib - usedMib),
    ],
    ['~Groups', ({ groups }) => groups.join(', ')],
  ]);

const MAY_FAIL = { no: W.marked(false, 'no'), unproven: 'unproven', yes: 'yes' };
const WORST_FIRST = Object.keys(MAY_FAIL);

const failuresSection = ({ nodes }: NonNullable<Hinfo['n1']>, short: (name: string) => string): Markup =>
  tableSection(
    'n1',
    'Whether each node may fail',
    'nodes',
    [...nodes].sort((a, b) => WORST_FIRST.indexOf(a.verdict) - WORST_FIRST.indexOf(b.verdict)),
    [
      ['Node', ({ node }) => W.nameCell(node, short)],
      ['Group', ({ group }) => group],
      ['#Instances to start again', ({ instances }) => instances],
      ['May fail', ({ verdict }) => MAY_FAIL[verdict]],
      [
        'Reason',
        ({ shortfall: it, degraded }) =>
          it
            ? `${it.resource}: ${W.shortAmount(it.missing, it.unit)} short`
            : degraded.length > 0 && `${W.many(degraded.length, 'restart')} degraded`,
      ],
    ],
    { kinds: { no: ({ verdict }) => verdict === 'no', unproven: ({ verdict }) => verdict === 'unproven' } },
  );

const groupsSection = (groups: Hinfo['groups']): Markup =>
  tableSection('groups', 'Groups', 'groups', groups, [
    ['Group', ({ name }) => name],
    ['#Nodes', ({ nodes }) => nodes],
    ['#Instances', ({ instances }) => instances],
    ['#Nodes that fail N+1', ({ badNodes }) => (badNodes > 0 ? W.marked(false, String(badNodes)) : 0)],
    ['#Instances on these', ({ badInstances }) => badInstances],
    ['#Score', ({ score }) => W.score(score)],
  ]);

function sectionsOf(document: Hinfo, nodes: readonly NodeRow[]): readonly Content[] {
  const { cluster, groups, metrics, n1, score, splitInstances, storage } = document;
  const [most] = [...metrics].sort((a, b) => addsOf(b) - addsOf(a));
  const offline = nodes.filter(({ isOffline }) => isOffline).length;
  const away = storage?.misplaced.length ?? 0;
  return [
    cards(
      {
        question: 'What it is made of',
        answer: W.many(cluster.nodes, 'node'),
        lines: [
          W.many(cluster.instances, 'instance'),
          W.many(groups.length, 'group'),
          offline > 0 && `${W.many(offline, 'node is', 'nodes are')} offline`,
        ],
      },
      fullness(nodes, 'How full it is'),
      {
        question: 'How even it is',
        answer: html`Score ${W.score(score)}`,
        lines: [
          '0 is even and safe',
          most !== undefined &&
            !!score &&
            html`${W.percent(addsOf(most) / score)} of it: ${metricWords(most.name)}`,
        ],
      },
      troubleCard({ before: nodes, after: nodes }, false, [
        !!n1?.counts.no &&
          `${W.many(n1.counts.no, 'node')} could not be lost: not all instances would start again`,
        !!n1?.counts.unproven && `of ${W.many(n1.counts.unproven, 'node')} that is not proven`,
        away > 0 && `${W.many(away, 'instance is', 'instances are')} away from their storage`,
        splitInstances.length > 0 &&
          `${W.many(splitInstances.length, 'instance has', 'instances have')} nodes in two groups`,
      ]),
    ),
    nodeCharts(nodes),
    groups.length > 1 && groupsSection(groups),
    nodesSection(nodes),
    !!storage?.pools.length && poolsSection(storage),
    n1 && failuresSection(n1, W.shortNames(nodes)),
    section('metrics', 'Parts of the score', metricsTable('metric-rows', metrics)),
  ];
}

/** Writes the page of `--html`. @throws ExecutionError when it cannot be written */
export const writeClusterPage = (file: string, document: Hinfo, nodes: readonly NodeRow[]): void =>
  writePage(file, 'hinfo', 'the cluster as it is', sectionsOf(document, nodes));
