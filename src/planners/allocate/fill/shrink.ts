/**
 * Smaller and smaller instances: by which steps each resource shrinks, and how far. Source: hspace(1); stock shrinkByType.
 */

import { FAIL_CPU, FAIL_DISK, FAIL_MEM, FAIL_SPINDLES, type FailCode } from '../../../cluster/refusal.ts';
import type { Instance } from '../../../cluster/snapshot.ts';

/** A resource that can shrink: its amount, the step, and the instance with another amount. */
/** By how much memory and disk shrink at a time, as in the stock programs. */
const MEM_STEP_MIB = 64;
const DISK_STEP_MIB = 256;

interface Resource {
  readonly step: number;
  readonly amountOf: (instance: Instance) => number;
  readonly withAmount: (instance: Instance, amount: number) => Instance;
}

const RESOURCES: ReadonlyMap<FailCode, Resource> = new Map([
  [
    FAIL_MEM,
    {
      step: MEM_STEP_MIB,
      amountOf: (i: Instance) => i.memMib,
      withAmount: (i, memMib) => ({ ...i, memMib }),
    },
  ],
  [
    FAIL_DISK,
    {
      step: DISK_STEP_MIB,
      amountOf: (i: Instance) => i.diskMib,
      withAmount: (i, diskMib) => ({ ...i, diskMib, disks: [{ ...i.disks[0]!, sizeMib: diskMib }] }),
    },
  ],
  [FAIL_CPU, { step: 1, amountOf: (i: Instance) => i.vcpus, withAmount: (i, vcpus) => ({ ...i, vcpus }) }],
  [
    FAIL_SPINDLES,
    {
      step: 1,
      amountOf: (i: Instance) => i.disks[0]!.spindles ?? 0,
      withAmount: (i, spindles) => ({ ...i, disks: [{ ...i.disks[0]!, spindles }] }),
    },
  ],
] satisfies [FailCode, Resource][]);

/** How often the instance can shrink in what that refusal is about; 0 where it cannot. What is left is at least one step. */
export function shrinkCount(instance: Instance, code: FailCode): number {
  const resource = RESOURCES.get(code);
  if (!resource) return 0;
  return Math.max(0, Math.floor(resource.amountOf(instance) / resource.step) - 1);
}

/** The instance after so many steps, at most `shrinkCount`. */
export function shrunk(instance: Instance, code: FailCode, steps: number): Instance {
  const resource = RESOURCES.get(code);
  if (!resource || steps === 0) return instance;
  return resource.withAmount(instance, resource.amountOf(instance) - steps * resource.step);
}
