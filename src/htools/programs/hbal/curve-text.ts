/** What score each price buys: a table of some points, a picture of all, at most 80 columns. */

import { duration } from '../../../kit/report/sentences.ts';
import { numbers, texts, textTable } from '../../../kit/report/text-table.ts';
import type { CurvePoint } from '../../planners/search/curve.ts';
import { cutShortText } from '../shared/balance/search-limits.ts';
import type { ChosenPlan } from './plan-search.ts';

/** Gains that are worth a line of the table, as shares of the best. */
const SHOWN_SHARES = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99, 1];
const ROUNDING = 1e-6;
const PICTURE_WIDTH = 60;
const PICTURE_HEIGHT = 12;
const LABEL_WIDTH = 10;

/** For each share the cheapest point that has it, the choice and the knee; each point once. */
function shownPoints(
  curve: readonly CurvePoint[],
  picked: CurvePoint,
  knee: CurvePoint | undefined,
): readonly CurvePoint[] {
  const shown = new Set([picked, knee]);
  for (const share of SHOWN_SHARES) {
    const point = curve.find(({ gainShare }) => gainShare >= share) ?? curve.at(-1)!;
    shown.add(point);
  }
  return curve.filter((point) => shown.has(point));
}

/** Rounded down, and data up: who asks for what a line says is to get that line. */
const percent = (share: number): string => `${(Math.floor(1000 * share + ROUNDING) / 10).toFixed(1)}%`;
const gibUp = (gib: number): string => (Math.ceil(10 * gib - ROUNDING) / 10).toFixed(1);

function picture(curve: readonly CurvePoint[], picked: CurvePoint): string {
  const most = curve.at(-1)!.total.price;
  const top = curve[0]!.score;
  const bottom = curve.at(-1)!.score;
  if (!(most > 0 && top > bottom)) return '';
  // By the square root: half of the gain is in the first percents of the price.
  const columnOf = ({ total }: CurvePoint): number =>
    Math.round(Math.sqrt(total.price / most) * (PICTURE_WIDTH - 1));
  const rowOf = (score: number): number =>
    Math.round(((top - score) / (top - bottom)) * (PICTURE_HEIGHT - 1));
  const rows = Array.from({ length: PICTURE_HEIGHT }, () => Array.from({ length: PICTURE_WIDTH }, () => ' '));
  let next = 0;
  for (let column = 0; column < PICTURE_WIDTH; column++) {
    while (next + 1 < curve.length && columnOf(curve[next + 1]!) <= column) next++;
    rows[rowOf(curve[next]!.score)]![column] = '.';
  }
  rows[rowOf(picked.score)]![columnOf(picked)] = '*';
  const lines = rows.map((row, k) => {
    const score = k === 0 ? top : k === PICTURE_HEIGHT - 1 ? bottom : undefined;
    return `${(score?.toFixed(4) ?? '').padStart(LABEL_WIDTH)} |${row.join('').trimEnd()}`;
  });
  const axis = `${' '.repeat(LABEL_WIDTH)} +${'-'.repeat(PICTURE_WIDTH)}`;
  const end = `weighed ${duration(most)}, by square root`;
  const scale = `${' '.repeat(LABEL_WIDTH + 2)}0${end.padStart(PICTURE_WIDTH - 1)}`;
  return `${[...lines, axis, scale].join('\n')}\n`;
}

/** Nearby is what costs at most this much more; much better, what leaves at most this much of the rest. */
const NEARBY = 1.1;
const MUCH_BETTER = 0.5;

/** A point that costs little more than another and gains much more; undefined where there is none. */
function bargainBeside(curve: readonly CurvePoint[], picked: CurvePoint): CurvePoint | undefined {
  const best = curve.findLast(({ total }) => total.price <= NEARBY * picked.total.price)!;
  return 1 - best.gainShare <= MUCH_BETTER * (1 - picked.gainShare) ? best : undefined;
}

/** The curve, with a star at the plan that follows. */
export function curveText({ curve, picked, knee, workShare }: ChosenPlan): string {
  const rows = shownPoints(curve, picked, knee).map((point) => [
    point === picked ? '*' : '',
    duration(point.total.price),
    gibUp(point.total.copiedGib),
    `${point.total.migrations}`,
    point.total.memoryGib.toFixed(1),
    `${point.steps}`,
    point.score.toFixed(6),
    percent(point.gainShare),
    point === knee ? 'knee' : '',
  ]);
  const table = textTable(
    '  ',
    [...texts(' '), ...numbers('weighed', 'GiB', 'migr.', 'memory', 'steps', 'score', 'gain'), ...texts('')],
    rows,
  );
  const beside = picked.plan < 0 ? undefined : bargainBeside(curve, picked);
  return [
    'What moves buy (*: the plan that follows; gain: of that of the best plan found):\n',
    table.replace(/ +$/gm, ''),
    picture(curve, picked),
    beside && beside !== picked
      ? `For ${percent(beside.total.price / picked.total.price - 1)} more there is ${percent(beside.gainShare)} of the gain: --budget=${percent(beside.gainShare)}\n`
      : '',
    cutShortText(workShare),
  ].join('');
}
