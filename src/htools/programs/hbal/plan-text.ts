/** Explained plans as text: what the plan comes to, on ten lines or so, then step by step. */
import { tallied } from '../../../kit/grouped.ts';
import { gib, wrapped } from '../../../kit/report/sentences.ts';
import { printfFixed } from '../../../kit/text/numbers.ts';
import { count } from '../../../kit/text/words.ts';
import { sumOfCosts } from '../../plan/cost.ts';
import type {
  NamedPlacement,
  PlanExplanation,
  RefusedCandidate,
  StepExplanation,
} from '../../results/parts/explanation.ts';
import {
  liftLines,
  metricLines,
  moveText,
  percentText,
  refusalText,
  shortName,
  signed,
} from '../shared/questions/explain-text.ts';
import { metricWords, ruleWords } from '../shared/questions/words.ts';
import { costText, showScore } from '../shared/steps/said.ts';

const MOST = 3;

function commonest(words: readonly string[]): string {
  const sorted = [...tallied(words)].sort(([, a], [, b]) => b - a);
  const told = sorted.slice(0, MOST).map(([word, often]) => `${word} (${often})`);
  return [...told, ...(sorted.length > MOST ? [`${sorted.length - MOST} more`] : [])].join(', ');
}

const nodesOf = ({ primary, secondary }: NamedPlacement): readonly string[] =>
  [primary, ...(secondary === null ? [] : [secondary])].map(shortName);

const newNodes = (before: NamedPlacement, after: NamedPlacement): readonly string[] =>
  nodesOf(after).filter((node) => !nodesOf(before).includes(node));

/** The one that copies most for what it gains. */
const dearest = (steps: readonly StepExplanation[]): StepExplanation =>
  steps.reduce((most, step) =>
    step.cost.copiedMib * most.gain > most.cost.copiedMib * step.gain ? step : most,
  );

function planLines({ steps, metrics, initialScore, finalScore }: PlanExplanation): readonly string[] {
  const gain = initialScore - finalScore;
  const cost = sumOfCosts(steps.map((step) => step.cost));
  const sets = new Set(steps.map(({ jobSet }) => jobSet)).size;
  const worse = metrics.filter((metric) => metric.gain < 0).map(({ metric }) => metricWords(metric));
  const most = dearest(steps);
  const isBetter = gain > 0;
  return [
    `${count(steps.length, 'step')} with ${count(new Set(steps.map(({ instance }) => instance)).size, 'instance')}: the score goes from ${printfFixed(initialScore, 2)} to ${printfFixed(finalScore, 2)}`,
    ...metrics
      .filter((metric) => metric.gain > 0)
      .slice(0, MOST)
      .map(
        ({ metric, before, after, share }) =>
          `less of: ${metricWords(metric)} (${metric}), ${printfFixed(before, 2)} to ${printfFixed(after, 2)}${share === null || !isBetter ? '' : `, ${percentText(share)} of it`}`,
      ),
    ...(worse.length > 0
      ? [`${isBetter ? 'a little more' : 'more'} of: ${worse.slice(0, MOST).join(', ')}`]
      : []),
    `instances leave ${commonest(steps.flatMap(({ from, to }) => newNodes(to, from)))}; come to ${commonest(steps.flatMap(({ from, to }) => newNodes(from, to)))}`,
    `it costs ${costText(cost)}, in ${count(sets, 'job set')}`,
    ...(isBetter && steps.length > 1 && most.cost.copiedMib > 0
      ? [
          `dearest: step ${most.step}, ${shortName(most.instance)}: ${gib(most.cost.copiedMib)} GiB for ${percentText(most.gain / gain)} of the gain`,
        ]
      : []),
  ];
}

function planSummary(explanation: PlanExplanation): string {
  const { steps, refusedAtEnd } = explanation;
  const rules = [...steps.flatMap(({ refused }) => refused), ...refusedAtEnd].flatMap(({ refusals }) =>
    refusals.map(({ rule, node }) => `${ruleWords(rule)} on ${shortName(node)}`),
  );
  return [
    ...(steps.length > 0 ? planLines(explanation) : ['no step']),
    rules.length > 0
      ? `most often in the way of better moves: ${commonest(rules)}`
      : 'no rule is in the way of a better move',
  ]
    .map((line) => wrapped('  ', line))
    .join('');
}

/** Forbidden moves, each with what stands in its way; those that were told before are only counted. */
function refusedLines(refused: readonly RefusedCandidate[], told: Set<string>): string {
  const lines: string[] = [];
  let again = 0;
  for (const one of refused) {
    const reasons = [
      ...one.refusals.map((refusal) => wrapped('    ', refusalText(one, refusal))),
      liftLines('    ', one.lift),
    ].join('');
    const key = `${moveText(one)}\n${reasons}`;
    if (told.has(key)) again++;
    else
      lines.push(wrapped('  ', `but for a rule: ${moveText(one)} would gain ${signed(one.gain)}`), reasons);
    told.add(key);
  }
  if (again > 0) lines.push(`  but for a rule: ${count(again, 'move')} told of above\n`);
  return lines.join('');
}

const stepText = (step: StepExplanation, told: Set<string>): string =>
  [
    wrapped('', `Step ${step.step}: ${moveText(step)}`),
    `  ${step.gain < 0 ? `loses ${showScore(-step.gain)}` : `gains ${signed(step.gain)}`} (${showScore(step.scoreBefore)} to ${showScore(step.score)})\n`,
    metricLines(step.metrics, '    '),
    wrapped('  ', `costs ${costText(step.cost)}; job set ${step.jobSet}`),
    refusedLines(step.refused, told),
  ].join('');

export function planExplanationText(explanation: PlanExplanation): string {
  const told = new Set<string>();
  const { steps, refusedAtEnd, metrics, initialScore, finalScore, instancesNotLookedAt } = explanation;
  const whole =
    steps.length > 1
      ? `All steps: ${signed(initialScore - finalScore)} (${showScore(initialScore)} to ${showScore(finalScore)})\n${metricLines(metrics, '    ')}`
      : '';
  const end =
    refusedAtEnd.length > 0
      ? `After the last step, moves that would gain more but for a rule:\n${refusedLines(refusedAtEnd, told)}`
      : 'After the last step no rule stands in the way of a move that would gain more.\n';
  const left =
    instancesNotLookedAt > 0
      ? wrapped(
          '',
          `Note: ${count(instancesNotLookedAt, 'instance')} had too many moves to be looked at for rules in the way.`,
        )
      : '';
  return `Explanation of group ${explanation.group}:\n${planSummary(explanation)}${steps.map((step) => stepText(step, told)).join('')}${whole}${end}${left}`;
}
