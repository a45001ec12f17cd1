/** Defaults of an instance policy where the source has none. Source: ganeti(7), ipolicy defaults of 3.1. */
import type { InstancePolicy, InstanceSpec } from './snapshot.ts';
import { DISK_TEMPLATES } from './templates.ts';

const SMALLEST: InstanceSpec = {
  memoryMib: 128,
  cpuCount: 1,
  diskMib: 1024,
  diskCount: 1,
  nicCount: 1,
  spindleUse: 1,
};

const LARGEST: InstanceSpec = {
  memoryMib: 32768,
  cpuCount: 8,
  diskMib: 1024 * 1024,
  diskCount: 16,
  nicCount: 8,
  spindleUse: 12,
};

/** Of a group or cluster that states none: all templates, 4 vcpus a cpu, 32 instance spindles a spindle. */
export const DEFAULT_POLICY: InstancePolicy = {
  ranges: [{ min: SMALLEST, max: LARGEST }],
  standard: SMALLEST,
  diskTemplates: DISK_TEMPLATES,
  vcpuRatio: 4,
  spindleRatio: 32,
};
