/** hbal's page: what the plan does, step by step, and what it costs. */

import { type Content, html, type Markup } from '../../../../kit/report/html/markup.ts';
import { figures, section } from '../../../../kit/report/html/page.ts';
import { tableSection } from '../../../../kit/report/html/table.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import type { hbalGroup } from '../../../results/hbal.ts';
import { commandsSection } from './commands.ts';
import { nodesSection, type PlanTables } from './nodes.ts';
import { planCharts } from './plan-charts.ts';
import { refusedLine, whyOfStep } from './why.ts';
import { nameCell, placeWords, scoreWords, shortNames, sizeWords, timeWords } from './words.ts';

type Plan = DocumentOf<typeof hbalGroup>;

function stepsSection({ steps, explanation }: Plan, id: string, short: (name: string) => string): Markup {
  const columns = [
    { heading: 'Step', isNumeric: true },
    { heading: 'Instance', isName: true },
    { heading: 'From' },
    { heading: 'To' },
    { heading: 'Move' },
    { heading: 'Job set', isNumeric: true },
    { heading: 'Score', isNumeric: true },
    { heading: 'Gain', isNumeric: true },
    { heading: 'Copies', isNumeric: true },
    ...(explanation ? [{ heading: 'Why' }] : []),
  ];
  const rows = steps.map((step, k): Content[] => [
    step.step,
    nameCell(step.instance, short),
    placeWords(step.from, short),
    placeWords(step.to, short),
    html`<span class="line">${step.notation}${step.isDetour ? ' (detour)' : ''}</span>`,
    step.jobSet,
    scoreWords(step.score),
    scoreWords(step.gain),
    step.cost.copiedMib > 0 ? sizeWords(step.cost.copiedMib) : '-',
    ...(explanation ? [whyOfStep(explanation.steps[k]!)] : []),
  ]);
  return tableSection('Steps', id, 'steps', columns, rows);
}

const metricsSection = ({ initial, final }: Plan, id: string): Markup =>
  tableSection(
    'Parts of the score',
    id,
    'metrics',
    [
      { heading: 'Metric', isName: true },
      { heading: 'Weight', isNumeric: true },
      { heading: 'Before', isNumeric: true },
      { heading: 'After', isNumeric: true },
    ],
    initial.metrics.map(({ name, weight, value }, k) => [
      name,
      weight,
      scoreWords(value),
      scoreWords(final.metrics[k]?.value ?? null),
    ]),
  );

/** Everything about one group. @param prefix of the names on the page, where there are several groups */
export function hbalSections(plan: Plan, tables: PlanTables, prefix = ''): readonly Content[] {
  const { initial, final, cost, health, explanation } = plan;
  const refused = explanation?.refusedAtEnd ?? [];
  return [
    html`<p>Node group ${plan.group.name}: ${plan.group.nodes} nodes, ${plan.group.instances} instances. ${plan.wasBalanced ? 'It is balanced already.' : ''}</p>`,
    figures([
      ['Score before', scoreWords(initial.score)],
      ['Score after', scoreWords(final.score)],
      ['Steps', `${cost.steps} in ${cost.jobSets} job sets`],
      ['Copied', sizeWords(cost.copiedMib)],
      ['Takes about', `${timeWords(cost.seconds)} at ${cost.bandwidthMibPerSecond} MiB/s`],
      ['Downtime', timeWords(cost.downtimeSeconds)],
      ['Fail N+1 at the start', String(health.badNodes.length)],
      ...(plan.bound ? [['No score below', scoreWords(plan.bound.score)] as const] : []),
    ]),
    plan.steps.length > 0 &&
      planCharts(
        'score',
        initial.score,
        plan.steps.map(({ score, cost: { copiedMib } }) => ({ value: score, copiedMib })),
        'steps',
        plan.curve,
      ),
    nodesSection(tables.after, tables.before, `${prefix}nodes`),
    stepsSection(plan, `${prefix}steps`, shortNames(tables.after)),
    ...(explanation
      ? [
          section(
            'What rules forbade at the end',
            refused.length > 0
              ? html`<ul>${refused.map(refusedLine)}</ul>`
              : html`<p class="soft">Nothing that would have gained.</p>`,
          ),
        ]
      : []),
    metricsSection(plan, `${prefix}metrics`),
    ...commandsSection(plan.jobSets, `${prefix}commands`),
  ];
}
