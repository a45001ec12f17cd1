/** hspread's report: text, JSON, keys. */

import type { Snapshot } from '../../cluster/snapshot.ts';
import { groupsWithNodes } from '../../model/state/scope.ts';
import type { RelocationCost } from '../../planners/groups/relocate/job-schedule.ts';
import {
  type GroupLoads,
  LOAD_RESOURCES,
  type LoadResource,
} from '../../planners/groups/spread/group-load.ts';
import type { SpreadStep } from '../../planners/groups/spread/spread.ts';
import { SCHEMA_VERSION } from '../../report/json.ts';
import { keyValue } from '../../report/key-value.ts';
import { textTable } from '../../report/text-table.ts';
import { printfFixed } from '../../stock/numbers.ts';
import { costJson, costKeys, costText, count } from '../shared/groups/group-figures.ts';
import { relocationLines, relocationsJson } from '../shared/groups/group-relocations.ts';

const SCORE_DECIMALS = 8;
const LOAD_DECIMALS = 3;

/** How the load lies at one time. */
export interface LoadPicture {
  readonly score: number;
  readonly groups: readonly { readonly group: number; readonly loads: readonly number[] }[];
  readonly outliers: readonly { readonly group: number; readonly resources: readonly LoadResource[] }[];
}

/** Everything that is reported. */
export interface SpreadReport {
  readonly start: Snapshot;
  readonly before: LoadPicture;
  readonly after: LoadPicture;
  /** In the order in which they were found. */
  readonly steps: readonly SpreadStep[];
  readonly cost: RelocationCost;
  readonly bandwidth: number;
  /** Instances that might move at all. */
  readonly movable: number;
  readonly isForbidden: boolean;
  readonly diskMoves: boolean;
}

/** @param threshold share above the mean from which on a group stands out */
export const pictureOf = (loads: GroupLoads, threshold: number): LoadPicture => ({
  score: loads.score,
  groups: loads.groups.map((group) => ({ group, loads: loads.of(group) })),
  outliers: loads.outliers(threshold),
});

const score = (value: number): string => printfFixed(value, SCORE_DECIMALS);

const COLUMNS = [
  { heading: 'Group', isNumeric: false },
  ...LOAD_RESOURCES.map((name) => ({ heading: name, isNumeric: true })),
  { heading: 'Above the mean', isNumeric: false },
];

function table(start: Snapshot, { groups, outliers }: LoadPicture): string {
  const rows = groups.map(({ group, loads }) => [
    start.groups[group]!.name,
    ...loads.map((load) => load.toFixed(LOAD_DECIMALS)),
    outliers.find((one) => one.group === group)?.resources.join(', ') ?? '',
  ]);
  return textTable('  ', COLUMNS, rows).replaceAll(/ +$/gm, '');
}

/** The groups before anything is done. */
export const startText = (start: Snapshot, before: LoadPicture): string =>
  `Loaded ${count(start.nodes.length, 'node')}, ${count(start.instances.length, 'instance')}, ${count(
    groupsWithNodes(start).length,
    'group',
  )}\nLoad of the groups (1 = as loaded as the whole cluster):\n${table(start, before)}Spread: ${score(before.score)}\n`;

/** Why there are no steps. */
function emptyText({ movable, isForbidden, diskMoves }: SpreadReport): string {
  if (isForbidden)
    return 'The cluster tag htools:nointergroup forbids moves between groups. Nothing to do.\n';
  if (movable > 0) return 'No move evens the load out any further. Nothing to do.\n';
  return diskMoves
    ? 'No instance can move between groups. Nothing to do.\n'
    : 'No instance on shared storage can move between groups; --disk-moves lets DRBD instances move, too.\n';
}

export function spreadText(report: SpreadReport): string {
  const { start, before, after, steps, cost, bandwidth } = report;
  if (steps.length === 0) return emptyText(report);
  const scores = new Map(steps.map((step) => [step.relocation, ` ${score(step.score)}`]));
  const relocations = steps.map(({ relocation }) => relocation);
  const left = after.outliers.map(({ group }) => start.groups[group]!.name);
  return [
    'Moves, each with the spread behind it:\n',
    relocationLines(start, relocations, (one) => scores.get(one)!),
    `Spread improved from ${score(before.score)} to ${score(after.score)}\n`,
    'Load of the groups afterwards:\n',
    table(start, after),
    left.length > 0 ? `Still above the mean: ${left.join(', ')}\n` : 'No group stands out any more.\n',
    `Cost: ${costText(cost, bandwidth)}\n`,
  ].join('');
}

const pictureJson = (start: Snapshot, picture: LoadPicture): object => ({
  spread: picture.score,
  groups: picture.groups.map(({ group, loads }) => ({
    name: start.groups[group]!.name,
    load: Object.fromEntries(LOAD_RESOURCES.map((name, r) => [name, loads[r]])),
    above: picture.outliers.find((one) => one.group === group)?.resources ?? [],
  })),
});

export function spreadJson(report: SpreadReport): object {
  const { start, before, after, steps, cost, bandwidth } = report;
  const moves = relocationsJson(
    start,
    steps.map(({ relocation }) => relocation),
  );
  return {
    schemaVersion: SCHEMA_VERSION,
    program: 'hspread',
    cluster: { nodes: start.nodes.length, instances: start.instances.length },
    before: pictureJson(start, before),
    after: pictureJson(start, after),
    moves: moves.map((move, k) => ({ ...move, spread: steps[k]!.score })),
    cost: costJson(cost, bandwidth),
  };
}

/** `HSPREAD_KEY=value` lines; the last one says that all went well. */
export function spreadKeys({ start, before, after, steps, cost }: SpreadReport): string {
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
    ...costKeys(cost),
    ['OK', '1'],
  ];
  return pairs.map(([key, value]) => keyValue('HSPREAD', key, value)).join('');
}
