/** What a plan makes better: along its steps, and against what it copies. */

import { type ChartPoint, lineChart } from '../../../../kit/report/html/charts.ts';
import { html, type Markup } from '../../../../kit/report/html/markup.ts';
import { section } from '../../../../kit/report/html/page.ts';
import { MIB_PER_GIB } from '../../../../kit/units.ts';
import { scoreWords } from './words.ts';

const DECIMALS = 2;

const whole = (value: number): string => String(Math.round(value));
/** No more digits than it takes: they have to fit beside the axis. */
const decimal = (value: number): string => String(Number(value.toFixed(DECIMALS)));

/** Value after a step, and what the step copies. */
export interface ChartStep {
  readonly value: number | null;
  readonly copiedMib: number;
}

/** A point of the curve that a search for several plans found. */
export interface CurvePoint {
  readonly copiedGib: number;
  readonly score: number | null;
  readonly steps: number;
  readonly isPicked: boolean;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** @param what falls, such as `score` @param curve in place of the plan's own way, where there is one */
export function planCharts(
  what: string,
  start: number | null,
  steps: readonly ChartStep[],
  unit: string,
  curve?: readonly CurvePoint[],
): Markup {
  let copied = 0;
  const values = [{ value: start, copiedMib: 0 }, ...steps];
  const along: ChartPoint[] = [];
  const against: ChartPoint[] = [];
  for (const [x, { value, copiedMib }] of values.entries()) {
    copied += copiedMib / MIB_PER_GIB;
    if (value === null) continue;
    along.push({ x, y: value });
    against.push({ x: copied, y: value });
  }
  const y = { label: what, format: decimal };
  const gib = { label: 'GiB copied', format: whole };
  const end = values.at(-1)!.value;
  const bought = curve
    ? lineChart(
        `What ${what} each amount of copying buys; the marked point is the plan`,
        curve.flatMap(({ copiedGib, score, isPicked, steps: count }) => {
          const mark = isPicked ? `this plan: ${copiedGib.toFixed(1)} GiB, ${count} steps` : undefined;
          return score === null ? [] : [{ x: copiedGib, y: score, mark }];
        }),
        gib,
        y,
      )
    : copied > 0 &&
      lineChart(
        `The ${what} after each of the ${unit}, against the ${copied.toFixed(1)} GiB that they copy together`,
        against,
        gib,
        y,
      );
  return html`<div class="charts">${section(
    `${capital(what)} along the ${unit}`,
    lineChart(
      `The ${what} falls from ${scoreWords(start)} to ${scoreWords(end)} in ${steps.length} ${unit}`,
      along,
      { label: unit, format: whole },
      y,
    ),
  )}${bought && section(`${capital(what)} against what is copied`, bought)}</div>
`;
}
