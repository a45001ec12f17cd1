/** hredist's report: text, JSON, keys. */
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { Healing } from '../../planners/groups/heal/healing.ts';
import type { Redistribution, Survey } from '../../planners/groups/heal/redistribute.ts';
import { failingNodes, type Health } from '../../planners/groups/homes/health.ts';
import type { SuperCluster } from '../../planners/groups/homes/super-cluster.ts';
import type { RelocationCost } from '../../planners/groups/relocate/job-schedule.ts';
import type { Relocation } from '../../planners/groups/relocate/relocation.ts';
import { SCHEMA_VERSION } from '../../report/json.ts';
import { keyValue } from '../../report/key-value.ts';
import { textTable } from '../../report/text-table.ts';
import { costJson, costKeys, costText, count } from '../shared/groups/group-figures.ts';
import { refusalCounts, strandedJson, strandedLines } from '../shared/groups/group-refusals.ts';
import { relocationLines, relocationsJson, targetsText } from '../shared/groups/group-relocations.ts';

/** Everything that is reported. */
export interface RedistributionReport {
  readonly start: Snapshot;
  readonly survey: Survey;
  readonly result: Redistribution;
  /** All relocations in the order in which they are made. */
  readonly relocations: readonly Relocation[];
  readonly cost: RelocationCost;
  readonly bandwidth: number;
  /** Offline nodes that are empty afterwards and were not before, and their memory. */
  readonly freed: { readonly nodes: readonly string[]; readonly memMib: number };
}

/** Offline nodes that the relocations empty. */
export function freedNodes(
  { state, snapshot }: SuperCluster,
  healings: readonly Healing[],
  survey: Survey,
): RedistributionReport['freed'] {
  const gone = new Set(healings.flatMap(({ relocations }) => relocations.map(({ instance }) => instance)));
  const dead = survey.sick.flatMap(({ deadNodes }) => deadNodes);
  const freed = dead.filter((n) =>
    [...state.primaries[n]!, ...state.secondaries[n]!].every((i) => gone.has(i)),
  );
  return {
    nodes: freed.map((n) => snapshot.nodes[n]!.name),
    memMib: freed.reduce((sum, n) => sum + snapshot.nodes[n]!.totalMemMib, 0),
  };
}

const COLUMNS = [
  { heading: 'Group', isNumeric: false },
  { heading: 'Policy', isNumeric: false },
  { heading: 'Dead_Nodes', isNumeric: true },
  { heading: 'Fail_N+1', isNumeric: true },
  { heading: 'State', isNumeric: false },
];

/** The groups and their health. */
export function surveyText(start: Snapshot, { all, alone, healthy, isForbidden, sick }: Survey): string {
  const nameOf = (group: number): string => start.groups[group]!.name;
  const rows = all.map((health) => [
    nameOf(health.group),
    start.groups[health.group]!.allocPolicy,
    `${health.deadNodes.length}`,
    `${failingNodes(health).length}`,
    health.state + (alone.includes(health.group) ? ', alone' : ''),
  ]);
  const table = textTable('  ', COLUMNS, rows).replaceAll(/ +$/gm, '');
  const note =
    alone.length > 0
      ? `Left out, as no other group shares a pool with it: ${alone.map(nameOf).join(', ')}\n`
      : '';
  return `Loaded ${count(start.nodes.length, 'node')}, ${count(start.instances.length, 'instance')}, ${count(
    all.length,
    'group',
  )}\n${table}${note}${verdict({ isForbidden, sick, healthy, alone, all })}`;
}

/** Why there is nothing to do; empty when there is something. */
function verdict({ isForbidden, sick, healthy, alone, all }: Survey): string {
  if (sick.length === 0) {
    const isBeyondHelp = all.some(({ group, state }) => state !== 'healthy' && alone.includes(group));
    return isBeyondHelp
      ? 'No group that another one could help needs healing. Nothing to do.\n'
      : 'No group needs healing. Nothing to do.\n';
  }
  if (isForbidden)
    return (
      'The cluster tag htools:nointergroup forbids moves between groups. Nothing can be done across groups;\n' +
      'hbal -G GROUP -E may help within one.\n'
    );
  if (healthy.length === 0)
    return 'There is no healthy group to take instances. Bring a node back, or add one, and try again.\n';
  return '';
}

function healingText(start: Snapshot, { group, isHealed, relocations, stranded }: Healing): string {
  const { name } = start.groups[group]!;
  const moves =
    relocations.length === 0
      ? 'nothing can be moved'
      : `${count(relocations.length, 'instance goes', 'instances go')} to ${targetsText(start, relocations)}`;
  if (isHealed) return `${name}: healed when ${moves}\n`;
  const missing =
    stranded.length === 0
      ? 'no instance may be moved that would help'
      : `${count(stranded.length, 'instance finds', 'instances find')} no home (${refusalCounts(stranded)})`;
  return `${name}: not healed: ${missing}; ${relocations.length === 0 ? moves : `all the same ${moves}`}\n${strandedLines(start, stranded, '    ')}`;
}

/** The solution; said after surveyText when there is something to do. */
export function redistributionText(report: RedistributionReport): string {
  const { start, result, relocations, cost, bandwidth, freed } = report;
  const healed = result.healings.filter((one) => one.isHealed).length;
  const lines = result.healings.map((one) => healingText(start, one)).join('');
  if (relocations.length === 0) return lines;
  const gain = [
    `health restored in ${healed} of ${count(result.healings.length, 'group')}`,
    ...(freed.nodes.length > 0
      ? [`${count(freed.nodes.length, 'dead node')} emptied for repair (${freed.nodes.join(', ')})`]
      : []),
  ];
  return [
    lines,
    'Moves, in the order in which they can be made:\n',
    relocationLines(start, relocations),
    `Cost: ${costText(cost, bandwidth)}\n`,
    `Gain: ${gain.join('; ')}\n`,
  ].join('');
}

export const redistributionJson = (report: RedistributionReport): object => {
  const { start, survey, result, relocations, cost, bandwidth, freed } = report;
  const nameOf = (group: number): string => start.groups[group]!.name;
  const nodeNames = (nodes: readonly number[]): string[] => nodes.map((n) => start.nodes[n]!.name);
  return {
    schemaVersion: SCHEMA_VERSION,
    program: 'hredist',
    cluster: { nodes: start.nodes.length, instances: start.instances.length },
    isForbidden: survey.isForbidden,
    groups: survey.all.map((health) => ({
      name: nameOf(health.group),
      allocPolicy: start.groups[health.group]!.allocPolicy,
      state: health.state,
      isAlone: survey.alone.includes(health.group),
      deadNodes: nodeNames(health.deadNodes),
      overcommittedNodes: nodeNames(health.overcommitted),
      unrestartableNodes: nodeNames(health.unrestartable),
    })),
    healings: result.healings.map((one) => ({
      group: nameOf(one.group),
      isHealed: one.isHealed,
      instances: one.relocations.length,
      stranded: strandedJson(start, one.stranded),
    })),
    moves: relocationsJson(start, relocations),
    cost: costJson(cost, bandwidth),
    gain: {
      groupsHealed: result.healings.filter((one) => one.isHealed).length,
      nodesFreed: freed.nodes,
      freedMemoryMib: freed.memMib,
    },
  };
};

/** `HREDIST_KEY=value` lines; the last one says that all went well. */
export function redistributionKeys(report: RedistributionReport): string {
  const { start, survey, result, cost, freed } = report;
  const states = (state: Health['state']): string =>
    `${survey.all.filter((health) => health.state === state).length}`;
  const pairs: [string, string][] = [
    ['UNHEALTHY', states('unhealthy')],
    ['WEAK', states('weak')],
    ['HEALTHY', states('healthy')],
    ['ALONE', `${survey.alone.length}`],
    ['FORBIDDEN', survey.isForbidden ? '1' : '0'],
    ['HEALED', `${result.healings.filter((one) => one.isHealed).length}`],
    ['STRANDED', `${result.healings.reduce((sum, one) => sum + one.stranded.length, 0)}`],
    ...result.healings.flatMap((one, k): [string, string][] => [
      [`GROUP_${k}_NAME`, start.groups[one.group]!.name],
      [`GROUP_${k}_HEALED`, one.isHealed ? '1' : '0'],
      [`GROUP_${k}_INSTANCES`, `${one.relocations.length}`],
      [`GROUP_${k}_STRANDED`, `${one.stranded.length}`],
    ]),
    ...costKeys(cost),
    ['NODES_FREED', `${freed.nodes.length}`],
    ['OK', '1'],
  ];
  return pairs.map(([key, value]) => keyValue('HREDIST', key, value)).join('');
}
