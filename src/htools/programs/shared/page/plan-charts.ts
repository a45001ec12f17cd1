/** What a plan makes better: along its steps, and against what it copies. */
import { type ChartPoint, lineChart } from '../../../../kit/report/html/charts.ts';
import type { Markup } from '../../../../kit/report/html/markup.ts';
import { GIB_PER_TIB, MIB_PER_GIB } from '../../../../kit/units.ts';
import type { GroupPlan } from '../../../results/hbal.ts';
import { many, percentText, scoreText, sizeText, timeUnit } from './words.ts';

/** No more digits than it takes: they have to fit beside the axis. */
const decimal = (value: number): string => String(Number(value.toPrecision(3)));

/** Value after a step, and what the step copies. */
export interface ChartStep {
  readonly value: number | null;
  readonly copiedMib: number;
}

/** Share of the gain after which the rest is hardly worth its price. */
export const MOST_OF_IT = 0.9;

/** Number, from 0, of the step after which most of the gain is there; -1: the last, unknown, or no gain. */
export function mostOfGain(start: number | null, steps: readonly ChartStep[]): number {
  const end = steps.at(-1)?.value ?? null;
  if (start === null || end === null || end >= start) return -1;
  const enough = start - MOST_OF_IT * (start - end);
  const at = steps.findIndex(({ value }) => value !== null && value <= enough);
  return at === steps.length - 1 ? -1 : at;
}

type Curve = NonNullable<GroupPlan['curve']>;

/** A value step by step. @param what it is, such as `score` @param unit `steps` or `moves` */
export function alongChart(
  what: string,
  start: number | null,
  steps: readonly ChartStep[],
  unit: string,
): Markup {
  const values = [start, ...steps.map(({ value }) => value)];
  const last = values.length - 1;
  const goes = (values[last] ?? 0) > (start ?? 0) ? 'rises' : 'falls';
  const points = values.flatMap((value, x): ChartPoint[] => {
    if (value === null) return [];
    return [{ x, y: value, ...((x === 0 || x === last) && { label: scoreText(value) }) }];
  });
  return lineChart(
    `The ${what} ${goes} from ${scoreText(start)} to ${scoreText(values[last]!)} in ${last} ${unit}`,
    points,
    { label: unit, format: decimal },
    { label: what, format: decimal },
  );
}

/** What each amount of copying buys along a plan; undefined where it copies nothing. */
function boughtByCopying(
  what: string,
  start: number | null,
  steps: readonly ChartStep[],
): Markup | undefined {
  const total = steps.reduce((sum, one) => sum + one.copiedMib, 0);
  if (total === 0) return undefined;
  const isMuch = total >= MIB_PER_GIB * GIB_PER_TIB;
  const most = mostOfGain(start, steps) + 1;
  let copied = 0;
  const points = [{ value: start, copiedMib: 0 }, ...steps].flatMap(
    ({ value, copiedMib }, k): ChartPoint[] => {
      copied += copiedMib;
      if (value === null) return [];
      const isPicked = k === steps.length;
      const name = isPicked ? 'this plan' : k > 0 && k === most && `${percentText(MOST_OF_IT)} of the gain`;
      const label = name ? `${name}: ${sizeText(copied)}` : undefined;
      return [{ x: copied / MIB_PER_GIB / (isMuch ? GIB_PER_TIB : 1), y: value, label, isPicked }];
    },
  );
  return lineChart(
    `The ${what} after each step, against the ${sizeText(total)} that they copy together`,
    points,
    { label: `${isMuch ? 'TiB' : 'GiB'} copied`, format: decimal, isStretched: true },
    { label: what, format: decimal },
  );
}

/** An axis goes up to at least so many of its unit. */
const FEWEST_UNITS = 3;

/** What each price buys: the plans that a search found, the chosen one and the knee by name. */
function boughtByPrice(what: string, curve: Curve): Markup {
  const { unit, size } = timeUnit(Math.max(...curve.map(({ priceSeconds }) => priceSeconds)) / FEWEST_UNITS);
  const points = curve.flatMap((one): ChartPoint[] => {
    if (one.score === null) return [];
    const { isPicked } = one;
    const name = isPicked ? 'this plan: ' : one.isKnee ? 'knee: ' : '';
    const label = `${name}${many(one.steps, 'step')}, ${sizeText(one.copiedGib * MIB_PER_GIB)}`;
    return [{ x: one.priceSeconds / size, y: one.score, label, isPicked }];
  });
  return lineChart(
    `What ${what} each price buys; the marked point is the plan`,
    points,
    { label: `weighed price, ${unit}`, format: decimal, isStretched: true },
    { label: what, format: decimal },
  );
}

/** @param curve in place of the plan's own way, where there is one */
export function boughtChart(
  what: string,
  start: number | null,
  steps: readonly ChartStep[],
  curve?: Curve,
): (readonly [heading: string, chart: Markup])[] {
  if (curve) return [['What each price buys', boughtByPrice(what, curve)]];
  const chart = boughtByCopying(what, start, steps);
  return chart ? [['What copying buys', chart]] : [];
}
