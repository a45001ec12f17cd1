/** hspread's report as text. */
import { reportTable } from '../../../kit/report/report-table.ts';
import { wrapped } from '../../../kit/report/sentences.ts';
import { numbers, texts } from '../../../kit/report/text-table.ts';
import { count } from '../../../kit/text/words.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { LOAD_RESOURCES } from '../../planners/groups/spread/group-load.ts';
import type { SpreadEnd } from '../../planners/groups/spread/spread.ts';
import {
  excludedGroupsText,
  inGib,
  loadedText,
  moveLines,
  relocationsCostText,
} from '../shared/groups/group-figures.ts';
import { showScore } from '../shared/steps/said.ts';
import { type Document, LOAD_DECIMALS, type LoadPicture, outliers } from './document.ts';

type Options = Pick<ProgramOptions<'hspread'>, 'diskMoves' | 'maxLength' | 'minScore' | 'minGain'>;

const COLUMNS = [...texts('Group'), ...numbers(...LOAD_RESOURCES), ...texts('Above the mean')];

function table({ groups }: LoadPicture): string {
  const rows = groups.map(({ name, load, above }) => [
    name,
    ...LOAD_RESOURCES.map((of) => load[of].toFixed(LOAD_DECIMALS)),
    above.join(', '),
  ]);
  return reportTable('  ', COLUMNS, rows);
}

function startText(start: Snapshot, { before, leftOut }: Document): string {
  return [
    loadedText(start),
    excludedGroupsText(leftOut),
    `Load of the groups (1 = as loaded as the whole cluster):\n${table(before)}`,
    `Spread: ${showScore(before.spread)}\n`,
  ].join('');
}

const ENDS: Readonly<Record<SpreadEnd, (options: Options) => string>> = {
  forbidden: () => 'The cluster tag htools:nointergroup forbids moves between groups.',
  'nothing-movable': ({ diskMoves }) =>
    diskMoves
      ? 'No instance can move between groups.'
      : 'No instance on shared storage can move between groups; --disk-moves lets DRBD instances move, too.',
  'no-target': () => 'No group is healthy, so none can take instances.',
  'max-steps': ({ maxLength }) =>
    `Stopped after ${count(maxLength, 'move')} (--max-length); more moves may even out the load further.`,
  'min-score': ({ minScore }) =>
    minScore > 0
      ? `Stopped because the spread is no more than --min-score (${minScore}).`
      : 'The load is even.',
  'min-gain': ({ minGain }) => `Stopped because the best move gains less than --min-gain (${minGain}).`,
  searched: () => 'The deep search ended; no plan that it found copies less and spreads the load as evenly.',
  'no-home': () =>
    'No further move that would even out the load is possible: no group has room for it and stays healthy.',
  even: () => 'No move of an instance that may move evens out the load any further.',
};

/** Groups that stand out in the end: the load that others get rid of may lift some above the mean. */
function outliersText(before: readonly string[], after: readonly string[]): string {
  const still = after.filter((name) => before.includes(name));
  const now = after.filter((name) => !before.includes(name));
  if (after.length === 0) return 'No group stands out any more.\n';
  return [
    still.length > 0 ? wrapped('', `Still above the mean: ${still.join(', ')}`) : '',
    now.length > 0 ? wrapped('', `Now above the mean: ${now.join(', ')}`) : '',
  ].join('');
}

const greedyText = ({ greedy }: NonNullable<Document['search']>): string =>
  `Without the deep search: ${showScore(greedy.spread!)} by ${count(greedy.instances, 'move')}, ${inGib(greedy.copiedMib)} copied, ${inGib(greedy.migratedMemMib!)} of memory migrated`;

export function spreadText(start: Snapshot, document: Document, options: Options): string {
  const { before, after, moves, cost, end, search } = document;
  const head = startText(start, document);
  const why = wrapped('', ENDS[end as SpreadEnd](options));
  if (moves.length === 0) return head + why;
  return [
    head,
    'Moves, each with the spread after it:\n',
    moveLines(start, moves, ({ spread }) => ` ${showScore(spread)}`),
    `Spread improved from ${showScore(before.spread)} to ${showScore(after.spread)}\n`,
    why,
    'Load of the groups afterwards:\n',
    table(after),
    outliersText(outliers(before), outliers(after)),
    wrapped('', `Price: ${relocationsCostText(cost)}`),
    search ? wrapped('', greedyText(search)) : '',
  ].join('');
}
