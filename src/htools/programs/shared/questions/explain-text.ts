/**
 * Explanations as text. Computes nothing: what is said stands in the record (src/htools/explain/record.ts).
 */

import { gib } from '../../../../kit/report/gib.ts';
import { padLeft, padRight } from '../../../../kit/report/text-table.ts';
import { toned } from '../../../../kit/report/tone.ts';
import { LINE_WIDTH, wrapped } from '../../../../kit/report/wrap.ts';
import { printfFixed } from '../../../../kit/text/numbers.ts';
import type {
  Candidate,
  MetricChange,
  NamedPlacement,
  Option,
  PlanExplanation,
  RefusedCandidate,
  StepExplanation,
  TryExplanation,
  WhyExplanation,
} from '../../../explain/record.ts';
import type { Cost } from '../../../plan/cost.ts';
import { holdWords, liftWords, refusalWords } from './refusal-words.ts';

const PERCENT = 100;
/** Metrics of a step below this share of its gain are only counted. */
export const SMALL_SHARE = 0.01;
const NO_BREAK = '\u00a0';

export const shortName = (name: string): string => name.split('.')[0]!;
const score = (value: number): string => printfFixed(value, 8);
const signed = (gain: number): string => `${gain < 0 ? '-' : '+'}${printfFixed(Math.abs(gain), 8)}`;
export const placeText = ({ primary, secondary }: NamedPlacement): string =>
  secondary === null ? shortName(primary) : `${shortName(primary)}:${shortName(secondary)}`;

export function moveText({ instance, from, to, notation }: Candidate): string {
  return `${shortName(instance)} ${placeText(from)} => ${placeText(to)} (${notation})`;
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;

export function costText({ copiedMib, migratedMemMib, migrations, failovers }: Cost): string {
  const parts = [
    ...(copiedMib > 0 ? [`${gib(copiedMib)} GiB copied`] : []),
    ...(migrations > 0 ? [`${count(migrations, 'migration')} (${gib(migratedMemMib)} GiB of memory)`] : []),
    ...(failovers > 0 ? [count(failovers, 'failover')] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : 'nothing';
}

/** One line a metric; small ones only counted unless all are wanted. */
export function metricLines(metrics: readonly MetricChange[], indent: string, all = false): string {
  const isShown = ({ share }: MetricChange): boolean =>
    all || share === null || Math.abs(share) >= SMALL_SHARE;
  const shown = metrics.filter(isShown);
  const rest = metrics.filter((metric) => !isShown(metric));
  const width = Math.max(0, ...shown.map(({ metric }) => metric.length));
  const lines = shown.map(({ metric, before, after, weight, weightBefore, gain, share }) => {
    const was = weightBefore === undefined ? '' : `${indent}  (it weighed ${printfFixed(weightBefore, 2)})\n`;
    const part = share === null ? '' : padLeft(`${(PERCENT * share).toFixed(0)}%`, 6);
    const name = `${indent}${padRight(metric, width)}`;
    const figures = `${padLeft(score(before), 12)} -> ${padLeft(score(after), 12)} x${printfFixed(weight, 2)} ${padLeft(signed(gain), 13)}${part}`;
    const isLong = name.length + 1 + figures.length > LINE_WIDTH;
    return `${isLong ? `${name.trimEnd()}\n${padLeft(figures, LINE_WIDTH)}` : `${name} ${figures}`}\n${was}`;
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

function refusedLines(refused: RefusedCandidate, indent: string): string {
  return [
    wrapped(indent, `but for a rule: ${moveText(refused)} would gain ${signed(refused.gain)}`),
    ...refused.refusals.map((refusal) => wrapped(`${indent}  `, refusalWords(refusal))),
    liftLines(`${indent}  `, refused.lift),
  ].join('');
}

function stepText(step: StepExplanation): string {
  return [
    wrapped('', `Step ${step.step}: ${moveText(step)}`),
    `  gains ${signed(step.gain)} (${score(step.scoreBefore)} to ${score(step.score)})\n`,
    metricLines(step.metrics, '    '),
    wrapped('  ', `costs ${costText(step.cost)}; job set ${step.jobSet}`),
    ...step.refused.map((refused) => refusedLines(refused, '  ')),
  ].join('');
}

/** The explanation of a plan. */
export function planExplanationText(explanation: PlanExplanation): string {
  const { steps, refusedAtEnd, metrics, initialScore, finalScore, instancesNotLookedAt } = explanation;
  const whole =
    steps.length > 1
      ? `All steps: ${signed(initialScore - finalScore)} (${score(initialScore)} to ${score(finalScore)})\n${metricLines(metrics, '    ')}`
      : '';
  const end =
    refusedAtEnd.length > 0
      ? `After the last step, moves that would gain more but for a rule:\n${refusedAtEnd.map((one) => refusedLines(one, '  ')).join('')}`
      : 'After the last step no rule stands in the way of a move that would gain more.\n';
  const left =
    instancesNotLookedAt > 0
      ? wrapped(
          '',
          `Note: ${count(instancesNotLookedAt, 'instance')} had too many moves to be looked at for rules in the way.`,
        )
      : '';
  return `Explanation of group ${explanation.group}:\n${steps.map(stepText).join('')}${whole}${end}${left}`;
}

const VERDICTS: Readonly<Record<WhyExplanation['verdict'], string>> = {
  'best-place': 'It stays because no move that the rules allow lowers the score.',
  'better-elsewhere':
    'The rules allow a move that lowers the score. It is made once no other gains more, if it gains --min-gain.',
  held: 'What follows is what would come of it.',
  nowhere: 'It stays because the rules allow none of its moves.',
};

function optionLines(option: Option): string {
  const head = `${moveText(option)}: score ${score(option.score)}, ${option.gain < 0 ? 'costs' : 'gains'} ${printfFixed(Math.abs(option.gain), 8)}`;
  if (option.refusals.length === 0) return wrapped('  ', `${head}; ${costText(option.cost)}`);
  const lift = option.lift === null ? '' : liftLines('      ', option.lift);
  return `${wrapped('  ', head)}${option.refusals.map((refusal) => wrapped('    ', `no: ${refusalWords(refusal)}`)).join('')}${lift}`;
}

/** The answer to `--why`. */
export function whyText(why: WhyExplanation): string {
  const allowed = why.options.filter(({ refusals }) => refusals.length === 0);
  const refused = why.options.filter(({ refusals }) => refusals.length > 0);
  return [
    wrapped(
      '',
      `${shortName(why.instance)} is on ${placeText(why.at)} in group ${why.group}, at a score of ${score(why.score)}.`,
    ),
    ...why.holds.map((hold) => wrapped('', `${shortName(why.instance)} ${holdWords(hold)}.`)),
    why.verdict === 'held' && why.options.length === 0 ? '' : wrapped('', VERDICTS[why.verdict]),
    allowed.length > 0 ? `Allowed, the best way to each node:\n${allowed.map(optionLines).join('')}` : '',
    refused.length > 0 ? `Refused by a rule:\n${refused.map(optionLines).join('')}` : '',
  ].join('');
}

/** The answer to `--try`. */
export function tryText(tried: TryExplanation): string {
  return [
    wrapped('', `${moveText(tried)}: ${tried.isAllowed ? 'allowed' : 'not allowed'}`),
    ...tried.holds.map((hold) => wrapped('  ', `${shortName(tried.instance)} ${holdWords(hold)}`)),
    ...tried.refusals.map((refusal) => wrapped('  ', `no: ${refusalWords(refusal)}`)),
    tried.refusals.length > 0 ? liftLines('  ', tried.lift) : '',
    `  ${tried.gain < 0 ? 'costs' : 'gains'} ${printfFixed(Math.abs(tried.gain), 8)} (${score(tried.scoreBefore)} to ${score(tried.score)})\n`,
    metricLines(tried.metrics, '    ', true),
    wrapped('  ', `price: ${costText(tried.cost)}`),
    ...tried.commands.map((command) => `  ${toned('deed', command)}\n`),
  ].join('');
}
