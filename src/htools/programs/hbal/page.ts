/** hbal's page: what happens, whether it is worth it, what it costs, what is wrong; then step by step. */
import { chartRow } from '../../../kit/report/html/charts.ts';
import { type Content, html, type Markup } from '../../../kit/report/html/markup.ts';
import { type Card, cards, section, subsection, tableSection } from '../../../kit/report/html/page.ts';
import type { PriceRates } from '../../plan/price.ts';
import type { GroupPlan } from '../../results/hbal.ts';
import type { MendingFacts } from '../../results/parts/explanation.ts';
import { writePage } from '../shared/document/write-page.ts';
import { metricsTable } from '../shared/page/metrics.ts';
import {
  type NodeTables,
  nodeCharts,
  nodesSection,
  type PlanTables,
  troubleCard,
} from '../shared/page/nodes.ts';
import {
  alongChart,
  boughtChart,
  type ChartStep,
  MOST_OF_IT,
  mostOfGain,
} from '../shared/page/plan-charts.ts';
import { commandsSection, copiedCell, costCard, stepsTable, timeChart } from '../shared/page/plan-parts.ts';
import { refusedList, whyOfStep } from '../shared/page/why.ts';
import * as W from '../shared/page/words.ts';
import { failWords, metricWords } from '../shared/questions/words.ts';
import type { BalancedGroup } from './balance-group.ts';
import { hbalJson } from './json.ts';

interface GroupPage {
  readonly plan: GroupPlan;
  readonly tables: PlanTables;
}

function whyNone({ wasBalanced, rules }: GroupPlan): string {
  if (!rules)
    return wasBalanced ? 'The group is balanced already.' : 'No move that is allowed makes it better.';
  return rules.before.length === 0 ? 'No rule is broken.' : 'No move that is allowed mends what is broken.';
}

function willHappen(plan: GroupPlan): Card {
  const { steps, cost } = plan;
  const question = 'What will happen';
  if (steps.length === 0) return { question, answer: 'Nothing moves', lines: [whyNone(plan)] };
  const copying = steps.filter((step) => step.cost.copiedMib > 0).length;
  const others = steps.length - copying;
  return {
    question,
    answer: W.many(new Set(steps.map(({ instance }) => instance)).size, 'instance moves', 'instances move'),
    lines: [
      `${W.many(steps.length, 'step')} in ${W.many(cost.jobSets, 'job set')}`,
      copying > 0 && `${W.many(copying, 'step copies', 'steps copy')} disks to another node`,
      others > 0 && `${W.many(others, 'step changes', 'steps change')} only which node runs the instance`,
    ],
  };
}

const chartSteps = (steps: GroupPlan['steps']): ChartStep[] =>
  steps.map(({ score, cost: { copiedMib } }) => ({ value: score, copiedMib }));

function mostOfIt({ initial, steps }: GroupPlan): Content {
  const at = mostOfGain(initial.score, chartSteps(steps));
  const copied = steps.slice(0, at + 1).reduce((sum, step) => sum + step.cost.copiedMib, 0);
  return (
    at >= 0 &&
    html`${W.percentText(MOST_OF_IT)} of that after ${W.many(at + 1, 'step')}${copied > 0 && html` and ${W.size(copied)}`}`
  );
}

const boundLine = (bound: GroupPlan['bound']): Content =>
  bound &&
  (bound.score === null ? 'no bound is proven' : html`no placement scores below ${W.score(bound.score)}`);

/** Of `--only-rules`: what it mends, for which the score may rise. */
function mended({ initial, final, bound }: GroupPlan, rules: MendingFacts): Card {
  const { brokenBefore, brokenAfter, isFewest } = rules;
  const all = `${W.many(brokenBefore, 'broken rule')} mended`;
  const some = brokenAfter === 0 ? all : `${brokenBefore - brokenAfter} of ${all}`;
  return {
    question: 'Is it worth it',
    answer: brokenBefore === 0 ? 'Nothing to mend' : some,
    lines: [
      html`score ${W.change(W.score(initial.score), W.score(final.score))}`,
      isFewest && brokenBefore > 0 && 'no fewer moves mend as much',
      boundLine(bound),
    ],
  };
}

function worth(plan: GroupPlan): Card {
  const { initial, final, explanation, bound, steps } = plan;
  const [most] = explanation?.metrics ?? [];
  const share = initial.score ? (initial.score - (final.score ?? 0)) / initial.score : 0;
  const hasSteps = steps.length > 0;
  return {
    question: 'Is it worth it',
    answer: hasSteps ? html`${W.percent(share)} better` : html`Score ${W.score(final.score)}`,
    lines: [
      hasSteps && html`score ${W.change(W.score(initial.score), W.score(final.score))}; 0 is even and safe`,
      mostOfIt(plan),
      most !== undefined &&
        most.share !== null &&
        html`${W.percent(most.share)} of it: ${metricWords(most.metric)}`,
      boundLine(bound),
    ],
  };
}

function trouble({ health, explanation, steps, rules }: GroupPlan, tables: PlanTables): Card {
  const broken = health.policyViolations;
  const short = W.shortNames(tables.after);
  const refused = explanation?.refusedAtEnd.length ?? 0;
  const still = rules?.after ?? [];
  return troubleCard(tables, steps.length > 0, [
    still.length > 0 && `still broken: ${W.someNames([...new Set(still.map(({ rule }) => rule))])}`,
    broken.length > 0 && `${W.many(broken.length, 'node breaks', 'nodes break')} the policy`,
    broken.length > 0 && W.someNames(broken.map((one) => `${short(one.name)} (${failWords(one.broken)})`)),
    refused > 0 && `${W.many(refused, 'instance')} would gain elsewhere, but rules refuse it`,
  ]);
}

function stepsOf({ plan: { steps, explanation }, tables }: GroupPage, id: string): Markup {
  const short = W.shortNames(tables.after);
  return stepsTable(
    id,
    'steps',
    steps,
    tables.rates,
    [
      ['#Step', ({ step }) => step],
      ['Instance', ({ instance }) => W.nameCell(instance, short)],
      ['From', ({ from }) => W.placeWords(from, short)],
      ['To', ({ to }) => W.placeWords(to, short)],
      ['How', ({ notation, isDetour }) => html`${W.moveCell(notation)}${isDetour && ' (detour)'}`],
      ['#Score', ({ score }) => W.score(score)],
      ['#Gain', ({ gain }) => W.score(gain)],
      ['#Copies', copiedCell],
    ],
    { nameAt: 1, why: explanation && (({ step }) => whyOfStep(explanation.steps[step - 1]!)) },
  );
}

/** Everything about one group. @param prefix of the names on the page, where there are several groups */
function groupParts({ plan, tables }: GroupPage, prefix: string): readonly Content[] {
  const { initial, final, cost, curve, explanation, steps, rules } = plan;
  const part = prefix === '' ? section : subsection;
  const hasSteps = steps.length > 0;
  const values = chartSteps(steps);
  const refused = explanation?.refusedAtEnd ?? [];
  const before = hasSteps ? tables.before : undefined;
  return [
    html`<p class="soft">Node group ${plan.group.name}: ${W.many(plan.group.nodes, 'node')}, ${W.many(plan.group.instances, 'instance')}.</p>`,
    cards(
      willHappen(plan),
      rules ? mended(plan, rules) : worth(plan),
      ...(hasSteps ? [costCard(cost, cost.jobSets)] : []),
      trouble(plan, tables),
    ),
    hasSteps &&
      chartRow(
        ...(rules ? [] : boughtChart('score', initial.score, values, curve)),
        ['Score along the steps', alongChart('score', initial.score, values, 'steps')],
        ...(cost.seconds > 0 ? [timeChart(steps, tables.rates)] : []),
      ),
    nodeCharts(tables.after, before),
    hasSteps && part(`${prefix}steps`, 'Steps', stepsOf({ plan, tables }, `${prefix}step-rows`)),
    nodesSection(tables.after, before, `${prefix}nodes`, part),
    refused.length > 0 && part(`${prefix}refused`, 'What rules refuse at the end', refusedList(refused)),
    part(
      `${prefix}metrics`,
      'Parts of the score',
      metricsTable(`${prefix}metric-rows`, initial.metrics, final.metrics),
    ),
    commandsSection(part, plan.jobSets, `${prefix}commands`),
  ];
}

/** Of several groups what they come to together, and a line each. */
function overview(groups: readonly GroupPage[]): readonly Content[] {
  const moving = groups.filter(({ plan }) => plan.steps.length > 0);
  const sum = (of: (plan: GroupPlan) => number): number =>
    groups.reduce((all, { plan }) => all + of(plan), 0);
  const all = (of: keyof NodeTables) => groups.flatMap(({ tables }) => tables[of]);
  return [
    cards(
      {
        question: 'What will happen',
        answer:
          moving.length === 0
            ? 'Nothing moves'
            : W.many(
                sum(({ steps }) => steps.length),
                'step',
              ),
        lines: [`in ${moving.length} of ${W.many(groups.length, 'group')}`],
      },
      {
        question: 'What does it cost',
        answer: html`${W.size(sum(({ cost }) => cost.copiedMib))} copied`,
        lines: [html`about ${W.time(sum(({ cost }) => cost.seconds))}, one group after another`],
      },
      troubleCard({ before: all('before'), after: all('after') }, moving.length > 0),
    ),
    tableSection('groups', 'Groups', 'groups', groups, [
      ['Group', ({ plan }, k) => html`<a href="#group${k + 1}">${plan.group.name}</a>`],
      ['#Steps', ({ plan }) => plan.steps.length],
      ['#Score before', ({ plan }) => W.score(plan.initial.score)],
      ['#Score after', ({ plan }) => W.score(plan.final.score)],
      ['#Copies', ({ plan }) => W.size(plan.cost.copiedMib)],
      ['#Takes', ({ plan }) => W.time(plan.cost.seconds)],
    ]),
  ];
}

function sectionsOf(groups: readonly GroupPage[]): readonly Content[] {
  if (groups.length === 1) return groupParts(groups[0]!, '');
  return [
    ...overview(groups),
    ...groups.map((group, k) =>
      section(`group${k + 1}`, `Group ${group.plan.group.name}`, groupParts(group, `group${k + 1}-`)),
    ),
  ];
}

/** Writes the page of `--html`. @throws ExecutionError when it cannot be written */
export function writeBalancePage(file: string, balanced: readonly BalancedGroup[], rates: PriceRates): void {
  const groups = balanced.map((group) => ({
    plan: hbalJson(group, true),
    tables: { before: group.before.nodes, after: group.after.nodes, rates },
  }));
  const does = groups.some(({ plan }) => plan.rules) ? 'mends' : 'balances';
  writePage(file, 'hbal', `a plan that ${does}`, sectionsOf(groups));
}
