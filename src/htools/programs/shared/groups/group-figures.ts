/** Sizes, costs and moves in words, for the programs that work across groups. */

import { duration, gib, wrapped } from '../../../../kit/report/sentences.ts';
import { padLeft, padRight, widest } from '../../../../kit/report/text-table.ts';
import { toned } from '../../../../kit/report/tone.ts';
import { count } from '../../../../kit/text/words.ts';
import { MIB_PER_GIB } from '../../../../kit/units.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { groupsWithNodes } from '../../../model/state/scope.ts';
import type { RelocationCost } from '../../../planners/groups/relocate/relocation-plan.ts';
import type { RelocationMove } from '../../../results/groups.ts';
import { placeText } from '../questions/explain-text.ts';
import { costText } from '../steps/said.ts';
import { aliasesIn } from './refusal-text.ts';

/** What there is; groups without nodes are none. */
export const loadedText = (start: Snapshot): string =>
  `Loaded ${count(start.nodes.length, 'node')}, ${count(start.instances.length, 'instance')}, ${count(groupsWithNodes(start).length, 'group')}\n`;

export const excludedGroupsText = (groups: readonly string[]): string =>
  groups.length > 0 ? wrapped('', `Left out by option: ${groups.join(', ')}`) : '';

/** Why a group can neither help others nor be helped. @param groups that take part @param leftOut others */
export function aloneWords(groups: number, leftOut: number): string {
  if (groups > 1) return 'no other group shares a storage pool with it';
  return leftOut > 0 ? 'no other group takes part' : 'there is no other group';
}

/** In GiB from one on; documents and keys have MiB. */
export const inGib = (amount: number): string =>
  amount < MIB_PER_GIB ? `${amount} MiB` : `${gib(amount)} GiB`;

export const relocationsCostText = (cost: RelocationCost): string =>
  `${count(cost.instances, 'instance moves', 'instances move')}: ${costText(cost)}; about ${duration(cost.seconds)} at ${cost.bandwidthMibPerSecond} MiB/s`;

export const costKeys = (cost: RelocationCost) => ({
  INSTANCES: cost.instances,
  COPIED_MIB: cost.copiedMib,
  MIGRATIONS: cost.migrations,
  FAILOVERS: cost.failovers,
  SECONDS: Math.ceil(cost.seconds),
});

/** The keys of each group, with its place among them in front: `GROUP_0_NAME`. */
export const groupKeys = <Value>(groups: readonly Readonly<Record<string, Value>>[]): Record<string, Value> =>
  Object.fromEntries(
    groups.flatMap((one, k) => Object.entries(one).map(([key, value]) => [`GROUP_${k}_${key}`, value])),
  );

const NUMBER_WIDTH = 3;

/** One line a move: instance, nodes and groups before and after, steps. @param remark such as a score */
export function moveLines<M extends RelocationMove>(
  start: Snapshot,
  moves: readonly M[],
  remark: (move: M) => string = () => '',
): string {
  const short = aliasesIn(start);
  const cells = moves.map(({ instance, isWithinGroup, from, to }) => [
    short(instance),
    placeText(from, short),
    placeText(to, short),
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
export const destinationsText = (destinations: readonly { group: string; instances: number }[]): string =>
  destinations.map(({ group, instances }) => `${group} (${instances})`).join(', ');
