/** Moves between groups, explained as text: what a move does to each group, and what the others say. */

import { wrapped } from '../../../../kit/report/sentences.ts';
import { toned } from '../../../../kit/report/tone.ts';
import type {
  GroupChange,
  GroupRefusal,
  RelocationStep,
  RelocationsExplanation,
  RelocationTry,
} from '../../../results/parts/relocations.ts';
import { liftLines, metricLines, placeText, shortName } from '../questions/explain-text.ts';
import { holdWords, moveWords, refusalWords } from '../questions/words.ts';
import { costText, showScore } from '../steps/said.ts';
import { groupRefusalWords } from './refusal-text.ts';

type Relocated = Pick<RelocationStep, 'instance' | 'from' | 'to' | 'steps'>;

const inGroup = (place: Relocated['from'], other: Relocated['from']): string =>
  place.group === other.group ? placeText(place) : `${placeText(place)} in ${place.group}`;

const moveText = ({ instance, from, to, steps }: Relocated): string =>
  `${shortName(instance)} ${inGroup(from, to)} => ${inGroup(to, from)} (${moveWords(steps.join(' '))})`;

const changeLines = (groups: readonly GroupChange[], all: boolean): string =>
  groups
    .map(({ group, gain, scoreBefore, score: after, metrics }) => {
      const verb = gain < 0 ? 'loses' : 'gains';
      const head = `  ${group} ${verb} ${showScore(Math.abs(gain))} (${showScore(scoreBefore)} to ${showScore(after)})\n`;
      return head + metricLines(metrics, '    ', all);
    })
    .join('');

const groupLines = (refusals: readonly GroupRefusal[]): string =>
  refusals.map((one) => wrapped('  ', `${one.group}: ${groupRefusalWords(one)}`)).join('');

function stepText(step: RelocationStep): string {
  const { alsoOpen, refused, cost, jobSet } = step;
  return [
    wrapped('', `Move ${step.step}: ${moveText(step)}`),
    changeLines(step.groups, false),
    wrapped('  ', `costs ${costText(cost)}; job set ${jobSet}`),
    alsoOpen.length > 0 ? wrapped('  ', `could have gone to ${alsoOpen.join(', ')} as well`) : '',
    groupLines(refused),
  ].join('');
}

export const relocationsText = ({ steps, groups }: RelocationsExplanation): string =>
  [
    'Explanation of the moves:\n',
    ...steps.map(stepText),
    steps.length > 1 ? `All moves:\n${changeLines(groups, false)}` : '',
  ].join('');

export const relocationTryText = (tried: RelocationTry): string =>
  [
    wrapped('', `${moveText(tried)}: ${tried.isAllowed ? 'allowed' : 'not allowed'}`),
    ...tried.holds.map((hold) => wrapped('  ', `${shortName(tried.instance)} ${holdWords(hold)}`)),
    groupLines(tried.groupRefusals),
    ...tried.refusals.map((refusal) => wrapped('  ', `no: ${refusalWords(refusal)}`)),
    tried.refusals.length > 0 ? liftLines('  ', tried.lift) : '',
    changeLines(tried.groups, true),
    wrapped('  ', `price: ${costText(tried.cost)}`),
    ...tried.commands.map((command) => `  ${toned('deed', command)}\n`),
  ].join('');
