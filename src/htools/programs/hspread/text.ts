/** hspread's report as text. */
import { trimmedTable } from '../../../kit/report/report-table.ts';
import { numbers, texts } from '../../../kit/report/text-table.ts';
import { wrapped } from '../../../kit/report/wrap.ts';
import { count } from '../../../kit/text/words.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { LOAD_RESOURCES } from '../../planners/groups/spread/group-load.ts';
import type { SpreadEnd } from '../../planners/groups/spread/spread.ts';
import type { LoadPicture, SpreadFacts } from '../../planners/groups/spread/spread-facts.ts';
import { costText, leftOutText, loadedText, mib } from '../shared/groups/group-figures.ts';
import { moveLines } from '../shared/groups/move-lines.ts';
import { showScore } from '../shared/steps/said.ts';

const LOAD_DECIMALS = 3;

type Options = Pick<ProgramOptions<'hspread'>, 'diskMoves' | 'maxLength' | 'minScore' | 'minGain'>;

const COLUMNS = [...texts('Group'), ...numbers(...LOAD_RESOURCES), ...texts('Above the mean')];

function table({ groups }: LoadPicture): string {
  const rows = groups.map(({ name, load, above }) => [
    name,
    ...LOAD_RESOURCES.map((of) => load[of].toFixed(LOAD_DECIMALS)),
    above.join(', '),
  ]);
  return trimmedTable('  ', COLUMNS, rows);
}

function startText(start: Snapshot, { before, leftOut }: SpreadFacts): string {
  return [
    loadedText(start, before.groups.length + leftOut.length),
    leftOutText(leftOut),
    `Load of the groups (1 = as loaded as the whole cluster):\n${table(before)}`,
    `Spread: ${showScore(before.spread)}\n`,
  ].join('');
}

function endText(end: SpreadEnd, { diskMoves, maxLength, minScore, minGain }: Options): string {
  switch (end) {
    case 'forbidden':
      return 'The cluster tag htools:nointergroup forbids moves between groups.';
    case 'nothing-movable':
      return diskMoves
        ? 'No instance can move between groups.'
        : 'No instance on shared storage can move between groups; --disk-moves lets DRBD instances move, too.';
    case 'no-target':
      return 'No group is healthy, so none can take instances.';
    case 'max-steps':
      return `Stopped after ${count(maxLength, 'move')} (--max-length); more moves may even out the load further.`;
    case 'min-score':
      return minScore > 0
        ? `Stopped because the spread is no more than --min-score (${minScore}).`
        : 'The load is even.';
    case 'min-gain':
      return `Stopped because the best move gains less than --min-gain (${minGain}).`;
    case 'searched':
      return 'The deep search ended; no plan that it found copies less and spreads the load as evenly.';
    case 'no-home':
      return 'No further move that would even out the load is possible: no group has room for it and stays healthy.';
    case 'even':
      return 'No move of an instance that may move evens out the load any further.';
  }
}

/** What the deep search has to show for itself. */
const greedyText = ({ spread, ...cost }: NonNullable<SpreadFacts['greedy']>): string =>
  `Without the deep search: ${showScore(spread)} by ${count(cost.instances, 'move')}, ${mib(cost.copiedMib)} of disk copied, ${mib(cost.migratedMemMib)} of memory migrated`;

export function spreadText(start: Snapshot, facts: SpreadFacts, options: Options): string {
  const { before, after, moves, plan, end, greedy } = facts;
  const head = startText(start, facts);
  const why = wrapped('', endText(end, options));
  if (moves.length === 0) return head + why;
  const left = after.groups.filter(({ above }) => above.length > 0).map(({ name }) => name);
  return [
    head,
    'Moves, each with the spread after it:\n',
    moveLines(start, moves, ({ spread }) => ` ${showScore(spread)}`),
    `Spread improved from ${showScore(before.spread)} to ${showScore(after.spread)}\n`,
    why,
    'Load of the groups afterwards:\n',
    table(after),
    left.length > 0
      ? wrapped('', `Still above the mean: ${left.join(', ')}`)
      : 'No group stands out any more.\n',
    wrapped('', `Price: ${costText(plan.cost)}`),
    greedy ? wrapped('', greedyText(greedy)) : '',
  ].join('');
}
