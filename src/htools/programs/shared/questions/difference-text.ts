/** What changes in thought make different, as text. */
import { padLeft, padRight } from '../../../../kit/report/text-table.ts';
import type { Difference, GroupDifference, GroupFigures } from '../../../results/parts/explanation.ts';
import { showScore } from '../steps/said.ts';
import { metricLines } from './explain-text.ts';

const LABEL_WIDTH = 20;
const FIGURE_WIDTH = 14;

const ROWS: readonly (readonly [string, (figures: GroupFigures) => string])[] = [
  ['nodes', ({ nodes }) => `${nodes}`],
  ['nodes online', ({ onlineNodes }) => `${onlineNodes}`],
  ['instances', ({ instances }) => `${instances}`],
  ['free memory, MiB', ({ freeMemMib }) => `${freeMemMib}`],
  ['free disk, MiB', ({ freeDiskMib }) => `${freeDiskMib}`],
  ['nodes failing N+1', ({ nodesFailingN1 }) => `${nodesFailingN1}`],
  ['score', ({ score }) => showScore(score)],
];

const rowText = (label: string, before: string, after: string): string =>
  `    ${padRight(label, LABEL_WIDTH)}${padLeft(before, FIGURE_WIDTH)}${padLeft(after, FIGURE_WIDTH)}${before === after ? '' : '  *'}\n`;

function groupText({ group, before, after, metrics }: GroupDifference): string {
  const gone = before === null ? ' (new)' : after === null ? ' (gone)' : '';
  const cell = (figures: GroupFigures | null, show: (figures: GroupFigures) => string): string =>
    figures === null ? '-' : show(figures);
  return [
    `  Group ${group}${gone}\n`,
    `    ${padRight('', LABEL_WIDTH)}${padLeft('before', FIGURE_WIDTH)}${padLeft('after', FIGURE_WIDTH)}\n`,
    ...ROWS.map(([label, show]) => rowText(label, cell(before, show), cell(after, show))),
    metricLines(metrics, '      '),
  ].join('');
}

/** The changes, and each group before and after them; what differs is marked with a star. */
export const differenceText = ({ edits, groups }: Difference): string =>
  [
    'What if:\n',
    ...edits.map((edit) => `  ${edit}\n`),
    'makes different:\n',
    ...groups.map(groupText),
    '\n',
  ].join('');
