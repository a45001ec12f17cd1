/**
 * Rules for an instance that comes to another group: allocation policy, instance policy, networks, tags.
 * Source: ganeti(7) instance policies; docs on moves between groups.
 */
import type { Instance, InstanceSpec, Snapshot } from '../../cluster/snapshot.ts';
import { NO_INTER_GROUP_TAG } from '../../cluster/tags/tags.ts';
import type { BrokenRule } from './node-rules.ts';
import { diskSpindles } from './replica.ts';

/** Names of the properties by which an instance lies on the wrong side of a bound; `side` 1 = above it. */
function propertiesBeyond(
  instance: Instance,
  bound: InstanceSpec,
  side: 1 | -1,
  isExclusive: boolean,
): readonly string[] {
  const isBeyond = (value: number, limit: number): boolean => Math.sign(value - limit) === side;
  const spindles = isExclusive ? diskSpindles(instance) : instance.spindleUse;
  const names: string[] = [];
  if (isBeyond(instance.memMib, bound.memoryMib)) names.push('memory');
  if (instance.disks.some((disk) => isBeyond(disk.sizeMib, bound.diskMib))) names.push('disk size');
  if (isBeyond(instance.vcpus, bound.cpuCount)) names.push('virtual cpus');
  if (spindles === undefined || isBeyond(spindles, bound.spindleUse)) names.push('spindles');
  if (instance.diskTemplate !== 'diskless' && isBeyond(instance.disks.length, bound.diskCount)) {
    names.push('number of disks');
  }
  return names;
}

function specRules(
  snapshot: Snapshot,
  instance: Instance,
  group: number,
  isExclusive: boolean,
): readonly BrokenRule[] {
  const { name, policy } = snapshot.groups[group]!;
  const misfits = policy.ranges.map((range) => [
    ...propertiesBeyond(instance, range.min, -1, isExclusive),
    ...propertiesBeyond(instance, range.max, 1, isExclusive),
  ]);
  const broken: BrokenRule[] = [];
  if (misfits.length > 0 && misfits.every((names) => names.length > 0)) {
    const what = [...new Set(misfits.flat())].join(', ');
    broken.push({
      rule: 'group-policy',
      message: `${instance.alias}: policy of group ${name} refuses its ${what}`,
    });
  }
  if (!policy.diskTemplates.includes(instance.diskTemplate)) {
    broken.push({
      rule: 'group-policy',
      message: `${instance.alias}: policy of group ${name} refuses template ${instance.diskTemplate}`,
    });
  }
  return broken;
}

/**
 * Rules that an instance breaks when one of its nodes comes to be in another group than its home.
 * @param group position of the group it comes to
 * @param isExclusive the node it comes to has exclusive storage
 */
export function arrivalRules(
  snapshot: Snapshot,
  instance: Instance,
  group: number,
  isExclusive: boolean,
): readonly BrokenRule[] {
  const target = snapshot.groups[group]!;
  const broken: BrokenRule[] = [...specRules(snapshot, instance, group, isExclusive)];
  if (target.allocPolicy === 'unallocable') {
    broken.push({
      rule: 'group-allocation',
      message: `${instance.alias}: group ${target.name} is unallocable`,
    });
  }
  for (const { network } of instance.nics) {
    if (network !== undefined && !target.networks.includes(network)) {
      broken.push({
        rule: 'group-network',
        message: `${instance.alias}: group ${target.name} is not connected to network ${network}`,
      });
    }
  }
  return broken;
}

/** Rules that an instance breaks when it leaves its group at all, unless somebody asks for that. */
export const pinRules = (snapshot: Snapshot, instance: Instance): readonly BrokenRule[] =>
  snapshot.tags.includes(NO_INTER_GROUP_TAG) || instance.tags.includes(NO_INTER_GROUP_TAG)
    ? [{ rule: 'group-pinned', message: `${instance.alias}: tag ${NO_INTER_GROUP_TAG} keeps it` }]
    : [];
