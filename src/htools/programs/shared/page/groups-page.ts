/** Pages of hredist, hcompress and hspread: groups, moves between them, what stays and why. */
import { kept } from '../../../../kit/kept.ts';
import { chartRow } from '../../../../kit/report/html/charts.ts';
import { type Content, html, type Markup } from '../../../../kit/report/html/markup.ts';
import {
  type Card,
  cards,
  type PageColumn,
  pageTable,
  section,
  tableSection,
} from '../../../../kit/report/html/page.ts';
import type * as D from '../../../results/groups.ts';
import type { RelocationsExplanation } from '../../../results/parts/relocations.ts';
import { refusalReason, stayReason } from '../groups/refusal-text.ts';
import { nodeCharts, nodesSection, type PlanTables, troubleCard } from './nodes.ts';
import { alongChart, boughtChart } from './plan-charts.ts';
import { commandsSection, copiedCell, costCard, stepsTable, timeChart } from './plan-parts.ts';
import { sizeBar } from './use.ts';
import { whyOfMove } from './why.ts';
import * as W from './words.ts';

type Move = D.RelocationMove & { readonly gain?: number | null };

interface Plan {
  readonly cluster: { readonly nodes: number; readonly instances: number };
  readonly moves?: readonly Move[] | undefined;
  readonly cost?: D.RelocationCosts | undefined;
  readonly jobSets?: readonly (readonly { readonly commands: readonly string[] }[])[] | undefined;
  readonly explanation?: RelocationsExplanation | undefined;
}

interface Own {
  readonly willHappen: readonly Content[];
  readonly worth: Omit<Card, 'question'>;
  readonly wrong: readonly (string | false)[];
  readonly charts?: readonly (readonly [heading: string, chart: Content])[];
  readonly groups: Markup;
  readonly stranded?: readonly D.Stranded[];
}

function movesSection({ moves = [], explanation }: Plan, { after, rates }: PlanTables): Markup {
  const short = W.shortNames(after);
  const columns: PageColumn<Move>[] = [
    ['Instance', ({ instance }) => W.nameCell(instance, short)],
    ['From group', ({ from }) => from.group],
    ['From', ({ from }) => W.placeWords(from, short)],
    ['To group', ({ to }) => to.group],
    ['To', ({ to }) => W.placeWords(to, short)],
    ['How', ({ steps }) => W.moveCell(steps.join(' '))],
    ['#Copies', copiedCell],
  ];
  if (moves.some(({ gain }) => gain !== undefined))
    columns.push(['#Gain', ({ gain }) => W.score(gain ?? null)]);
  const whys = new Map(moves.map((move, k) => [move, explanation?.steps[k]]));
  const why = explanation && ((move: Move) => whyOfMove(whys.get(move)!));
  return section('moves', 'Moves', stepsTable('move-rows', 'moves', moves, rates, columns, { why }));
}

function strandedReason(one: D.Stranded, short: (name: string) => string): Markup {
  if (one.reason !== null) return html`${stayReason(one, short)}`;
  return html`${one.isAfterOthers && 'Once the others have moved:'}<ul>${one.refusals.map(
    (refusal) => html`<li>${refusal.group}: ${W.withExact((words) => refusalReason(refusal, words))}</li>`,
  )}</ul>`;
}

/** Instances of the same reasons share a row. */
function strandedSection(list: readonly D.Stranded[], short: (name: string) => string): Markup {
  const rows = new Map<string, { readonly reason: Markup; readonly names: string[] }>();
  for (const one of list) {
    const reason = strandedReason(one, short);
    kept(rows, reason.text, () => ({ reason, names: [] })).names.push(short(one.instance));
  }
  const largestFirst = [...rows.values()].sort((a, b) => b.names.length - a.names.length);
  return tableSection('stranded', 'What finds no home, and why', 'instances', largestFirst, [
    ['~Instances', ({ names }) => names.join(', ')],
    ['#Number', ({ names }) => names.length],
    ['~Why', ({ reason }) => reason],
  ]);
}

function planSections(plan: Plan, tables: PlanTables, own: Own): readonly Content[] {
  const { cluster, cost, jobSets = [], moves = [] } = plan;
  const { stranded = [], charts = [] } = own;
  const short = W.shortNames(tables.after);
  const hasMoves = moves.length > 0;
  const before = hasMoves ? tables.before : undefined;
  const answer = hasMoves ? W.many(moves.length, 'instance moves', 'instances move') : 'Nothing moves';
  const times = cost && cost.seconds > 0 ? [timeChart(moves, tables.rates)] : [];
  return [
    html`<p class="soft">${W.many(cluster.nodes, 'node')}, ${W.many(cluster.instances, 'instance')}.</p>`,
    cards(
      { question: 'What will happen', answer, lines: own.willHappen },
      { question: 'Is it worth it', ...own.worth },
      ...(cost && hasMoves ? [costCard(cost, jobSets.length)] : []),
      troubleCard(tables, hasMoves, own.wrong),
    ),
    own.groups,
    hasMoves && chartRow(...charts, ...times),
    hasMoves && movesSection(plan, tables),
    nodeCharts(tables.after, before),
    nodesSection(tables.after, before),
    stranded.length > 0 && strandedSection(stranded, short),
    commandsSection(section, jobSets, 'commands'),
  ];
}

interface Group {
  readonly name: string;
  readonly state: string;
}

const isIll = ({ state }: Group): boolean => state !== 'healthy';
const stateMark = (group: Group): Content => (isIll(group) ? W.marked(false, group.state) : group.state);
const illWords = (groups: readonly Group[]): string | false => {
  const names = groups.filter(isIll).map(({ name }) => name);
  return (
    names.length > 0 && `${W.many(names.length, 'group is', 'groups are')} not healthy: ${W.someNames(names)}`
  );
};

export function hredistSections(
  { gain, healings, groups, ...plan }: D.HredistDocument,
  tables: PlanTables,
): readonly Content[] {
  const stranded = healings.flatMap((healing) => healing.stranded);
  const outcome = ({ name }: Group): Content => {
    const healing = healings.find(({ group }) => group === name);
    if (!healing) return '-';
    return healing.isHealed
      ? W.marked(true, 'healed')
      : `not healed, ${healing.stranded.length} find no home`;
  };
  return planSections(plan, tables, {
    willHappen: [W.many(healings.length, 'group is to be healed', 'groups are to be healed')],
    worth: {
      answer: `${gain.groupsHealed} of ${W.many(healings.length, 'group')} healed`,
      lines: [
        gain.nodesFreed.length > 0 && `${W.many(gain.nodesFreed.length, 'dead node')} freed of instances`,
        gain.freedMemMib > 0 && html`${W.size(gain.freedMemMib)} of memory freed`,
      ],
    },
    wrong: [
      illWords(groups),
      stranded.length > 0 && `${W.many(stranded.length, 'instance finds', 'instances find')} no home`,
    ],
    groups: tableSection(
      'groups',
      'Groups',
      'groups',
      [...groups].sort((a, b) => Number(isIll(b)) - Number(isIll(a))),
      [
        ['Group', ({ name }) => name],
        ['Policy', ({ allocPolicy }) => allocPolicy],
        ['State', stateMark],
        ['~Dead nodes', ({ deadNodes }) => deadNodes.join(', ') || '-'],
        ['#Nodes that fail N+1', ({ failingNodes }) => failingNodes],
        ['After the plan', outcome],
      ],
      { kinds: { 'not healthy': isIll } },
    ),
    stranded,
  });
}

export function hcompressSections(
  { groups, together = [], emptied = [], alreadyEmpty, ...plan }: D.HcompressDocument,
  tables: PlanTables,
): readonly Content[] {
  const free = groups.filter(({ isReclaimable }) => isReclaimable);
  const chosen = emptied.length > 0 ? emptied : together;
  // What each gives back on its own is not had of all at once: the first gives back most.
  const given = chosen.length > 0 ? groups.filter(({ name }) => chosen.includes(name)) : free.slice(0, 1);
  const sum = (of: (group: (typeof groups)[number]) => number | null): number =>
    given.reduce((all, one) => all + (of(one) ?? 0), 0);
  return planSections(plan, tables, {
    willHappen: [
      emptied.length > 0 &&
        `${W.many(emptied.length, 'group is', 'groups are')} emptied: ${W.someNames(emptied)}`,
      `${free.length} of ${W.many(groups.length, 'group')} could be given back, each on its own`,
      together.length > 0 && `together: ${W.someNames(together)}`,
      alreadyEmpty.length > 0 && `empty already: ${W.someNames(alreadyEmpty)}`,
    ],
    worth: {
      answer:
        emptied.length > 0
          ? `${W.many(
              sum((group) => group.givesBack.nodes),
              'node',
            )} given back`
          : `${given.length < free.length ? `${given.length} of ` : ''}${W.many(free.length, 'group')} to be had`,
      lines: [
        given.length > 0 &&
          html`${emptied.length === 0 && `${W.someNames(given.map(({ name }) => name))}: `}${W.size(sum((group) => group.givesBack.memMib))} of memory, ${W.size(sum((group) => group.givesBack.diskMib))} of disk`,
        chosen.length === 0 && free.length > 1 && '--all tells how many can be given back together',
      ],
    },
    wrong: [illWords(groups)],
    groups: tableSection(
      'groups',
      'Groups',
      'groups',
      [...groups].sort((a, b) => Number(b.isReclaimable) - Number(a.isReclaimable)),
      [
        ['Group', ({ name }) => name],
        ['State', stateMark],
        ['#Nodes', ({ nodes }) => nodes],
        ['#Instances', ({ instances }) => instances],
        ['Memory in use', ({ total, free }) => sizeBar('Memory', total.memMib, free.memMib)],
        ['Disk in use', ({ total, free }) => sizeBar('Disk', total.diskMib, free.diskMib)],
        ['~Could be given back', givenBack],
      ],
      { kinds: { 'to be given back': ({ isReclaimable }) => isReclaimable } },
    ),
    stranded: groups.flatMap((group) => group.stranded ?? []),
  });
}

function givenBack({ cost, isEmpty, reason }: D.HcompressDocument['groups'][number]): Content {
  if (!cost) return isEmpty ? 'empty already' : `no: ${reason ?? 'not all of its instances find a home'}`;
  return html`yes: ${W.many(cost.instances, 'instance')}, ${W.size(cost.copiedMib)} copied, ${W.time(cost.seconds)}`;
}

const RESOURCES = { '#Cpu': 'cpu', '#Memory': 'memory', '#Disk': 'disk', '#Network': 'net' } as const;

const standsOut = (above: readonly string[]): Content =>
  above.length > 0 ? W.marked(false, above.join(', ')) : '-';

export function hspreadSections(document: D.HspreadDocument, tables: PlanTables): readonly Content[] {
  const { before, after, moves } = document;
  const [was, is] = [before.spread ?? 0, after.spread ?? 0];
  const [outBefore, outAfter] = [before, after].map(({ groups }) =>
    groups.flatMap(({ name, above }) => (above.length > 0 ? `${name} (${above.join(', ')})` : [])),
  ) as [string[], string[]];
  const steps = moves.map(({ spread, cost }) => ({ value: spread, copiedMib: cost.copiedMib }));
  const touched = new Set(moves.flatMap(({ from, to }) => [from.group, to.group])).size;
  return planSections(document, tables, {
    willHappen: [touched > 0 && `between ${W.many(touched, 'group')}`],
    worth: {
      answer: was > 0 && is < was ? html`${W.percent((was - is) / was)} more even` : 'As even as before',
      lines: [
        html`unevenness ${W.change(W.score(was), W.score(is))}`,
        outBefore.length > outAfter.length &&
          `${W.many(outBefore.length, 'group stands', 'groups stand')} out before, ${outAfter.length} after`,
      ],
    },
    wrong: [
      outAfter.length > 0 &&
        `above the others${moves.length > 0 ? ' after the plan' : ''}: ${W.someNames(outAfter)}`,
    ],
    charts: [
      ...boughtChart('unevenness', was, steps),
      ['Unevenness along the moves', moves.length > 0 && alongChart('unevenness', was, steps, 'moves')],
    ],
    groups: section(
      'groups',
      'Load of the groups',
      html`<p class="soft">1 is as the whole cluster.</p>`,
      pageTable('group-rows', 'groups', before.groups, [
        ['Group', ({ name }) => name],
        ...Object.entries(RESOURCES).map(
          ([heading, resource]): PageColumn<(typeof before.groups)[number]> => [
            heading,
            ({ load }, k) =>
              W.change(W.score(load[resource]), W.score(after.groups[k]?.load[resource] ?? null)),
          ],
        ),
        [
          'Stands out in',
          ({ above }, k) => W.change(standsOut(above), standsOut(after.groups[k]?.above ?? above)),
        ],
      ]),
    ),
  });
}
