/** Sizes, durations and costs in words, for the programs that work across groups. */
import { gib } from '../../../../kit/report/gib.ts';
import { count } from '../../../../kit/text/words.ts';
import { MIB_PER_GIB } from '../../../../kit/units.ts';
import type { RelocationCost } from '../../../planners/groups/relocate/job-schedule.ts';

const GIB_PER_TIB = 1024;
const SECONDS_PER_MINUTE = 60;
const MINUTES_PER_HOUR = 60;
const HOURS_PER_DAY = 24;

/** MiB, and what that is in a larger unit where it is much. */
export function mib(amount: number): string {
  if (amount < MIB_PER_GIB) return `${amount} MiB`;
  const tib = amount / MIB_PER_GIB / GIB_PER_TIB;
  const large = tib < 1 ? `${gib(amount)} GiB` : `${tib.toFixed(1)} TiB`;
  return `${amount} MiB (${large})`;
}

/** A duration to two units, such as `2 h 40 min`. */
export function duration(seconds: number): string {
  if (seconds < SECONDS_PER_MINUTE) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / SECONDS_PER_MINUTE);
  if (minutes < MINUTES_PER_HOUR) return `${minutes} min`;
  const hours = Math.floor(minutes / MINUTES_PER_HOUR);
  if (hours < HOURS_PER_DAY) return `${hours} h ${minutes % MINUTES_PER_HOUR} min`;
  return `${Math.floor(hours / HOURS_PER_DAY)} d ${hours % HOURS_PER_DAY} h`;
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
