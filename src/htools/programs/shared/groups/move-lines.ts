/** Moves of instances as lines, JSON and commands. */

import { padLeft, padRight, textWidth } from '../../../../kit/report/text-table.ts';
import { toned } from '../../../../kit/report/tone.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { moveNotation } from '../../../plan/commands.ts';
import type { Home } from '../../../planners/groups/relocate/home.ts';
import type { Destination, PlanFacts, PlannedMove } from '../../../planners/groups/relocate/plan-facts.ts';
import type { Relocation } from '../../../planners/groups/relocate/relocation.ts';
import type { relocationMove } from '../../../results/groups.ts';
import type { jobSets as jobSetsSchema } from '../../../results/parts/common.ts';

const NUMBER_WIDTH = 3;

/** What a step line shows besides the move, such as a score. */
export type Remark = (move: PlannedMove) => string;

const pairText = (start: Snapshot, { primary, secondary }: Home): string =>
  [primary, secondary]
    .filter((n) => n !== NO_NODE)
    .map((n) => start.nodes[n]!.alias)
    .join(':');

const groupText = (start: Snapshot, { group }: Home): string => start.groups[group]!.name;

/** All steps of a relocation in short form, the ones behind the first after commas. */
const notation = (start: Snapshot, { steps }: Relocation): string =>
  steps.map((step) => moveNotation(start, step)).join(', ');

/** One numbered line a move: instance, nodes and groups before and after, the steps in short form. */
export function moveLines(start: Snapshot, moves: readonly PlannedMove[], remark: Remark = () => ''): string {
  const cells = moves.map(({ relocation: one, isWithinGroup }) => [
    start.instances[one.instance]!.alias,
    pairText(start, one.from),
    pairText(start, one.to),
    isWithinGroup
      ? `in ${groupText(start, one.from)}`
      : `${groupText(start, one.from)} -> ${groupText(start, one.to)}`,
  ]);
  const widths = [0, 1, 2, 3].map((k) => cells.reduce((most, row) => Math.max(most, textWidth(row[k]!)), 0));
  return moves
    .map((move, k) => {
      const [name, from, to, groups] = cells[k]!.map((cell, at) => padRight(cell, widths[at]!));
      const number = padLeft(`${k + 1}`, NUMBER_WIDTH);
      const steps = notation(start, move.relocation);
      return `  ${number}. ${name} ${from} => ${to} ${groups}${remark(move)} ${toned('deed', `a=${steps}`)}\n`;
    })
    .join('');
}

const homeJson = (start: Snapshot, home: Home) => ({
  group: groupText(start, home),
  primary: start.nodes[home.primary]!.name,
  secondary: home.secondary === NO_NODE ? null : start.nodes[home.secondary]!.name,
});

/** One move for a JSON document. */
export const moveJson = (
  start: Snapshot,
  { relocation: one, ...move }: PlannedMove,
): DocumentOf<typeof relocationMove> => ({
  instance: start.instances[one.instance]!.name,
  from: homeJson(start, one.from),
  to: homeJson(start, one.to),
  isWithinGroup: move.isWithinGroup,
  steps: one.steps.map((step) => moveNotation(start, step)),
  commands: move.commands,
  jobSet: move.jobSet,
  cost: move.cost,
});

/** The jobs of each set, for a JSON document. */
export const jobSetsJson = (start: Snapshot, { jobSets }: PlanFacts): DocumentOf<typeof jobSetsSchema> =>
  jobSets.map((set) =>
    set.map(({ relocation, commands }) => ({
      instance: start.instances[relocation.instance]!.name,
      commands,
    })),
  );

/** Commands of all job sets: sets, jobs, commands. */
export const commandSets = ({ jobSets }: PlanFacts): (readonly string[])[][] =>
  jobSets.map((set) => set.map(({ commands }) => commands));

/** Groups that instances go to and how many each takes: `rack-b (10), rack-c (7)`. */
export const destinationsText = (start: Snapshot, destinations: readonly Destination[]): string =>
  destinations.map(({ group, instances }) => `${start.groups[group]!.name} (${instances})`).join(', ');

/** The same for a JSON document. */
export const destinationsJson = (start: Snapshot, destinations: readonly Destination[]) =>
  destinations.map(({ group, instances }) => ({ group: start.groups[group]!.name, instances }));
