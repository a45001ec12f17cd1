/**
 * Rule "policy": an instance must lie within one of its group's size ranges and use an admitted disk
 * template. Source: ganeti(7), instance policies; stock instMatchesPolicy, whose order of tests decides the
 * refusal that is counted.
 */
import {
  ALLOWED,
  FAIL_CPU,
  FAIL_DISK,
  FAIL_DISK_COUNT,
  FAIL_MEM,
  FAIL_SPINDLES,
  type FailCode,
} from '../../cluster/refusal.ts';
import {
  type Instance,
  type InstancePolicy,
  type InstanceSpec,
  totalSpindles,
} from '../../cluster/snapshot.ts';
import type { ClusterState } from '../state/state.ts';

/** Whether a figure lies on the wrong side of a bound. */
type IsBeyond = (figure: number, bound: number) => boolean;

const isBelow: IsBeyond = (figure, bound) => figure < bound;
const isAbove: IsBeyond = (figure, bound) => figure > bound;

function boundRefusal(
  instance: Instance,
  bound: InstanceSpec,
  isBeyond: IsBeyond,
  isExclusive: boolean,
): FailCode {
  if (isBeyond(instance.memMib, bound.memoryMib)) return FAIL_MEM;
  if (instance.disks.some((disk) => isBeyond(disk.sizeMib, bound.diskMib))) return FAIL_DISK;
  if (isBeyond(instance.vcpus, bound.cpuCount)) return FAIL_CPU;
  // Where storage is exclusive, an instance that does not say how many spindles it needs fits nowhere.
  const spindles = isExclusive ? totalSpindles(instance) : instance.spindleUse;
  if (spindles === undefined || isBeyond(spindles, bound.spindleUse)) return FAIL_SPINDLES;
  const hasDisks = instance.diskTemplate !== 'diskless';
  return hasDisks && isBeyond(instance.disks.length, bound.diskCount) ? FAIL_DISK_COUNT : ALLOWED;
}

/**
 * Why the policy refuses the instance; of several ranges the first one's reason.
 * @param isExclusive whole spindles are handed out, so that the disks' count and not the use
 */
export function policyRefusal(instance: Instance, policy: InstancePolicy, isExclusive: boolean): FailCode {
  let reason: FailCode = ALLOWED;
  for (const { min, max } of policy.ranges) {
    const refusal =
      boundRefusal(instance, min, isBelow, isExclusive) || boundRefusal(instance, max, isAbove, isExclusive);
    if (refusal === ALLOWED) {
      reason = ALLOWED;
      break;
    }
    reason ||= refusal;
  }
  if (reason !== ALLOWED) return reason;
  return policy.diskTemplates.includes(instance.diskTemplate) ? ALLOWED : FAIL_DISK;
}

/** Why the policy of a node's group refuses the instance there. */
export function policyRefusalOn(state: ClusterState, i: number, node: number): FailCode {
  const { group, hasExclusiveStorage } = state.snapshot.nodes[node]!;
  return policyRefusal(state.instanceRecord(i), state.snapshot.groups[group]!.policy, hasExclusiveStorage);
}
