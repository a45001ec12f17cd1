/** What hcheck says: blocks for people, and `HCHECK_` keys for scripts. */
import { finalKey, keyValues } from '../../../kit/report/key-value.ts';
import { toned } from '../../../kit/report/tone.ts';
import type { Group } from '../../cluster/snapshot.ts';
import type { HcheckDocument } from '../../results/hcheck.ts';
import { showScore } from '../shared/steps/said.ts';

export type Phase = HcheckDocument['phases'][number];
export type GroupCounts = Phase['groups'][number];
/** Counts of one group, or their sums over all. */
type Counts = Phase['cluster'];

const PREFIX = 'HCHECK';

interface Item {
  readonly of: keyof Counts;
  readonly key: string;
  readonly description: string;
}

const ITEMS: readonly Item[] = [
  { of: 'n1Fail', key: 'N1_FAIL', description: 'Nodes not N+1 happy' },
  { of: 'conflictTags', key: 'CONFLICT_TAGS', description: 'Nodes with conflicting instances' },
  { of: 'offlinePrimaries', key: 'OFFLINE_PRI', description: 'Instances having the primary node offline' },
  { of: 'offlineSecondaries', key: 'OFFLINE_SEC', description: 'Instances having a secondary node offline' },
  { of: 'globalN1Fail', key: 'GN1_FAIL', description: 'Nodes not directly evacuateable' },
];

const countsOf = (counts: Counts): (Item & { readonly count: number })[] =>
  ITEMS.flatMap((item) => {
    const count = counts[item.of];
    return count === undefined ? [] : [{ ...item, count }];
  });

export function sumCounts(groups: readonly GroupCounts[], checksCapacity: boolean): Counts {
  const sum = (of: keyof Counts): number => groups.reduce((total, counts) => total + (counts[of] ?? 0), 0);
  return {
    n1Fail: sum('n1Fail'),
    conflictTags: sum('conflictTags'),
    offlinePrimaries: sum('offlinePrimaries'),
    offlineSecondaries: sum('offlineSecondaries'),
    ...(checksCapacity && { globalN1Fail: sum('globalN1Fail') }),
  };
}

export const needsRebalance = (cluster: Counts): boolean => countsOf(cluster).some(({ count }) => count > 0);

export const groupKeys = (groups: readonly Group[]): string =>
  groups.map(({ index, uuid }) => keyValues(PREFIX, { [`GROUP_UUID_${index}`]: uuid })).join('');

/** The `HCHECK_` keys of a phase. @param groups those that it counts, in its order */
export function phaseKeys({ phase, ...counted }: Phase, groups: readonly Group[]): string {
  const prefix = `${PREFIX}_${phase === 'initial' ? 'INIT' : 'FINAL'}`;
  const values = (counts: Counts) =>
    Object.fromEntries(countsOf(counts).map(({ key, count }) => [key, count]));
  const ofGroups = counted.groups.map((counts, k) =>
    keyValues(`${prefix}_GROUP_${groups[k]!.index}`, { ...values(counts), SCORE: showScore(counts.score) }),
  );
  const ofCluster = { ...values(counted.cluster), NEED_REBALANCE: counted.needsRebalance };
  return ofGroups.join('') + keyValues(`${prefix}_CLUSTER`, ofCluster);
}

export const lastKey = (): string => finalKey(PREFIX);

export function phaseText({ phase, groups, cluster, needsRebalance: isNeeded }: Phase): string {
  const when = phase === 'initial' ? 'initially' : 'after rebalancing';
  const line = (description: string, value: string): string => `    ${description}: ${value}\n`;
  const block = (title: string, counts: Counts): string =>
    `\n${title} ${when}\n${countsOf(counts)
      .map(({ description, count }) => line(description, `${count}`))
      .join('')}`;
  const ofGroups = groups.map(
    (counts) =>
      block(`Statistics for group ${counts.name}`, counts) + line('Group score', showScore(counts.score)),
  );
  const need = line('Cluster is not healthy', isNeeded ? 'True' : 'False');
  return `${ofGroups.join('')}${block('Cluster statistics', cluster)}${need}`;
}

export function modeText(isSimulating: boolean, isNeeded: boolean): string {
  if (!isSimulating) return 'Running in no-simulation mode.\n';
  return isNeeded
    ? toned('doubtful', 'Cluster needs rebalancing.\n')
    : toned('good', 'No need to rebalance cluster, no problems found.\n');
}
