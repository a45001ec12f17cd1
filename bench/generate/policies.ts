/** Instance policies for generated groups: wide ones, several ranges, narrow ones that existing instances violate, few templates. */
import type { InstancePolicy, InstanceSpec, SpecRange } from '../../src/cluster/snapshot.ts';
import { DISK_TEMPLATES } from '../../src/cluster/templates.ts';
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
const LARGEST = spec(1 << 20, 64, 1 << 24, 16, 8, 12);

function rangesFor(kind: PolicyKind, meanMemMib: number, random: Random): readonly SpecRange[] {
  const middle = Math.max(1, Math.round(meanMemMib * random.real(0.8, 1.5)));
  switch (kind) {
    case 'ranges':
      return [
        { min: SMALLEST, max: { ...LARGEST, memoryMib: middle, cpuCount: 4 } },
        { min: { ...SMALLEST, memoryMib: middle, diskMib: 256 }, max: { ...LARGEST, nicCount: 4 } },
      ];
    case 'narrow':
      return [
        {
          min: { ...SMALLEST, memoryMib: Math.max(1, Math.floor(middle / 4)), diskCount: 1 },
          max: { ...LARGEST, memoryMib: middle * 3, cpuCount: 4, spindleUse: 2 },
        },
      ];
    default:
      return [{ min: SMALLEST, max: LARGEST }];
  }
}

/** One policy. @param meanMemMib mean memory of the cluster's instances, which bounds are chosen around. */
export function makePolicy(kind: PolicyKind, meanMemMib: number, random: Random): InstancePolicy {
  const memoryMib = Math.max(1, Math.round(meanMemMib));
  return {
    ranges: rangesFor(kind, meanMemMib, random),
    standard: spec(memoryMib, 1, memoryMib * 4, 1, 1, 1),
    diskTemplates:
      kind === 'templates' ? random.sample(DISK_TEMPLATES, random.between(2, 5)) : DISK_TEMPLATES,
    vcpuRatio: kind === 'ratios' ? random.pick([1, 1.5, 2, 3.25]) : 4,
    spindleRatio: kind === 'ratios' ? random.pick([1, 2, 5.5]) : 32,
  };
}
