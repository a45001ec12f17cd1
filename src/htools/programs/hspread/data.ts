/** hspread's report for programs: the JSON document, and keys and values. */

import { SCHEMA_VERSION } from '../../../kit/report/json.ts';
import { keyValue } from '../../../kit/report/key-value.ts';
import type { DeepReadonly } from '../../../kit/results/members.ts';
import { printfFixed } from '../../../kit/text/numbers.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { LOAD_RESOURCES, type LoadResource } from '../../planners/groups/spread/group-load.ts';
import type { LoadPicture, SpreadFacts } from '../../planners/groups/spread/spread-facts.ts';
import type { HspreadDocument } from '../../results/groups.ts';
import { costKeys } from '../shared/groups/group-figures.ts';
import { searchJson } from '../shared/groups/group-search.ts';
import { jobSetsJson, moveJson } from '../shared/groups/move-lines.ts';

const SCORE_DECIMALS = 8;
const LOAD_DECIMALS = 3;

const pictureJson = (start: Snapshot, picture: LoadPicture) => ({
  spread: picture.score,
  groups: picture.groups.map(({ group, loads }) => ({
    name: start.groups[group]!.name,
    load: Object.fromEntries(LOAD_RESOURCES.map((name, r) => [name, loads[r]!])) as Record<
      LoadResource,
      number
    >,
    above: picture.outliers.find((one) => one.group === group)?.resources ?? [],
  })),
});

export function spreadJson(
  start: Snapshot,
  facts: SpreadFacts,
  options: ProgramOptions<'hspread'>,
): DeepReadonly<HspreadDocument> {
  const { before, after, steps, plan, end, leftOut, greedy } = facts;
  const moves = new Map(plan.moves.map((move) => [move.relocation.instance, moveJson(start, move)]));
  return {
    schemaVersion: SCHEMA_VERSION,
    program: 'hspread',
    cluster: { nodes: start.nodes.length, instances: start.instances.length },
    leftOut: leftOut.map((group) => start.groups[group]!.name),
    before: pictureJson(start, before),
    after: pictureJson(start, after),
    moves: steps.map(({ relocation, score, gain }) => ({
      ...moves.get(relocation.instance)!,
      spread: score,
      gain,
    })),
    end,
    jobSets: jobSetsJson(start, plan),
    cost: plan.cost,
    ...(greedy && { search: { ...searchJson(options), greedy } }),
  };
}

/** `HSPREAD_KEY=value` lines; the last one says that all went well. */
export function spreadKeys(start: Snapshot, { before, after, steps, plan, greedy }: SpreadFacts): string {
  const score = (value: number): string => printfFixed(value, SCORE_DECIMALS);
  const pairs: [string, string][] = [
    ['GROUPS', `${before.groups.length}`],
    ['INI_SPREAD', score(before.score)],
    ['FIN_SPREAD', score(after.score)],
    ['INI_OUTLIERS', `${before.outliers.length}`],
    ['FIN_OUTLIERS', `${after.outliers.length}`],
    ['STEPS', `${steps.length}`],
    ...after.groups.flatMap(({ group, loads }, k): [string, string][] => [
      [`GROUP_${k}_NAME`, start.groups[group]!.name],
      ...LOAD_RESOURCES.map((name, r): [string, string] => [
        `GROUP_${k}_${name}`,
        loads[r]!.toFixed(LOAD_DECIMALS),
      ]),
    ]),
    ...costKeys(plan.cost),
    ...(greedy
      ? ([
          ['GREEDY_SPREAD', score(greedy.spread)],
          ['GREEDY_COPIED_MIB', `${greedy.copiedMib}`],
        ] as [string, string][])
      : []),
    ['OK', '1'],
  ];
  return pairs.map(([key, value]) => keyValue('HSPREAD', key, value)).join('');
}
