/** Moves of instances between groups, as lines, JSON and commands. */
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { moveNotation } from '../../../plan/commands.ts';
import { jobSchedule } from '../../../planners/groups/relocate/job-schedule.ts';
import type { Home, Relocation } from '../../../planners/groups/relocate/relocation.ts';
import { relocationCommands } from '../../../planners/groups/relocate/relocation-commands.ts';
import { padLeft, padRight, textWidth } from '../../../report/text-table.ts';

const NUMBER_WIDTH = 3;

/** What a step line shows besides the move, such as a score. */
export type Remark = (relocation: Relocation) => string;

const pairText = (start: Snapshot, { primary, secondary }: Home): string =>
  [primary, secondary]
    .filter((n) => n !== NO_NODE)
    .map((n) => start.nodes[n]!.alias)
    .join(':');

const groupText = (start: Snapshot, { group }: Home): string => start.groups[group]!.name;

/** All steps of a relocation in short form, the ones behind the first after commas. */
const notation = (start: Snapshot, { steps }: Relocation): string =>
  steps.map((step) => moveNotation(start, step)).join(', ');

/** One numbered line a relocation: instance, nodes and groups before and after, the steps in short form. */
export function relocationLines(
  start: Snapshot,
  relocations: readonly Relocation[],
  remark: Remark = () => '',
): string {
  const cells = relocations.map((one) => [
    start.instances[one.instance]!.alias,
    pairText(start, one.from),
    pairText(start, one.to),
    `${groupText(start, one.from)} -> ${groupText(start, one.to)}`,
  ]);
  const widths = [0, 1, 2, 3].map((k) => cells.reduce((most, row) => Math.max(most, textWidth(row[k]!)), 0));
  return relocations
    .map((one, k) => {
      const [name, from, to, groups] = cells[k]!.map((cell, at) => padRight(cell, widths[at]!));
      const number = padLeft(`${k + 1}`, NUMBER_WIDTH);
      return `  ${number}. ${name} ${from} => ${to} ${groups}${remark(one)} a=${notation(start, one)}\n`;
    })
    .join('');
}

const homeJson = (start: Snapshot, home: Home): object => ({
  group: groupText(start, home),
  primary: start.nodes[home.primary]!.name,
  secondary: home.secondary === NO_NODE ? null : start.nodes[home.secondary]!.name,
});

/** Relocations for a JSON document, in the order in which they are made. */
export const relocationsJson = (start: Snapshot, relocations: readonly Relocation[]): object[] =>
  relocations.map((one) => ({
    instance: start.instances[one.instance]!.name,
    from: homeJson(start, one.from),
    to: homeJson(start, one.to),
    steps: one.steps.map((step) => moveNotation(start, step)),
    commands: relocationCommands(start, one),
  }));

/** Commands of all job sets: sets, jobs, commands. */
export const commandSets = (start: Snapshot, relocations: readonly Relocation[]): string[][][] =>
  jobSchedule(start, relocations).map((set) => set.map((one) => relocationCommands(start, one)));

/** Groups that relocations go to and how many each takes: `rack-b (10), rack-c (7)`. */
export function targetsText(start: Snapshot, relocations: readonly Relocation[]): string {
  const counts = new Map<number, number>();
  for (const { to } of relocations) counts.set(to.group, (counts.get(to.group) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([group, n]) => `${start.groups[group]!.name} (${n})`)
    .join(', ');
}
