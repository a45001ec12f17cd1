/** Pages of hredist, hcompress and hspread: groups, moves between them, what stays and why. */

import { type Content, html, type Markup } from '../../../../kit/report/html/markup.ts';
import { figures } from '../../../../kit/report/html/page.ts';
import { tableSection } from '../../../../kit/report/html/table.ts';
import type { DeepReadonly, DocumentOf } from '../../../../kit/results/members.ts';
import type { StayRule, TargetRule } from '../../../planners/groups/homes/targets.ts';
import type { DepartureRule } from '../../../planners/groups/relocate/departure.ts';
import type {
  HcompressDocument,
  HredistDocument,
  HspreadDocument,
  relocationCost,
  relocationMove,
  stranded,
} from '../../../results/groups.ts';
import type { relocationsExplanation } from '../../../results/parts/relocations.ts';
import { refusalReason, stayReason } from '../groups/refusal-text.ts';
import { commandsSection } from './commands.ts';
import { nodesSection, type PlanTables } from './nodes.ts';
import { planCharts } from './plan-charts.ts';
import { sizeBar } from './use-bars.ts';
import { whyOfMove } from './why.ts';
import { marked, nameCell, placeWords, shortNames, sizeWords, timeWords, yesOrNo } from './words.ts';

type Move = DocumentOf<typeof relocationMove>;
type Stranded = DocumentOf<typeof stranded>;
type Cost = DocumentOf<typeof relocationCost>;
type Explanation = DocumentOf<typeof relocationsExplanation>;

const costFigures = (cost: Cost): (readonly [string, Content])[] => [
  ['Instances that move', String(cost.instances)],
  ['Copied', sizeWords(cost.copiedMib)],
  ['Migrations', String(cost.migrations)],
  ['Failovers', String(cost.failovers)],
  ['Takes about', `${timeWords(cost.seconds)} at ${cost.bandwidthMibPerSecond} MiB/s`],
];

const movesSection = (
  moves: readonly (Move & { readonly gain?: number | null })[],
  explanation: Explanation | undefined,
  short: (name: string) => string,
): Markup => {
  const hasGain = moves.some(({ gain }) => gain !== undefined);
  return tableSection(
    'Moves',
    'moves',
    'moves',
    [
      { heading: 'Instance', isName: true },
      { heading: 'From group' },
      { heading: 'From' },
      { heading: 'To group' },
      { heading: 'To' },
      { heading: 'Steps' },
      { heading: 'Job set', isNumeric: true },
      { heading: 'Copies', isNumeric: true },
      ...(hasGain ? [{ heading: 'Gain', isNumeric: true }] : []),
      ...(explanation ? [{ heading: 'Why' }] : []),
    ],
    moves.map((move, k) => [
      nameCell(move.instance, short),
      move.from.group,
      placeWords(move.from, short),
      move.to.group,
      placeWords(move.to, short),
      html`<span class="line">${move.steps.join(', ')}</span>`,
      move.jobSet,
      move.cost.copiedMib > 0 ? sizeWords(move.cost.copiedMib) : '-',
      ...(hasGain ? [(move.gain ?? 0).toFixed(6)] : []),
      ...(explanation ? [whyOfMove(explanation.steps[k]!)] : []),
    ]),
  );
};

const strandedSection = (list: readonly Stranded[], short: (name: string) => string): Content =>
  list.length > 0 &&
  tableSection(
    'What finds no home, and why',
    'stranded',
    'instances',
    [
      { heading: 'Instance', isName: true },
      { heading: 'Why', isText: true },
    ],
    list.map(({ instance, reason, departure, refusals, isAfterOthers }) => [
      nameCell(instance, short),
      reason === null
        ? html`${isAfterOthers && 'Once the others have moved:'}<ul>${refusals.map(
            ({ group, rule, ...figures }) =>
              html`<li>${group}: ${refusalReason({ rule: rule as TargetRule, ...figures })}</li>`,
          )}</ul>`
        : stayReason(
            reason as StayRule,
            departure.map(({ node, role, rule }) => ({
              node: short(node),
              role,
              rule: rule as DepartureRule,
            })),
          ),
    ]),
  );

const clusterLine = ({ nodes, instances }: { readonly nodes: number; readonly instances: number }): Markup =>
  html`<p>${nodes} nodes, ${instances} instances.</p>`;

const stateMark = (state: string): Markup => marked(state === 'healthy', state);

export const hredistSections = (
  document: DeepReadonly<HredistDocument>,
  tables: PlanTables,
): readonly Content[] => [
  clusterLine(document.cluster),
  figures([
    ['Groups healed', `${document.gain.groupsHealed} of ${document.healings.length}`],
    ['Dead nodes freed', String(document.gain.nodesFreed.length)],
    ...costFigures(document.cost),
  ]),
  tableSection(
    'Groups',
    'groups',
    'groups',
    [
      { heading: 'Group', isName: true },
      { heading: 'Policy' },
      { heading: 'State' },
      { heading: 'Dead nodes', isText: true },
      { heading: 'Fail N+1', isNumeric: true },
      { heading: 'After the plan' },
    ],
    document.groups.map((group) => {
      const healing = document.healings.find((one) => one.group === group.name);
      return [
        group.name,
        group.allocPolicy,
        stateMark(group.state),
        group.deadNodes.join(', ') || '-',
        group.failingNodes,
        healing ? (healing.isHealed ? 'healed' : `not healed, ${healing.stranded.length} find no home`) : '-',
      ];
    }),
  ),
  nodesSection(tables.after, tables.before),
  movesSection(document.moves, document.explanation, shortNames(tables.after)),
  strandedSection(
    document.healings.flatMap((healing) => healing.stranded),
    shortNames(tables.after),
  ),
  ...commandsSection(document.jobSets, 'commands'),
];

const groupsOf = (names: readonly string[]): string =>
  names.length > 0 ? `${names.length}: ${names.join(', ')}` : 'none';

export const hcompressSections = (
  document: DeepReadonly<HcompressDocument>,
  tables: PlanTables,
): readonly Content[] => [
  clusterLine(document.cluster),
  figures([
    ['Groups', String(document.groups.length)],
    [
      'Could be given back, each on its own',
      String(document.groups.filter(({ isReclaimable }) => isReclaimable).length),
    ],
    ...(document.together ? [['Together', groupsOf(document.together)] as const] : []),
    ...(document.emptied?.length ? [['Emptied by this plan', document.emptied.join(', ')] as const] : []),
    ['Empty already', String(document.alreadyEmpty.length)],
    ...(document.cost ? costFigures(document.cost) : []),
  ]),
  tableSection(
    'Groups',
    'groups',
    'groups',
    [
      { heading: 'Group', isName: true },
      { heading: 'State' },
      { heading: 'Nodes', isNumeric: true },
      { heading: 'Instances', isNumeric: true },
      { heading: 'Memory' },
      { heading: 'Disk' },
      { heading: 'Could be given back, on its own' },
      { heading: 'Price or reason', isText: true },
    ],
    document.groups.map((group) => [
      group.name,
      stateMark(group.state),
      group.nodes,
      group.instances,
      sizeBar('Memory', group.total.memMib, group.free.memMib),
      sizeBar('Disk', group.total.diskMib, group.free.diskMib),
      group.isReclaimable ? yesOrNo(true) : group.isEmpty ? 'empty already' : yesOrNo(false),
      group.cost
        ? `${group.cost.instances} instances, ${sizeWords(group.cost.copiedMib)} copied, ${timeWords(group.cost.seconds)}`
        : (group.reason ?? ''),
    ]),
  ),
  nodesSection(tables.after, document.moves && document.moves.length > 0 ? tables.before : undefined),
  ...(document.moves ? [movesSection(document.moves, document.explanation, shortNames(tables.after))] : []),
  strandedSection(
    document.groups.flatMap((group) => group.stranded ?? []),
    shortNames(tables.after),
  ),
  ...commandsSection(document.jobSets ?? [], 'commands'),
];

/** How unevenly the load lies, along the moves and against what they copy. */
const spreadCharts = ({ before, moves }: DeepReadonly<HspreadDocument>): Content =>
  moves.length > 0 &&
  planCharts(
    'unevenness',
    before.spread,
    moves.map(({ spread, cost }) => ({ value: spread, copiedMib: cost.copiedMib })),
    'moves',
  );

export const hspreadSections = (
  document: DeepReadonly<HspreadDocument>,
  tables: PlanTables,
): readonly Content[] => [
  clusterLine(document.cluster),
  figures([
    ['Unevenness before', (document.before.spread ?? 0).toFixed(6)],
    ['Unevenness after', (document.after.spread ?? 0).toFixed(6)],
    ...costFigures(document.cost),
  ]),
  tableSection(
    'Load of the groups (1 is as the whole cluster)',
    'groups',
    'groups',
    [
      { heading: 'Group', isName: true },
      ...['cpu', 'memory', 'disk', 'net'].map((heading) => ({ heading, isNumeric: true })),
      { heading: 'Stands out in' },
    ],
    document.before.groups.map((group, k) => {
      const after = document.after.groups[k];
      const both = (resource: 'cpu' | 'memory' | 'disk' | 'net'): string =>
        `${(group.load[resource] ?? 0).toFixed(2)} → ${(after?.load[resource] ?? 0).toFixed(2)}`;
      return [
        group.name,
        both('cpu'),
        both('memory'),
        both('disk'),
        both('net'),
        html`<span class="line">${group.above.join(', ') || '-'}</span>`,
      ];
    }),
  ),
  spreadCharts(document),
  nodesSection(tables.after, tables.before),
  movesSection(document.moves, document.explanation, shortNames(tables.after)),
  ...commandsSection(document.jobSets, 'commands'),
];
