/** What pages of all plans have: what they cost, their steps by job set, and the commands to copy. */

import { columnChart } from '../../../../kit/report/html/charts.ts';
import { type Content, html, type Markup } from '../../../../kit/report/html/markup.ts';
import {
  type Card,
  commandBox,
  type PageColumn,
  type PageRows,
  pageTable,
  type section,
  type subsection,
} from '../../../../kit/report/html/page.ts';
import { duration } from '../../../../kit/report/sentences.ts';
import { count } from '../../../../kit/text/words.ts';
import type { Cost } from '../../../plan/cost.ts';
import { costSeconds, type PriceRates, sideBySide } from '../../../plan/price.ts';
import { many, size, sizeText, time, timeUnit } from './words.ts';

interface PlanCost extends Cost {
  readonly seconds: number;
  readonly bandwidthMibPerSecond: number;
  readonly downtimeSeconds?: number;
}

export const costCard = (cost: PlanCost, jobSetCount: number): Card => ({
  question: 'What does it cost',
  answer: cost.copiedMib > 0 ? html`${size(cost.copiedMib)} copied` : 'No copying',
  lines: [
    cost.seconds > 0 &&
      html`about ${time(cost.seconds)} at ${cost.bandwidthMibPerSecond} MiB/s, in ${many(jobSetCount, 'job set')}`,
    cost.migrations > 0 &&
      html`${many(cost.migrations, 'live migration')}, ${size(cost.migratedMemMib)} of memory`,
    cost.failovers > 0
      ? html`${many(cost.failovers, 'failover')}${cost.downtimeSeconds === 0 ? ' of stopped instances' : ''}`
      : 'nothing is shut down',
    (cost.downtimeSeconds ?? 0) > 0 && html`${time(cost.downtimeSeconds!)} of downtime in all`,
  ],
});

interface PageStep {
  readonly jobSet: number;
  readonly cost: Cost;
  /** Where it is several. */
  readonly steps?: readonly string[];
}

interface TimedSet<T> {
  readonly steps: readonly T[];
  readonly start: number;
  readonly seconds: number;
}

/** The job sets in their order, with the seconds that each begins at and takes. */
function timedSets<T extends PageStep>(all: readonly T[], rates: PriceRates): TimedSet<T>[] {
  const sets: T[][] = [];
  for (const step of all) {
    sets[step.jobSet - 1] ??= [];
    sets[step.jobSet - 1]!.push(step);
  }
  let end = 0;
  return sets.map((set) => {
    const start = end;
    const jobs = set.map(({ cost, steps = [''] }) => costSeconds(cost, steps.length, rates));
    const seconds = sideBySide(jobs, rates.parallel);
    end += seconds;
    return { steps: set, start, seconds };
  });
}

export function timeChart(steps: readonly PageStep[], rates: PriceRates): readonly [string, Markup] {
  const sets = timedSets(steps, rates);
  const { unit, size: unitSeconds } = timeUnit(Math.max(...sets.map(({ seconds }) => seconds)));
  const { start, seconds } = sets.at(-1)!;
  const chart = columnChart(
    `The ${many(sets.length, 'job set')} take ${duration(start + seconds)} together`,
    [0.5, sets.length + 0.5],
    [{ kind: 'after', values: sets.map((set) => set.seconds / unitSeconds) }],
    (k) => `job set ${k + 1}: ${many(sets[k]!.steps.length, 'job')}, ${duration(sets[k]!.seconds)}`,
    { label: 'job set', format: String, isWhole: true },
    { label: unit, format: (value) => String(Number(value.toFixed(2))) },
  );
  return ['Running time of the job sets', chart];
}

function setHead({ steps, start, seconds }: TimedSet<PageStep>, jobSet: number): string {
  const copied = steps.reduce((sum, { cost }) => sum + cost.copiedMib, 0);
  const time = `about ${duration(seconds)}${start > 0 ? ` from ${duration(start)} on` : ''}`;
  return [
    `Job set ${jobSet}: ${many(steps.length, 'job')}${steps.length > 1 ? ' side by side' : ''}`,
    seconds > 0 ? time : 'at once',
    ...(copied > 0 ? [`${sizeText(copied)} copied`] : []),
  ].join(', ');
}

/** Steps in the order in which they run, under a line for each job set. */
export function stepsTable<T extends PageStep>(
  id: string,
  caption: 'steps' | 'moves',
  steps: readonly T[],
  rates: PriceRates,
  columns: readonly PageColumn<T>[],
  more: Omit<PageRows<T>, 'head'>,
): Markup {
  const sets = timedSets(steps, rates);
  const heads = new Map<T, string>(sets.map((set, k) => [set.steps[0]!, setHead(set, k + 1)]));
  const inOrder = sets.flatMap((set) => set.steps);
  return pageTable(id, caption, inOrder, columns, { ...more, head: (step) => heads.get(step) });
}

export const copiedCell = ({ cost }: PageStep): Content => (cost.copiedMib > 0 ? size(cost.copiedMib) : '-');

type JobSets = readonly (readonly { readonly commands: readonly string[] }[])[];

/** The commands of all job sets, each set with a heading that a shell passes over. */
const commandLines = (sets: JobSets): readonly string[] =>
  sets.flatMap((jobs, k) => [
    `# job set ${k + 1}, ${count(jobs.length, 'job')}`,
    ...jobs.flatMap(({ commands }) => commands),
  ]);

/** Nothing where there are none. @param id unique on the page @param part kind of the section */
export const commandsSection = (
  part: typeof section | typeof subsection,
  sets: JobSets,
  id: string,
): Content => sets.length > 0 && part(id, 'Commands', commandBox(`${id}-text`, commandLines(sets)));
