/** Smaller and smaller instances: each resource's steps, and how far. Source: stock shrinkByType. */
import { FAIL_CPU, FAIL_DISK, FAIL_MEM, FAIL_SPINDLES, type FailCode } from '../../../cluster/refusal.ts';
import type { Instance, InstancePolicy, InstanceSpec } from '../../../cluster/snapshot.ts';

/** By how much memory and disk shrink at a time, as in the stock programs. */
const MEM_STEP_MIB = 64;
const DISK_STEP_MIB = 256;

/** A resource that can shrink: amount, step, an instance with another, what a policy says. */
interface Resource {
  readonly step: number;
  readonly amountOf: (instance: Instance) => number;
  readonly withAmount: (instance: Instance, amount: number) => Instance;
  readonly boundOf: (spec: InstanceSpec) => number;
}

const RESOURCES: Readonly<Partial<Record<FailCode, Resource>>> = {
  [FAIL_MEM]: {
    step: MEM_STEP_MIB,
    amountOf: (i) => i.memMib,
    withAmount: (i, memMib) => ({ ...i, memMib }),
    boundOf: (spec) => spec.memoryMib,
  },
  [FAIL_DISK]: {
    step: DISK_STEP_MIB,
    amountOf: (i) => i.diskMib,
    withAmount: (i, diskMib) => ({ ...i, diskMib, disks: [{ ...i.disks[0]!, sizeMib: diskMib }] }),
    boundOf: (spec) => spec.diskMib,
  },
  [FAIL_CPU]: {
    step: 1,
    amountOf: (i) => i.vcpus,
    withAmount: (i, vcpus) => ({ ...i, vcpus }),
    boundOf: (spec) => spec.cpuCount,
  },
  [FAIL_SPINDLES]: {
    step: 1,
    amountOf: (i) => i.disks[0]!.spindles ?? 0,
    withAmount: (i, spindles) => ({ ...i, disks: [{ ...i.disks[0]!, spindles }] }),
    boundOf: (spec) => spec.spindleUse,
  },
};

/** How often it can shrink in what the refusal is about; 0 = not. At least one step is left. */
export function shrinkCount(instance: Instance, code: FailCode): number {
  const resource = RESOURCES[code];
  if (!resource) return 0;
  return Math.max(0, Math.floor(resource.amountOf(instance) / resource.step) - 1);
}

/** The instance after so many steps, at most `shrinkCount`. */
export function shrunk(instance: Instance, code: FailCode, steps: number): Instance {
  const resource = RESOURCES[code];
  if (!resource || steps === 0) return instance;
  return resource.withAmount(instance, resource.amountOf(instance) - steps * resource.step);
}

/** How many steps leave at least that much. */
export function stepsDownTo(instance: Instance, code: FailCode, amount: number): number {
  const resource = RESOURCES[code];
  return resource ? Math.floor((resource.amountOf(instance) - amount) / resource.step) : 0;
}

/**
 * How many steps the instance can shrink before a policy may say something else about the resource: the sizes
 * in between lie on the same side of all its bounds. At most `shrinkCount`.
 */
export function stepsWithinBounds(
  instance: Instance,
  code: FailCode,
  policies: readonly InstancePolicy[],
): number {
  const resource = RESOURCES[code];
  if (!resource) return 0;
  const amount = resource.amountOf(instance);
  let lowest = 0;
  for (const { ranges } of policies)
    for (const { min, max } of ranges)
      for (const bound of [resource.boundOf(min), resource.boundOf(max) + 1])
        if (bound <= amount) lowest = Math.max(lowest, bound);
  return Math.min(shrinkCount(instance, code), stepsDownTo(instance, code, lowest));
}

/** Whether an instance has no more of anything that shrinks than another. */
export const isNoLarger = (instance: Instance, other: Instance): boolean =>
  Object.values(RESOURCES).every((resource) => resource!.amountOf(instance) <= resource!.amountOf(other));
