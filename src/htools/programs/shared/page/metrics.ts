/** The metrics of the score: what each adds to it, now or before and after. */
import type { Markup } from '../../../../kit/report/html/markup.ts';
import { pageTable } from '../../../../kit/report/html/page.ts';
import type { Coefficient } from '../../../results/parts/tables.ts';
import { change, metricName, percent, score } from './words.ts';

export const addsOf = ({ value, weight }: Coefficient): number => (value ?? 0) * weight;

/** The largest first. @param after of the same metrics in the same order, where there are two states */
export function metricsTable(id: string, before: readonly Coefficient[], after = before): Markup {
  const wholes = [before, after].map((list) => list.reduce((sum, one) => sum + addsOf(one), 0) || 1);
  const rows = before
    .map((was, k) => ({ was, is: after[k]!, adds: [addsOf(was), addsOf(after[k]!)] as const }))
    .sort((a, b) => Math.max(...b.adds) - Math.max(...a.adds));
  return pageTable(id, 'metrics', rows, [
    ['Metric', ({ was }) => metricName(was.name)],
    ['#Value', ({ was, is }) => change(score(was.value), score(is.value))],
    ['#Weight', ({ was }) => was.weight],
    ['#Adds to the score', ({ adds }) => change(score(adds[0]), score(adds[1]))],
    ['#Share of it', ({ adds }) => change(percent(adds[0] / wholes[0]!), percent(adds[1] / wholes[1]!))],
  ]);
}
