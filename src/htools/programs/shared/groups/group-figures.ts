/** Sizes and costs in words, for the programs that work across groups. */
import { duration, gib } from '../../../../kit/report/amounts.ts';
import { wrapped } from '../../../../kit/report/wrap.ts';
import { count } from '../../../../kit/text/words.ts';
import { GIB_PER_TIB, MIB_PER_GIB } from '../../../../kit/units.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import type { RelocationCost } from '../../../planners/groups/relocate/job-schedule.ts';

/** What there is, where the groups are counted with those that are left out. */
export const loadedText = ({ nodes, instances }: Snapshot, groups: number): string =>
  `Loaded ${count(nodes.length, 'node')}, ${count(instances.length, 'instance')}, ${count(groups, 'group')}\n`;

export const leftOutText = (groups: readonly string[]): string =>
  groups.length > 0 ? wrapped('', `Left out by option: ${groups.join(', ')}`) : '';

/** MiB, and what that is in a larger unit where it is much. */
export function mib(amount: number): string {
  if (amount < MIB_PER_GIB) return `${amount} MiB`;
  const tib = amount / MIB_PER_GIB / GIB_PER_TIB;
  const large = tib < 1 ? `${gib(amount)} GiB` : `${tib.toFixed(1)} TiB`;
  return `${amount} MiB (${large})`;
}

export function costText(cost: RelocationCost): string {
  const moves = [
    `${mib(cost.copiedMib)} of disk copied`,
    `${count(cost.migrations, 'live migration')}${cost.migratedMemMib > 0 ? ` with ${mib(cost.migratedMemMib)} of memory` : ''}`,
    ...(cost.failovers > 0 ? [count(cost.failovers, 'failover')] : []),
  ];
  return `${count(cost.instances, 'instance moves', 'instances move')}: ${moves.join(', ')}; about ${duration(
    cost.seconds,
  )} at ${cost.bandwidthMibPerSecond} MiB/s`;
}

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
