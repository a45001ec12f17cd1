/** hredist's report as text. */
import { reportTable } from '../../../kit/report/report-table.ts';
import { wrapped } from '../../../kit/report/sentences.ts';
import { numbers, texts } from '../../../kit/report/text-table.ts';
import { count } from '../../../kit/text/words.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import {
  aloneWords,
  destinationsText,
  excludedGroupsText,
  inGib,
  loadedText,
  moveLines,
  relocationsCostText,
} from '../shared/groups/group-figures.ts';
import { aliasesIn, refusalCounts, strandedLines } from '../shared/groups/refusal-text.ts';
import { EITHER_NOTE } from '../shared/listings/n1-words.ts';
import type { Document } from './document.ts';

const COLUMNS = [...texts('Group', 'Policy'), ...numbers('Dead_Nodes', 'Fail_N+1'), ...texts('State')];

const NO_HELP: Readonly<Record<NonNullable<Document['noHelp']>, string>> = {
  forbidden:
    'The cluster tag htools:nointergroup forbids moves between groups, so each group can be healed only within itself.',
  'no-healthy-group':
    'No group is healthy, so none can take instances from another before it has been healed itself.',
  alone: 'The groups that need healing are alone, so each can be healed only within itself.',
};

function surveyText(start: Snapshot, { groups, leftOut, noHelp, healings }: Document): string {
  const rows = groups.map(({ name, allocPolicy, deadNodes, failingNodes, state, isAlone }) => [
    name,
    allocPolicy,
    `${deadNodes.length}`,
    `${failingNodes}`,
    state + (isAlone ? ', alone' : ''),
  ]);
  const alone = groups.filter(({ isAlone }) => isAlone).map(({ name }) => name);
  // With --group others may be ill.
  const needless = groups.every(({ state }) => state === 'healthy') ? 'No group' : 'No group that was named';
  return [
    loadedText(start),
    reportTable('  ', COLUMNS, rows),
    groups.some(({ failingNodes }) => failingNodes > 0) ? EITHER_NOTE : '',
    alone.length > 0
      ? wrapped('', `Alone, as ${aloneWords(groups.length, leftOut.length)}: ${alone.join(', ')}`)
      : '',
    excludedGroupsText(leftOut),
    healings.length === 0 ? `${needless} needs healing. Nothing to do.\n` : '',
    healings.length > 0 && noHelp ? wrapped('', NO_HELP[noHelp]) : '',
  ].join('');
}

const shareText = ({ instances, copiedMib }: Document['healings'][number]['within'], where = ''): string =>
  `${count(instances, 'move')}${where} (${copiedMib === 0 ? 'nothing' : inGib(copiedMib)} copied)`;

function healingText(
  short: (name: string) => string,
  { group, isHealed, within, across, acrossOnly, stranded }: Document['healings'][number],
  isVerbose: boolean,
): string {
  const moves = [
    ...(within.instances > 0 ? [shareText(within, ' within the group')] : []),
    ...(across.instances > 0 ? [shareText(across, ` to ${destinationsText(across.destinations)}`)] : []),
  ].join(' and ');
  if (isHealed) {
    const head = wrapped('', `${group}: healed by ${moves || 'the moves for another group'}`);
    if (within.instances === 0) return head;
    const other = acrossOnly
      ? `By moves to other groups only: ${shareText(acrossOnly)}`
      : 'No moves to other groups only were found to heal it.';
    return head + wrapped('    ', other);
  }
  const missing =
    stranded.length === 0
      ? 'no set of moves was found that heals it'
      : `${count(stranded.length, 'instance finds', 'instances find')} no home (${refusalCounts(stranded)})`;
  const saved = moves === '' ? 'nothing can be moved' : `nevertheless ${moves}`;
  return (
    wrapped('', `${group}: not healed: ${missing}; ${saved}`) +
    strandedLines(short, stranded, '    ', isVerbose)
  );
}

const greedyText = ({ greedy }: NonNullable<Document['search']>, now: number): string => {
  const healed = greedy.groupsHealed!;
  return `Without the deep search: ${count(healed, 'group')} healed${healed < now ? ` in place of ${now}` : ''} by ${shareText(greedy)}`;
};

/** @param isVerbose all reasons of each that finds no home */
export function redistributionText(start: Snapshot, document: Document, isVerbose: boolean): string {
  const { healings, moves, cost, search } = document;
  const { groupsHealed, nodesFreed } = document.gain;
  const short = aliasesIn(start);
  const head =
    surveyText(start, document) + healings.map((one) => healingText(short, one, isVerbose)).join('');
  if (moves.length === 0) return head;
  const gain = [
    `health restored in ${groupsHealed} of ${count(healings.length, 'group')}`,
    ...(nodesFreed.length > 0
      ? [`${count(nodesFreed.length, 'dead node')} emptied for repair (${nodesFreed.join(', ')})`]
      : []),
  ];
  return [
    head,
    'Moves, in the order in which they can be made:\n',
    moveLines(start, moves),
    wrapped('', `Price: ${relocationsCostText(cost)}`),
    wrapped('', `Gain: ${gain.join('; ')}`),
    search ? wrapped('', greedyText(search, groupsHealed)) : '',
  ].join('');
}
