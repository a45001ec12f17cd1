/** Tables, policies and amounts as members of JSON documents. */
import type { InstancePolicy, InstanceSpec } from '../../../cluster/snapshot.ts';
import { instanceRows, nodeRows } from '../../../explain/state/state-facts.ts';
import type { Figures } from '../../../model/state/moved-snapshot.ts';
import type { Scope } from '../../../model/state/scope.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import type { PolicyFacts } from '../../../results/parts/tables.ts';

export const tablesJson = (state: ClusterState, scope: Scope, figures: Figures = 'true') => ({
  nodes: nodeRows(state, scope.nodes, figures),
  instances: instanceRows(state, scope.instances),
});

const specJson = (spec: InstanceSpec) => ({
  memMib: spec.memoryMib,
  vcpus: spec.cpuCount,
  diskMib: spec.diskMib,
  disks: spec.diskCount,
  nics: spec.nicCount,
  spindleUse: spec.spindleUse,
});

export const policyJson = ({ ranges, standard, ...rest }: InstancePolicy): PolicyFacts => ({
  ranges: ranges.map(({ min, max }) => ({ min: specJson(min), max: specJson(max) })),
  standard: specJson(standard),
  diskTemplates: rest.diskTemplates,
  vcpuRatio: rest.vcpuRatio,
  spindleRatio: rest.spindleRatio,
});
