/** What hcheck says: blocks for people, `HCHECK_` keys for scripts, and the JSON document. */
import { documentHead } from '../../../kit/report/json.ts';
import { keyValue } from '../../../kit/report/key-value.ts';
import { toned } from '../../../kit/report/tone.ts';
import type { DeepReadonly } from '../../../kit/results/members.ts';
import { printfFixed } from '../../../kit/text/numbers.ts';
import type { Group } from '../../cluster/snapshot.ts';
import type { HcheckDocument } from '../../results/hcheck.ts';

/** Counts of one group, or their sums over all. */
interface HealthCounts {
  readonly n1Fail: number;
  readonly conflictTags: number;
  readonly offlinePrimaries: number;
  /** Offline nodes, each counted once: what the stock program prints under this name. */
  readonly offlineSecondaries: number;
  /** Nodes that cannot be evacuated; undefined when capacity is not checked. */
  readonly globalN1Fail: number | undefined;
}

export interface GroupCounts extends HealthCounts {
  /** Position of the group in the snapshot. */
  readonly group: number;
  readonly score: number;
}

/** Before or after the simulated balancing. */
type Phase = 'initial' | 'final';

const SCORE_DECIMALS = 8;
const PREFIX = 'HCHECK';

interface Item {
  readonly key: string;
  readonly description: string;
  readonly value: (counts: HealthCounts) => number | undefined;
}

const ITEMS: readonly Item[] = [
  { key: 'N1_FAIL', description: 'Nodes not N+1 happy', value: (c) => c.n1Fail },
  { key: 'CONFLICT_TAGS', description: 'Nodes with conflicting instances', value: (c) => c.conflictTags },
  {
    key: 'OFFLINE_PRI',
    description: 'Instances having the primary node offline',
    value: (c) => c.offlinePrimaries,
  },
  {
    key: 'OFFLINE_SEC',
    description: 'Instances having a secondary node offline',
    value: (c) => c.offlineSecondaries,
  },
  { key: 'GN1_FAIL', description: 'Nodes not directly evacuateable', value: (c) => c.globalN1Fail },
];

/** All counts of a group or the cluster that are checked, in print order. */
const countsOf = (counts: HealthCounts): (Item & { readonly count: number })[] =>
  ITEMS.flatMap((item) => {
    const count = item.value(counts);
    return count === undefined ? [] : [{ ...item, count }];
  });

/** Sums over the groups. */
export function sumCounts(groups: readonly GroupCounts[], checksCapacity: boolean): HealthCounts {
  const sum = (pick: (counts: HealthCounts) => number): number =>
    groups.reduce((total, counts) => total + pick(counts), 0);
  return {
    n1Fail: sum((c) => c.n1Fail),
    conflictTags: sum((c) => c.conflictTags),
    offlinePrimaries: sum((c) => c.offlinePrimaries),
    offlineSecondaries: sum((c) => c.offlineSecondaries),
    globalN1Fail: checksCapacity ? sum((c) => c.globalN1Fail ?? 0) : undefined,
  };
}

/** Whether anything counted is wrong. */
export const needsRebalance = (cluster: HealthCounts): boolean =>
  countsOf(cluster).some(({ count }) => count > 0);

/** What an hcheck run found in one phase. */
export interface PhaseReport {
  readonly phase: Phase;
  readonly groups: readonly GroupCounts[];
  readonly cluster: HealthCounts;
  /** The same in both phases, as in stock: whether the cluster needed balancing at the start. */
  readonly needsRebalance: boolean;
}

/** Keys that name the groups. */
export const groupKeys = (groups: readonly Group[]): string =>
  groups.map((group) => keyValue(PREFIX, `GROUP_UUID_${group.index}`, group.uuid)).join('');

/** The `HCHECK_` keys of a phase. */
export function phaseKeys(report: PhaseReport, groups: readonly Group[]): string {
  const phase = report.phase === 'initial' ? 'INIT' : 'FINAL';
  const lines = report.groups.flatMap((counts) => {
    const level = `${phase}_GROUP_${groups[counts.group]!.index}`;
    return [
      ...countsOf(counts).map(({ key, count }) => keyValue(PREFIX, `${level}_${key}`, `${count}`)),
      keyValue(PREFIX, `${level}_SCORE`, printfFixed(counts.score, SCORE_DECIMALS)),
    ];
  });
  const level = `${phase}_CLUSTER`;
  return [
    ...lines,
    ...countsOf(report.cluster).map(({ key, count }) => keyValue(PREFIX, `${level}_${key}`, `${count}`)),
    keyValue(PREFIX, `${level}_NEED_REBALANCE`, report.needsRebalance ? '1' : '0'),
  ].join('');
}

/** Last line of the keys. */
export const finalKey = (): string => keyValue(PREFIX, 'OK', '1');

/** The blocks of a phase for people. */
export function phaseText(report: PhaseReport, groups: readonly Group[]): string {
  const when = report.phase === 'initial' ? 'initially' : 'after rebalancing';
  const line = (description: string, value: string): string => `    ${description}: ${value}\n`;
  const block = (title: string, counts: HealthCounts): string =>
    `\n${title} ${when}\n${countsOf(counts)
      .map(({ description, count }) => line(description, `${count}`))
      .join('')}`;
  const ofGroups = report.groups.map(
    (counts) =>
      block(`Statistics for group ${groups[counts.group]!.name}`, counts) +
      line('Group score', printfFixed(counts.score, SCORE_DECIMALS)),
  );
  const need = line('Cluster is not healthy', report.needsRebalance ? 'True' : 'False');
  return `${ofGroups.join('')}${block('Cluster statistics', report.cluster)}${need}`;
}

/** What is going to be done. */
export function modeText(isSimulating: boolean, isNeeded: boolean): string {
  if (!isSimulating) return 'Running in no-simulation mode.\n';
  return isNeeded
    ? toned('doubtful', 'Cluster needs rebalancing.\n')
    : toned('good', 'No need to rebalance cluster, no problems found.\n');
}

/** The JSON document of a run. */
export const hcheckJson = (
  groups: readonly Group[],
  phases: readonly PhaseReport[],
  isSimulated: boolean,
): DeepReadonly<HcheckDocument> => ({
  ...documentHead('hcheck'),
  isSimulated,
  phases: phases.map((report) => ({
    phase: report.phase,
    groups: report.groups.map(({ group, ...counts }) => ({
      name: groups[group]!.name,
      uuid: groups[group]!.uuid,
      ...counts,
    })),
    cluster: report.cluster,
    needsRebalance: report.needsRebalance,
  })),
});
