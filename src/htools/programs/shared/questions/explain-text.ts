/** Explanations as text. Computes nothing: what is said stands in the facts. */

import { lineRoom, reportTable } from '../../../../kit/report/report-table.ts';
import { LINE_WIDTH, wrapped } from '../../../../kit/report/sentences.ts';
import { numbers, padLeft, padRight, texts, widest } from '../../../../kit/report/text-table.ts';
import { toned } from '../../../../kit/report/tone.ts';
import { printfFixed } from '../../../../kit/text/numbers.ts';
import { count } from '../../../../kit/text/words.ts';
import type {
  Candidate,
  MetricChange,
  NamedPlacement,
  Option,
  RuleRefusal,
  TryExplanation,
  WhyExplanation,
} from '../../../results/parts/explanation.ts';
import { costText, showScore } from '../steps/said.ts';
import { holdWords, liftWords, metricWords, moveWords, refusalWords } from './words.ts';

const PERCENT = 100;
/** Metrics of a step below this share of its gain are only counted. */
export const SMALL_SHARE = 0.01;
const NO_BREAK = '\u00a0';

export const shortName = (name: string): string => name.split('.')[0]!;
export const signed = (gain: number): string => `${gain < 0 ? '-' : '+'}${showScore(Math.abs(gain))}`;
export const placeText = ({ primary, secondary }: NamedPlacement, short = shortName): string =>
  secondary === null ? short(primary) : `${short(primary)}:${short(secondary)}`;

export const moveText = ({ instance, from, to, notation }: Candidate): string =>
  `${shortName(instance)} ${placeText(from)} => ${placeText(to)} (${moveWords(notation)})`;

export const percentText = (share: number): string => `${(PERCENT * share).toFixed(0)}%`;

/** One line a metric, in words where these fit behind; small ones only counted unless all are wanted. */
export function metricLines(
  metrics: readonly MetricChange[],
  indent: string,
  all = false,
  room = lineRoom(),
): string {
  const isShown = ({ share }: MetricChange): boolean =>
    all || share === null || Math.abs(share) >= SMALL_SHARE;
  const shown = metrics.filter(isShown);
  const rest = metrics.filter((metric) => !isShown(metric));
  const width = widest(shown.map(({ metric }) => metric));
  const weightText = (weight: number): string => `x${printfFixed(weight, 2)}`;
  const weightWidth = widest(shown.map(({ weight }) => weightText(weight)));
  const lines = shown.map(({ metric, before, after, weight, weightBefore, gain, share }) => {
    const was = weightBefore === undefined ? '' : `${indent}  (it weighed ${printfFixed(weightBefore, 2)})\n`;
    const part = share === null ? '' : padLeft(percentText(share), 6);
    const name = `${indent}${padRight(metric, width)}`;
    const figures = `${padLeft(showScore(before), 12)} -> ${padLeft(showScore(after), 12)} ${padLeft(weightText(weight), weightWidth)} ${padLeft(signed(gain), 13)}${part}`;
    const isLong = name.length + 1 + figures.length > LINE_WIDTH;
    const line = isLong ? padLeft(figures, LINE_WIDTH) : `${name} ${figures}`;
    const words = `  ${metricWords(metric)}`;
    const hasRoom = line.length + words.length <= room;
    return `${isLong ? `${name.trimEnd()}\n` : ''}${line}${hasRoom ? words : ''}\n${was}`;
  });
  const sum = rest.reduce((total, { gain }) => total + gain, 0);
  if (rest.length > 0)
    lines.push(`${indent}${count(rest.length, 'further metric')}, each below 1%: ${signed(sum)}\n`);
  return lines.join('');
}

/** What lifts a refusal. Lines end between changes only, so that each can be copied. */
export const liftLines = (indent: string, lift: readonly string[] | null): string =>
  wrapped(indent, liftWords(lift?.map((change) => change.replaceAll(' ', NO_BREAK)) ?? null)).replaceAll(
    NO_BREAK,
    ' ',
  );

/** A rule can refuse a move for a node that the instance would only pass through. */
export function refusalText({ to }: Candidate, refusal: RuleRefusal): string {
  const isOnItsWay = to[refusal.role] !== refusal.node;
  return `${refusalWords(refusal)}${isOnItsWay ? ' (on its way only)' : ''}`;
}

const VERDICTS: Readonly<Record<WhyExplanation['verdict'], string>> = {
  'best-place': 'It stays because no move that the rules allow lowers the score.',
  'better-elsewhere':
    'The rules allow a move that lowers the score. It is made once no other gains more, if it gains --min-gain.',
  held: 'What follows is what would come of it.',
  nowhere: 'It stays because the rules allow none of its moves.',
};

const WHY_COLUMNS = [...texts('Nodes', 'Can it'), ...numbers('Score after'), ...texts('Price')];
const REFUSED_COLUMNS = texts('In the way', 'Lifted by');

const whyRow = (option: Option): readonly string[] => [
  placeText(option.to),
  option.refusals.length === 0 ? 'yes' : 'no',
  showScore(option.score),
  costText(option.cost),
];

const refusedCells = (option: Option): readonly string[] => [
  option.refusals.map((refusal) => refusalText(option, refusal)).join('; '),
  option.lift?.join('; ') ?? '',
];

const whyTable = (options: readonly Option[]): string =>
  options.every(({ refusals }) => refusals.length === 0)
    ? reportTable('', WHY_COLUMNS, options.map(whyRow))
    : reportTable(
        '',
        [...WHY_COLUMNS, ...REFUSED_COLUMNS],
        options.map((option) => [...whyRow(option), ...refusedCells(option)]),
      );

/** The answer to `--why`: the best way to each node, those that the rules allow first. */
export const whyText = (why: WhyExplanation): string =>
  [
    wrapped(
      '',
      `${shortName(why.instance)} is on ${placeText(why.at)} in group ${why.group}, at a score of ${showScore(why.score)}.`,
    ),
    ...why.holds.map((hold) => wrapped('', `${shortName(why.instance)} ${holdWords(hold)}.`)),
    why.verdict === 'held' && why.options.length === 0 ? '' : wrapped('', VERDICTS[why.verdict]),
    why.options.length > 0 ? whyTable(why.options) : '',
  ].join('');

export const tryText = (tried: TryExplanation): string =>
  [
    wrapped('', `${moveText(tried)}: ${tried.isAllowed ? 'allowed' : 'not allowed'}`),
    ...tried.holds.map((hold) => wrapped('  ', `${shortName(tried.instance)} ${holdWords(hold)}`)),
    ...tried.refusals.map((refusal) => wrapped('  ', `no: ${refusalText(tried, refusal)}`)),
    tried.refusals.length > 0 ? liftLines('  ', tried.lift) : '',
    `  ${tried.gain < 0 ? 'loses' : 'gains'} ${showScore(Math.abs(tried.gain))} (${showScore(tried.scoreBefore)} to ${showScore(tried.score)})\n`,
    metricLines(tried.metrics, '    ', true),
    wrapped('  ', `price: ${costText(tried.cost)}`),
    ...tried.commands.map((command) => `  ${toned('deed', command)}\n`),
  ].join('');
