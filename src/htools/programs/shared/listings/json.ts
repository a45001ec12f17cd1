/** Tables, policies and amounts as members of JSON documents. */

import type { DocumentOf } from '../../../../kit/results/members.ts';
import type { InstancePolicy, InstanceSpec } from '../../../cluster/snapshot.ts';
import { instanceRows } from '../../../explain/state/instance-rows.ts';
import { nodeRows } from '../../../explain/state/node-rows.ts';
import type { Figures } from '../../../model/state/moved-snapshot.ts';
import type { Scope } from '../../../model/state/scope.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import type * as D from '../../../results/parts/tables.ts';

/** Nodes as `-p` shows them, all columns. */
export const nodesJson = (
  state: ClusterState,
  nodes: readonly number[],
  figures: Figures = 'true',
): DocumentOf<typeof D.nodeRow>[] =>
  nodeRows(state, nodes, figures).map((row) => ({
    ...row,
    primaryTags: Object.fromEntries(row.primaryTags),
    peers: row.peers.map(([node, mib]): [number, number] => [node, mib]),
  }));

/** Instances as `--print-instances` shows them. */
const instancesJson = (
  state: ClusterState,
  instances: readonly number[],
): DocumentOf<typeof D.instanceRow>[] =>
  instanceRows(state, instances).map(({ primaryName, secondaryName, utilisation, ...row }) => ({
    index: row.index,
    name: row.name,
    isRunning: row.isRunning,
    primary: primaryName || null,
    secondary: secondaryName || null,
    isAutoBalanced: row.isAutoBalanced,
    vcpus: row.vcpus,
    memMib: row.memMib,
    diskMib: row.diskMib,
    load: utilisation,
    ...(row.loadSources && { loadSources: row.loadSources }),
  }));

/** Both tables. */
export const tablesJson = (state: ClusterState, scope: Scope, figures: Figures = 'true') => ({
  nodes: nodesJson(state, scope.nodes, figures),
  instances: instancesJson(state, scope.instances),
});

const specJson = (spec: InstanceSpec) => ({
  memMib: spec.memoryMib,
  vcpus: spec.cpuCount,
  diskMib: spec.diskMib,
  disks: spec.diskCount,
  nics: spec.nicCount,
  spindleUse: spec.spindleUse,
});

/** What a policy admits. */
export const policyJson = ({ ranges, standard, ...rest }: InstancePolicy): DocumentOf<typeof D.policy> => ({
  ranges: ranges.map(({ min, max }) => ({ min: specJson(min), max: specJson(max) })),
  standard: specJson(standard),
  diskTemplates: rest.diskTemplates,
  vcpuRatio: rest.vcpuRatio,
  spindleRatio: rest.spindleRatio,
});
