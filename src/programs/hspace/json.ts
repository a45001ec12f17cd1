/** hspace's `--json` document: everything that the text says, numbers unrounded. */

import type { Snapshot } from '../../cluster/snapshot.ts';
import { requiredNodes } from '../../cluster/templates.ts';
import type { PoolUse } from '../../model/state/pool-room.ts';
import { allocationDelta, type CapacityStats } from '../../planners/allocate/fill/fill-stats.ts';
import { SCHEMA_VERSION } from '../../report/json.ts';
import { type Explanation, explanationJson } from './explanation.ts';
import type { Phase } from './phase.ts';
import type { Rebalanced } from './rebalance.ts';
import { efficiencies } from './text.ts';

/** External pools, each once; no member where nothing is said about storage. null = not known. */
const poolsJson = (pools: readonly PoolUse[]): object =>
  pools.length === 0
    ? {}
    : {
        pools: pools.map((pool) => ({
          ...pool,
          sizeMib: pool.sizeMib ?? null,
          freeMib: pool.freeMib ?? null,
        })),
      };

const phaseJson = (phase: Phase, { nodes }: Snapshot): object => ({
  kind: phase.kind,
  size: phase.size,
  diskTemplate: phase.diskTemplate,
  requiredNodes: requiredNodes(phase.diskTemplate),
  instanceCount: phase.instances.length,
  sizes: phase.sizes.map(({ size, count }) => ({ ...size, count })),
  reasons: phase.reasons,
  resources: { ...phase.after, efficiency: efficiencies(phase.after) },
  delta: allocationDelta(phase.before, phase.after),
  ...poolsJson(phase.pools),
  instances: phase.instances.map((instance) => ({
    name: instance.name,
    primary: nodes[instance.primary]!.name,
    secondary: nodes[instance.secondary]?.name ?? null,
    memMib: instance.memMib,
    diskMib: instance.diskMib,
    vcpus: instance.vcpus,
    spindles: instance.disks[0]?.spindles ?? 0,
  })),
});

/** The whole document. */
export const hspaceJson = (
  snapshot: Snapshot,
  initial: CapacityStats,
  pools: readonly PoolUse[],
  phases: readonly Phase[],
  explanation: Explanation | undefined,
  balanced: Rebalanced | undefined,
): object => ({
  schemaVersion: SCHEMA_VERSION,
  program: 'hspace',
  ...(balanced && { afterBalancing: balanced.groups }),
  cluster: {
    nodes: snapshot.nodes.length,
    instances: snapshot.instances.length,
    resources: { ...initial, efficiency: efficiencies(initial) },
    ...poolsJson(pools),
  },
  allocations: phases.map((phase) => phaseJson(phase, snapshot)),
  ...(explanation ? { explanation: explanationJson(explanation, snapshot) } : {}),
});
