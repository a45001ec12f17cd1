/** Moves of instances as lines and commands. */
import { padLeft, padRight, widest } from '../../../../kit/report/text-table.ts';
import { toned } from '../../../../kit/report/tone.ts';
import { aliasPair } from '../../../cluster/names.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import type { Destination, PlannedMove } from '../../../planners/groups/relocate/plan-facts.ts';

const NUMBER_WIDTH = 3;

/** One line a move: instance, nodes and groups before and after, steps. @param remark such as a score */
export function moveLines<M extends PlannedMove>(
  start: Snapshot,
  moves: readonly M[],
  remark: (move: M) => string = () => '',
): string {
  const cells = moves.map(({ relocation: one, isWithinGroup, from, to }) => [
    start.instances[one.instance]!.alias,
    aliasPair(start, one.from.primary, one.from.secondary),
    aliasPair(start, one.to.primary, one.to.secondary),
    isWithinGroup ? `in ${from.group}` : `${from.group} -> ${to.group}`,
  ]);
  const widths = [0, 1, 2, 3].map((k) => widest(cells.map((row) => row[k]!)));
  return moves
    .map((move, k) => {
      const [name, from, to, groups] = cells[k]!.map((cell, at) => padRight(cell, widths[at]!));
      const number = padLeft(`${k + 1}`, NUMBER_WIDTH);
      const steps = toned('deed', `a=${move.steps.join(', ')}`);
      return `  ${number}. ${name} ${from} => ${to} ${groups}${remark(move)} ${steps}\n`;
    })
    .join('');
}

/** Groups that instances go to and how many each takes: `rack-b (10), rack-c (7)`. */
export const destinationsText = (destinations: readonly Destination[]): string =>
  destinations.map(({ group, instances }) => `${group} (${instances})`).join(', ');
