/** The instance policy as hbal and hinfo print it with `-vv` (byte contract). */
import { showDouble, showInt, showList } from '../../../../kit/text/numbers.ts';
import type { InstancePolicy, InstanceSpec } from '../../../cluster/snapshot.ts';
import { showTemplate } from '../../../cluster/templates.ts';

export const showRecord = (name: string, fields: readonly (readonly [string, string])[]): string =>
  `${name} {${fields.map(([field, value]) => `${field} = ${value}`).join(', ')}}`;

const showSpec = (spec: InstanceSpec): string =>
  showRecord('ISpec', [
    ['iSpecMemorySize', showInt(spec.memoryMib)],
    ['iSpecCpuCount', showInt(spec.cpuCount)],
    ['iSpecDiskSize', showInt(spec.diskMib)],
    ['iSpecDiskCount', showInt(spec.diskCount)],
    ['iSpecNicCount', showInt(spec.nicCount)],
    ['iSpecSpindleUse', showInt(spec.spindleUse)],
  ]);

/** A policy in the notation of the stock programs, on one line and without a newline. */
export function showPolicy(policy: InstancePolicy): string {
  const ranges = policy.ranges.map(({ min, max }) =>
    showRecord('MinMaxISpecs', [
      ['minMaxISpecsMinSpec', showSpec(min)],
      ['minMaxISpecsMaxSpec', showSpec(max)],
    ]),
  );
  return showRecord('IPolicy', [
    ['iPolicyMinMaxISpecs', showList(ranges)],
    ['iPolicyStdSpec', showSpec(policy.standard)],
    ['iPolicyDiskTemplates', showList(policy.diskTemplates.map(showTemplate))],
    ['iPolicyVcpuRatio', showDouble(policy.vcpuRatio)],
    ['iPolicySpindleRatio', showDouble(policy.spindleRatio)],
  ]);
}

export const policyLine = (policy: InstancePolicy): string =>
  `Loaded cluster ipolicy: ${showPolicy(policy)}\n`;
