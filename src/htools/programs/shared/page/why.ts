/** The why of a step, to be unfolded: what it does to the metrics, what it costs, what was refused. */

import { type Content, html, type Markup } from '../../../../kit/report/html/markup.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import type { metricChange, planExplanation } from '../../../results/parts/explanation.ts';
import type { relocationsExplanation } from '../../../results/parts/relocations.ts';
import { groupRefusalWords } from '../groups/refusal-text.ts';
import { SMALL_SHARE } from '../questions/explain-text.ts';
import { refusalWords } from '../questions/refusal-words.ts';
import { placeWords, scoreWords, shareWords } from './words.ts';

type Metric = DocumentOf<typeof metricChange>;
type Explanation = DocumentOf<typeof planExplanation>;
type Refused = Explanation['refusedAtEnd'][number];
type Relocation = DocumentOf<typeof relocationsExplanation>['steps'][number];

/**
 * One line for metrics that do the same, as the loads do where nothing is measured; small ones are only
 * counted.
 * @param hasShares whether they are said: those of a loss are negative and confuse
 */
function metricLines(metrics: readonly Metric[], hasShares = true): Markup {
  const alike = new Map<string, string[]>();
  let small = 0;
  for (const { metric, before, after, gain, share } of metrics) {
    if (share !== null && Math.abs(share) < SMALL_SHARE) {
      small++;
      continue;
    }
    const part = share === null || !hasShares ? '' : ` (${shareWords(share)})`;
    const words = `${scoreWords(before)} to ${scoreWords(after)}, gains ${scoreWords(gain)}${part}`;
    alike.set(words, [...(alike.get(words) ?? []), metric]);
  }
  const lines = [...alike].map(
    ([words, names]) => html`<li>${names.join(', ')}: ${words}${names.length > 1 && ' each'}</li>`,
  );
  return html`<ul>${lines}${small > 0 && html`<li>${small} more, below 1 % each</li>`}</ul>`;
}

const unfolded = (...content: readonly Content[]): Markup =>
  html`<details><summary>Why</summary>${content}</details>`;

/** A move that a rule forbade. */
export const refusedLine = ({ instance, to, gain, refusals, lift }: Refused): Markup => {
  const way =
    lift !== null && lift.length > 0 && html`; lifted by ${lift.map((one) => html`<code>${one}</code> `)}`;
  return html`<li>${instance} to ${placeWords(to)} would gain ${scoreWords(gain)}, but for ${refusals.map(refusalWords).join('; ')}${way}</li>`;
};

/** The why of a step within a group. */
export const whyOfStep = ({ metrics, refused }: Explanation['steps'][number]): Markup =>
  unfolded(
    metricLines(metrics),
    refused.length > 0 && html`<p>More would have gained:</p><ul>${refused.map(refusedLine)}</ul>`,
  );

function groupLine({ group, scoreBefore, score, gain, metrics }: Relocation['groups'][number]): Markup {
  const verb = (gain ?? 0) < 0 ? 'loses' : 'gains';
  const size = gain === null ? null : Math.abs(gain);
  return html`<p>${group} ${verb} ${scoreWords(size)} (${scoreWords(scoreBefore)} to ${scoreWords(score)})</p>${metricLines(metrics, (gain ?? 0) > 0)}`;
}

/** What the groups said that an instance does not go to; those that say the same together. */
function othersLines(refused: Relocation['refused']): Markup | false {
  const groups = new Map<string, string[]>();
  for (const { group, ...refusal } of refused) {
    const words = groupRefusalWords(refusal);
    groups.set(words, [...(groups.get(words) ?? []), group]);
  }
  return (
    groups.size > 0 &&
    html`<p>Refused:</p><ul>${[...groups].map(([words, names]) => html`<li>${names.join(', ')}: ${words}</li>`)}</ul>`
  );
}

/** The why of a move between groups. */
export const whyOfMove = ({ groups, alsoOpen, refused }: Relocation): Markup =>
  unfolded(
    groups.map(groupLine),
    alsoOpen.length > 0 && html`<p>Could have gone to ${alsoOpen.join(', ')} as well.</p>`,
    othersLines(refused),
  );
