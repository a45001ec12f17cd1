/**
 * What score each amount of copying buys, for people: a table of some points and a picture of all, 80 columns
 * wide at most.
 */

import { textTable } from '../../../kit/report/text-table.ts';
import type { CurvePoint } from '../../planners/search/curve.ts';

/** Gains that are worth a line of the table, as shares of the best. */
const SHOWN_SHARES = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99, 1];
const PICTURE_WIDTH = 60;
const PICTURE_HEIGHT = 12;
const LABEL_WIDTH = 10;

/** For each share the cheapest point that has it, and the choice; each point once. */
function shownPoints(curve: readonly CurvePoint[], picked: CurvePoint): readonly CurvePoint[] {
  const shown = new Set<CurvePoint>([picked]);
  for (const share of SHOWN_SHARES) {
    const point = curve.find(({ gainShare }) => gainShare >= share) ?? curve.at(-1)!;
    shown.add(point);
  }
  return curve.filter((point) => shown.has(point));
}

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

function picture(curve: readonly CurvePoint[], picked: CurvePoint): string {
  const mostGib = curve.at(-1)!.gib;
  const top = curve[0]!.score;
  const bottom = curve.at(-1)!.score;
  if (!(mostGib > 0 && top > bottom)) return '';
  // By the square root: half of the gain is in the first percents of the copying.
  const columnOf = (gib: number): number => Math.round(Math.sqrt(gib / mostGib) * (PICTURE_WIDTH - 1));
  const rowOf = (score: number): number =>
    Math.round(((top - score) / (top - bottom)) * (PICTURE_HEIGHT - 1));
  const rows = Array.from({ length: PICTURE_HEIGHT }, () => Array.from({ length: PICTURE_WIDTH }, () => ' '));
  let next = 0;
  for (let column = 0; column < PICTURE_WIDTH; column++) {
    while (next + 1 < curve.length && columnOf(curve[next + 1]!.gib) <= column) next++;
    rows[rowOf(curve[next]!.score)]![column] = '.';
  }
  rows[rowOf(picked.score)]![columnOf(picked.gib)] = '*';
  const lines = rows.map((row, k) => {
    const score = k === 0 ? top : k === PICTURE_HEIGHT - 1 ? bottom : undefined;
    return `${(score?.toFixed(4) ?? '').padStart(LABEL_WIDTH)} |${row.join('').trimEnd()}`;
  });
  const axis = `${' '.repeat(LABEL_WIDTH)} +${'-'.repeat(PICTURE_WIDTH)}`;
  const end = `${mostGib.toFixed(0)} GiB`;
  const scale = `${' '.repeat(LABEL_WIDTH + 2)}0${end.padStart(PICTURE_WIDTH - 1)}`;
  return `${[...lines, axis, scale].join('\n')}\n`;
}

/** The curve, with a star at the plan that follows. */
export function curveText(curve: readonly CurvePoint[], picked: CurvePoint): string {
  const mostGib = curve.at(-1)!.gib;
  const rows = shownPoints(curve, picked).map((point) => [
    point === picked ? '*' : '',
    point.gib.toFixed(1),
    mostGib > 0 ? percent(point.gib / mostGib) : '',
    `${point.steps}`,
    point.score.toFixed(8),
    percent(point.gainShare),
  ]);
  const column = (heading: string) => ({ heading, isNumeric: true });
  const table = textTable(
    '  ',
    [{ heading: ' ', isNumeric: false }, ...['GiB', 'of most', 'steps', 'score', 'gain'].map(column)],
    rows,
  );
  return `What copying buys (*: the plan that follows; the chart stretches the cheap end):\n${table}${picture(curve, picked)}`;
}
