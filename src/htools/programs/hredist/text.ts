/** hredist's report as text. */
import { trimmedTable } from '../../../kit/report/report-table.ts';
import { numbers, texts } from '../../../kit/report/text-table.ts';
import { wrapped } from '../../../kit/report/wrap.ts';
import { count } from '../../../kit/text/words.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { HealingFacts, RedistributionFacts, Share } from '../../planners/groups/heal/healing-facts.ts';
import { costText, leftOutText, loadedText, mib } from '../shared/groups/group-figures.ts';
import { destinationsText, moveLines } from '../shared/groups/move-lines.ts';
import { refusalCounts, strandedLines } from '../shared/groups/refusal-text.ts';
import { EITHER_NOTE } from '../shared/listings/n1-words.ts';

const COLUMNS = [...texts('Group', 'Policy'), ...numbers('Dead_Nodes', 'Fail_N+1'), ...texts('State')];

const NO_HELP: Readonly<Record<NonNullable<RedistributionFacts['noHelp']>, string>> = {
  forbidden:
    'The cluster tag htools:nointergroup forbids moves between groups, so each group can be healed only within itself.',
  'no-healthy-group':
    'No group is healthy, so none can take instances from another before it has been healed itself.',
  alone:
    'The groups that need healing share no storage pool with another, so each can be healed only within itself.',
};

function surveyText(start: Snapshot, { groups, leftOut, noHelp, counts }: RedistributionFacts): string {
  const rows = groups.map(({ name, allocPolicy, deadNodes, failingNodes, state, isAlone }) => [
    name,
    allocPolicy,
    `${deadNodes.length}`,
    `${failingNodes}`,
    state + (isAlone ? ', alone' : ''),
  ]);
  const alone = groups.filter(({ isAlone }) => isAlone).map(({ name }) => name);
  return [
    loadedText(start, groups.length + leftOut.length),
    trimmedTable('  ', COLUMNS, rows),
    groups.some(({ failingNodes }) => failingNodes > 0) ? EITHER_NOTE : '',
    alone.length > 0
      ? wrapped('', `Alone, as no other group shares a storage pool with it: ${alone.join(', ')}`)
      : '',
    leftOutText(leftOut),
    counts.sick === 0 ? 'No group needs healing. Nothing to do.\n' : '',
    counts.sick > 0 && noHelp ? wrapped('', NO_HELP[noHelp]) : '',
  ].join('');
}

const copied = ({ copiedMib }: Share): string =>
  copiedMib === 0 ? 'nothing copied' : `${mib(copiedMib)} copied`;

const movesText = ({ within, across }: HealingFacts): string =>
  [
    ...(within.instances > 0
      ? [`${count(within.instances, 'move')} within the group (${copied(within)})`]
      : []),
    ...(across.instances > 0
      ? [`${count(across.instances, 'move')} to ${destinationsText(across.destinations)} (${copied(across)})`]
      : []),
  ].join(' and ');

function healingText(start: Snapshot, one: HealingFacts, isVerbose: boolean): string {
  const moves = movesText(one);
  if (one.isHealed) {
    const price =
      one.within.instances === 0
        ? ''
        : one.acrossOnly
          ? wrapped(
              '    ',
              `By moves to other groups only: ${count(one.acrossOnly.instances, 'move')} (${copied(one.acrossOnly)})`,
            )
          : wrapped('    ', 'Moves to other groups only would not heal it.');
    return wrapped('', `${one.group}: healed by ${moves}`) + price;
  }
  const missing =
    one.stranded.length === 0
      ? 'no set of moves was found that heals it'
      : `${count(one.stranded.length, 'instance finds', 'instances find')} no home (${refusalCounts(one.stranded)})`;
  const saved = moves === '' ? 'nothing can be moved' : `nevertheless ${moves}`;
  return (
    wrapped('', `${one.group}: not healed: ${missing}; ${saved}`) +
    strandedLines(start, one.stranded, '    ', isVerbose)
  );
}

/** What the deep search has to show for itself. */
const greedyText = (
  { groupsHealed: healed, ...share }: NonNullable<RedistributionFacts['greedy']>,
  now: number,
): string =>
  `Without the deep search: ${count(healed, 'group')} healed${healed < now ? ` in place of ${now}` : ''} by ${count(share.instances, 'move')} (${copied(share)})`;

/** @param isVerbose every instance that finds no home with all its reasons */
export function redistributionText(start: Snapshot, facts: RedistributionFacts, isVerbose: boolean): string {
  const { healings, plan, counts, greedy } = facts;
  const { groupsHealed, nodesFreed } = facts.gain;
  const head = surveyText(start, facts) + healings.map((one) => healingText(start, one, isVerbose)).join('');
  if (plan.moves.length === 0) return head;
  const gain = [
    `health restored in ${groupsHealed} of ${count(counts.sick, 'group')}`,
    ...(nodesFreed.length > 0
      ? [`${count(nodesFreed.length, 'dead node')} emptied for repair (${nodesFreed.join(', ')})`]
      : []),
  ];
  return [
    head,
    'Moves, in the order in which they can be made:\n',
    moveLines(start, plan.moves),
    wrapped('', `Price: ${costText(plan.cost)}`),
    wrapped('', `Gain: ${gain.join('; ')}`),
    greedy ? wrapped('', greedyText(greedy, groupsHealed)) : '',
  ].join('');
}
