/**
 * Instance policies for generated groups: wide ones, several ranges, narrow ones that existing instances
 * violate, few templates.
 */
import type { InstancePolicy, InstanceSpec, SpecRange } from '../../src/htools/cluster/snapshot.ts';
import { DISK_TEMPLATES } from '../../src/htools/cluster/templates.ts';
import type { Random } from './random.ts';
import type { PolicyKind } from './shape.ts';

const spec = (
  memoryMib: number,
  cpuCount: number,
  diskMib: number,
  diskCount: number,
  nicCount: number,
  spindleUse: number,
): InstanceSpec => ({ memoryMib, cpuCount, diskMib, diskCount, nicCount, spindleUse });

const SMALLEST = spec(1, 1, 0, 0, 0, 0);
/**
 * Largest instance of a wide policy as a multiple of the mean one; tiered allocation shrinks from here in
 * small steps.
 */
const LARGEST_TIMES_MEAN = 10;

/** Means over a cluster's instances, which the bounds are chosen around. */
export interface MeanInstance {
  readonly memMib: number;
  readonly diskMib: number;
}

function rangesFor(kind: PolicyKind, mean: MeanInstance, random: Random): readonly SpecRange[] {
  const middle = Math.max(1, Math.round(mean.memMib * random.real(0.8, 1.5)));
  const largest = (value: number): number => Math.ceil((value + 1) * LARGEST_TIMES_MEAN);
  const top = spec(largest(mean.memMib), 64, largest(mean.diskMib), 16, 8, 12);
  switch (kind) {
    case 'ranges':
      return [
        { min: SMALLEST, max: { ...top, memoryMib: middle, cpuCount: 4 } },
        { min: { ...SMALLEST, memoryMib: middle, diskMib: 256 }, max: { ...top, nicCount: 4 } },
      ];
    case 'narrow':
      return [
        {
          min: { ...SMALLEST, memoryMib: Math.max(1, Math.floor(middle / 4)), diskCount: 1 },
          max: { ...top, memoryMib: middle * 3, cpuCount: 4, spindleUse: 2 },
        },
      ];
    default:
      return [{ min: SMALLEST, max: top }];
  }
}

/** One policy for a cluster whose instances are like `mean`. */
export function makePolicy(kind: PolicyKind, mean: MeanInstance, random: Random): InstancePolicy {
  const memoryMib = Math.max(1, Math.round(mean.memMib));
  return {
    ranges: rangesFor(kind, mean, random),
    standard: spec(memoryMib, 1, memoryMib * 4, 1, 1, 1),
    diskTemplates:
      kind === 'templates' ? random.sample(DISK_TEMPLATES, random.between(2, 5)) : DISK_TEMPLATES,
    vcpuRatio: kind === 'ratios' ? random.pick([1, 1.5, 2, 3.25]) : 4,
    spindleRatio: kind === 'ratios' ? random.pick([1, 2, 5.5]) : 32,
  };
}
