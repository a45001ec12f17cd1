/** Pages of hredist, hcompress and hspread: groups, moves between them, what stays and why. */
import type { DeepReadonly, DocumentOf } from '../../../documents/common.ts';
import type {
  HcompressDocument,
  HredistDocument,
  HspreadDocument,
  relocationCost,
  relocationMove,
  stranded,
} from '../../../documents/groups.ts';
import { type BarPart, stackedBars } from '../../../report/html/charts.ts';
import { type Content, html, type Markup } from '../../../report/html/markup.ts';
import { figures, section } from '../../../report/html/page.ts';
import { commandBox, pageTable } from '../../../report/html/table.ts';
import { commandLines, type PlanTables } from './hbal-page.ts';
import { nodesSection } from './nodes.ts';
import { placeWords, sizeWords, timeWords } from './words.ts';

type Move = DocumentOf<typeof relocationMove>;
type Stranded = DocumentOf<typeof stranded>;
type Cost = DocumentOf<typeof relocationCost>;

const costFigures = (cost: Cost): (readonly [string, Content])[] => [
  ['Instances that move', String(cost.instances)],
  ['Copied', sizeWords(cost.copiedMib)],
  ['Migrations', String(cost.migrations)],
  ['Failovers', String(cost.failovers)],
  ['Takes about', `${timeWords(cost.seconds)} at ${cost.bandwidthMibPerSecond} MiB/s`],
];

const movesSection = (moves: readonly (Move & { readonly gain?: number | null })[]): Markup => {
  const hasGain = moves.some(({ gain }) => gain !== undefined);
  return section(
    'Moves',
    pageTable(
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
      ],
      moves.map((move) => [
        move.instance,
        move.from.group,
        placeWords(move.from),
        move.to.group,
        placeWords(move.to),
        move.steps.join(', '),
        move.jobSet,
        move.cost.copiedMib > 0 ? sizeWords(move.cost.copiedMib) : '-',
        ...(hasGain ? [(move.gain ?? 0).toFixed(6)] : []),
      ]),
    ),
  );
};

const strandedSection = (list: readonly Stranded[]): Markup =>
  section(
    'What finds no home, and why',
    pageTable(
      'stranded',
      'instances',
      [{ heading: 'Instance', isName: true }, { heading: 'Why' }],
      list.map(({ instance, reason, departure, refusals, isAfterOthers }) => [
        instance,
        html`${reason ?? ''}<ul>${[
          ...departure.map(({ node, role, rule }) => html`<li>cannot leave ${node} as ${role}: ${rule}</li>`),
          ...refusals.map(
            ({ group, rule, nodes, needed, available, unit, detail }) =>
              html`<li>${group}: ${rule}${nodes === undefined ? '' : ` on ${nodes} nodes`}${needed === undefined ? '' : `, ${needed} ${unit ?? ''} needed, ${available ?? 0} there`}${detail === undefined ? '' : ` (${detail})`}</li>`,
          ),
        ]}</ul>${isAfterOthers ? 'once others have moved' : ''}`,
      ]),
    ),
  );

const commandsSection = (jobSets: Parameters<typeof commandLines>[0]): readonly Markup[] =>
  jobSets.length > 0 ? [section('Commands', commandBox('commands', commandLines(jobSets)))] : [];

const clusterLine = ({ nodes, instances }: { readonly nodes: number; readonly instances: number }): Markup =>
  html`<p>${nodes} nodes, ${instances} instances.</p>`;

const STATE_CLASSES: Readonly<Record<string, string>> = { healthy: 'good', weak: 'bad', unhealthy: 'bad' };
const stateMark = (state: string): Markup =>
  html`<span class="${STATE_CLASSES[state] ?? ''}">${state}</span>`;

export const hredistSections = (
  document: DeepReadonly<HredistDocument>,
  tables: PlanTables,
): readonly Markup[] => [
  clusterLine(document.cluster),
  figures([
    ['Groups healed', `${document.gain.groupsHealed} of ${document.healings.length}`],
    ['Dead nodes freed', String(document.gain.nodesFreed.length)],
    ...costFigures(document.cost),
  ]),
  section(
    'Groups',
    pageTable(
      'groups',
      'groups',
      [
        { heading: 'Group', isName: true },
        { heading: 'Policy' },
        { heading: 'State' },
        { heading: 'Dead nodes' },
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
          healing
            ? healing.isHealed
              ? 'healed'
              : `not healed, ${healing.stranded.length} find no home`
            : '-',
        ];
      }),
    ),
  ),
  nodesSection(tables.after, tables.before),
  movesSection(document.moves),
  strandedSection(document.healings.flatMap((healing) => healing.stranded)),
  ...commandsSection(document.jobSets),
];

export const hcompressSections = (
  document: DeepReadonly<HcompressDocument>,
  tables: PlanTables,
): readonly Markup[] => [
  clusterLine(document.cluster),
  figures([
    ['Groups', String(document.groups.length)],
    ['Could be given back', String(document.groups.filter(({ isReclaimable }) => isReclaimable).length)],
    ['Empty already', String(document.alreadyEmpty.length)],
    ...(document.cost ? costFigures(document.cost) : []),
  ]),
  section(
    'Groups',
    pageTable(
      'groups',
      'groups',
      [
        { heading: 'Group', isName: true },
        { heading: 'State' },
        { heading: 'Nodes', isNumeric: true },
        { heading: 'Instances', isNumeric: true },
        { heading: 'Memory' },
        { heading: 'Disk' },
        { heading: 'Could be given back' },
        { heading: 'Price or reason' },
      ],
      document.groups.map((group) => [
        group.name,
        stateMark(group.state),
        group.nodes,
        group.instances,
        useBar('Memory', group.total.memMib, group.free.memMib),
        useBar('Disk', group.total.diskMib, group.free.diskMib),
        group.isReclaimable
          ? html`<span class="good">yes</span>`
          : group.isEmpty
            ? 'empty already'
            : html`<span class="bad">no</span>`,
        group.cost
          ? `${group.cost.instances} instances, ${sizeWords(group.cost.copiedMib)} copied, ${timeWords(group.cost.seconds)}`
          : (group.reason ?? ''),
      ]),
    ),
  ),
  nodesSection(tables.after, document.moves && document.moves.length > 0 ? tables.before : undefined),
  ...(document.moves ? [movesSection(document.moves)] : []),
  strandedSection(document.groups.flatMap((group) => group.stranded ?? [])),
  ...commandsSection(document.jobSets ?? []),
];

/** How much of an amount is in use, as a bar. */
export function useBar(what: string, total: number | null, free: number | null): Markup {
  const used = (total ?? 0) - (free ?? 0);
  const words = `${sizeWords(used)} of ${sizeWords(total)}`;
  const parts: BarPart[] = [{ kind: 'used', share: total ? used / total : 0 }];
  return html`<div class="bars">${stackedBars(`${what}: ${words} in use`, [parts])}<small>${words}</small></div>`;
}

export const hspreadSections = (
  document: DeepReadonly<HspreadDocument>,
  tables: PlanTables,
): readonly Markup[] => [
  clusterLine(document.cluster),
  figures([
    ['Unevenness before', (document.before.spread ?? 0).toFixed(6)],
    ['Unevenness after', (document.after.spread ?? 0).toFixed(6)],
    ...costFigures(document.cost),
  ]),
  section(
    'Load of the groups (1 is as the whole cluster)',
    pageTable(
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
          group.above.join(', ') || '-',
        ];
      }),
    ),
  ),
  nodesSection(tables.after, tables.before),
  movesSection(document.moves),
  ...commandsSection(document.jobSets),
];
