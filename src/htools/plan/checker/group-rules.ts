/** Rules for an instance that comes to another group: policies, networks, tags. Source: ganeti(7). */
import type { Group, Instance, InstanceSpec, Snapshot } from '../../cluster/snapshot.ts';
import { NO_INTER_GROUP_TAG } from '../../cluster/tags/tags.ts';
import { type BrokenRule, broken, brokenOf } from './node-rules.ts';
import { diskSpindles } from './replica.ts';

/**
 * Names of the properties by which an instance lies on the wrong side of a bound; `side` 1 = above it.
 * @param spindles those that count
 */
function propertiesBeyond(
  instance: Instance,
  bound: InstanceSpec,
  side: 1 | -1,
  spindles: number,
): readonly string[] {
  const isBeyond = (value: number, limit: number): boolean => Math.sign(value - limit) === side;
  const names: string[] = [];
  if (isBeyond(instance.memMib, bound.memoryMib)) names.push('memory');
  if (instance.disks.some((disk) => isBeyond(disk.sizeMib, bound.diskMib))) names.push('disk size');
  if (isBeyond(instance.vcpus, bound.cpuCount)) names.push('virtual cpus');
  if (isBeyond(spindles, bound.spindleUse)) names.push('spindles');
  if (instance.diskTemplate !== 'diskless' && isBeyond(instance.disks.length, bound.diskCount)) {
    names.push('number of disks');
  }
  return names;
}

/**
 * Which spindles count is a matter of exclusive storage: with Ganeti of the nodes that the instance leaves,
 * with stock's answers of any node of the group. So only what neither reading allows is refused.
 */
function specRules({ name, policy }: Group, instance: Instance): readonly BrokenRule[] {
  const readings = [instance.spindleUse, diskSpindles(instance) ?? instance.spindleUse];
  const misfits = policy.ranges.flatMap(({ min, max }) =>
    readings.map((spindles) => [
      ...propertiesBeyond(instance, min, -1, spindles),
      ...propertiesBeyond(instance, max, 1, spindles),
    ]),
  );
  const what = [...new Set(misfits.flat())].join(', ');
  const refuses = (it: string): BrokenRule =>
    broken('group-policy', `${instance.alias}: policy of group ${name} refuses ${it}`);
  return brokenOf(
    misfits.length > 0 && misfits.every((names) => names.length > 0) && refuses(`its ${what}`),
    !policy.diskTemplates.includes(instance.diskTemplate) && refuses(`template ${instance.diskTemplate}`),
  );
}

/** Rules that it breaks when a node of its comes to be in another group. */
export function arrivalRules(group: Group, instance: Instance): readonly BrokenRule[] {
  const { name, allocPolicy, networks } = group;
  const subject = `${instance.alias}: group ${name}`;
  return brokenOf(
    ...specRules(group, instance),
    allocPolicy === 'unallocable' && broken('group-allocation', `${subject} is unallocable`),
    ...instance.nics.map(
      ({ network }) =>
        network !== undefined &&
        !networks.includes(network) &&
        broken('group-network', `${subject} is not connected to network ${network}`),
    ),
  );
}

/** Rules that an instance breaks when it leaves its group at all, unless somebody asks for that. */
export const pinRules = (snapshot: Snapshot, instance: Instance): readonly BrokenRule[] =>
  snapshot.tags.includes(NO_INTER_GROUP_TAG) || instance.tags.includes(NO_INTER_GROUP_TAG)
    ? [broken('group-pinned', `${instance.alias}: tag ${NO_INTER_GROUP_TAG} keeps it`)]
    : [];
