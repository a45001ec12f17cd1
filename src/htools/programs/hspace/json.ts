/** hspace's `--json` document: everything that the text says, numbers unrounded. */
import { documentHead } from '../../../kit/report/json.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { requiredNodes } from '../../cluster/templates.ts';
import type { PoolUse } from '../../model/state/pool-room.ts';
import { allocationDelta, type CapacityStats } from '../../planners/allocate/fill/fill-stats.ts';
import type { hspace } from '../../results/hspace.ts';
import type { nodeRow } from '../../results/parts/tables.ts';
import { type Explanation, explanationJson, sizeJson } from './explanation.ts';
import type { Phase } from './phase.ts';
import type { Rebalanced } from './rebalance.ts';
import { efficiencies } from './text.ts';

/** No member where nothing is said about storage. */
const poolsJson = (pools: readonly PoolUse[]) => (pools.length === 0 ? {} : { pools });

const phaseJson = (phase: Phase, { nodes }: Snapshot) => ({
  kind: phase.kind,
  size: sizeJson(phase.size),
  diskTemplate: phase.diskTemplate,
  requiredNodes: requiredNodes(phase.diskTemplate),
  instanceCount: phase.instances.length,
  sizes: phase.sizes.map(({ size, count }) => ({ ...sizeJson(size), count })),
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

/** What hspace found. */
interface HspaceFacts {
  readonly snapshot: Snapshot;
  readonly initial: CapacityStats;
  readonly pools: readonly PoolUse[];
  readonly phases: readonly Phase[];
  readonly explanation: Explanation | undefined;
  readonly balanced: Rebalanced | undefined;
}

/** The tables of `-p`: as the cluster is, and after each allocation. */
interface HspaceTables {
  readonly initial: DocumentOf<typeof nodeRow>[];
  readonly allocations: readonly DocumentOf<typeof nodeRow>[][];
}

/** The whole document. */
export const hspaceJson = (
  { snapshot, initial, pools, phases, explanation, balanced }: HspaceFacts,
  tables?: HspaceTables,
): DocumentOf<typeof hspace> => ({
  ...documentHead('hspace'),
  ...(balanced && { afterBalancing: balanced.groups }),
  cluster: {
    nodes: snapshot.nodes.length,
    instances: snapshot.instances.length,
    resources: { ...initial, efficiency: efficiencies(initial) },
    ...poolsJson(pools),
  },
  ...(tables ? { nodes: tables.initial } : {}),
  allocations: phases.map((phase, k) => ({
    ...phaseJson(phase, snapshot),
    ...(tables ? { nodes: tables.allocations[k]! } : {}),
  })),
  ...(explanation ? { explanation: explanationJson(explanation, snapshot) } : {}),
});
