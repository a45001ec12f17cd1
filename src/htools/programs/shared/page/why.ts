/** The why of a step, to be unfolded: what it does to the metrics, what it costs, what was refused. */
import { groupedBy } from '../../../../kit/grouped.ts';
import { html, type Markup } from '../../../../kit/report/html/markup.ts';
import type { MetricChange, RefusedCandidate, StepExplanation } from '../../../results/parts/explanation.ts';
import type { GroupChange, GroupRefusal, RelocationStep } from '../../../results/parts/relocations.ts';
import { groupRefusalWords } from '../groups/refusal-text.ts';
import { SMALL_SHARE } from '../questions/explain-text.ts';
import { metricWords, refusalWords } from '../questions/words.ts';
import { percentText, placeWords, score, scoreText, someNames, withExact } from './words.ts';

/** One line for metrics that do the same, as loads without measurements do; small ones are counted. */
function metricLines(metrics: readonly MetricChange[]): Markup {
  const large = metrics.filter(({ share }) => share === null || Math.abs(share) >= SMALL_SHARE);
  const alike = groupedBy(large, ({ before, after, gain }) => `${before} ${after} ${gain}`);
  const lines = [...alike.values()].map((group) => {
    const { before, after, gain, share } = group[0]!;
    const part = share !== null && ` (${percentText(share)})`;
    const words = group.map(({ metric }) => metricWords(metric));
    // A metric says nothing new beside the same one without reserved instances.
    const names = words.filter((one) => !words.some((other) => one.startsWith(`${other},`)));
    return html`<li>${names.join(', ')}: ${scoreText(before)} to ${scoreText(after)}, gains ${score(gain)}${part}${names.length > 1 && ' each'}</li>`;
  });
  const small = metrics.length - large.length;
  return html`<ul>${lines}${small > 0 && html`<li>${small} more, below 1 % each</li>`}</ul>`;
}

/** Moves that rules refused; those of the same reasons together. */
export function refusedList(refused: readonly RefusedCandidate[]): Markup {
  return html`<ul>${refused.map(({ instance, to, gain, refusals, lift }) => {
    const way =
      lift !== null && lift.length > 0 && html`; lifted by ${lift.map((one) => html`<code>${one}</code> `)}`;
    return html`<li>${instance} to ${placeWords(to)} would gain ${score(gain)}, but for ${withExact((words) => refusals.map((one) => refusalWords(one, words)).join('; '))}${way}</li>`;
  })}</ul>`;
}

export const whyOfStep = ({ metrics, refused }: StepExplanation): Markup =>
  html`${metricLines(metrics)}${refused.length > 0 && html`<p>More would have gained:</p>${refusedList(refused)}`}`;

/** What a group gains; of one that loses only by what it loses most. */
function groupLine({ group, scoreBefore, score: after, gain, metrics }: GroupChange): Markup {
  const isLoss = (gain ?? 0) < 0;
  const most = metrics.at(-1);
  return html`<p>${group} ${isLoss ? 'loses' : 'gains'} ${score(gain === null ? null : Math.abs(gain))} (${scoreText(scoreBefore)} to ${scoreText(after)})${
    isLoss && most && `, most by ${metricWords(most.metric)}`
  }</p>${!isLoss && metricLines(metrics)}`;
}

/** What the groups said that an instance does not go to; those that say the same together. */
function othersLines(refused: readonly GroupRefusal[]): Markup | false {
  const groups = groupedBy(refused, groupRefusalWords);
  return (
    groups.size > 0 &&
    html`<p>Refused:</p><ul>${[...groups].map(([words, same]) => html`<li>${someNames(same.map(({ group }) => group))}: ${words}</li>`)}</ul>`
  );
}

export const whyOfMove = ({ groups, alsoOpen, refused }: RelocationStep): Markup =>
  html`${groups.map(groupLine)}${
    alsoOpen.length > 0 && html`<p>Could have gone to ${someNames(alsoOpen)} as well.</p>`
  }${othersLines(refused)}`;
