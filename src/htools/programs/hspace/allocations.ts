/** The two allocations that hspace tries, as its document has them. */
import { ExecutionError } from '../../../kit/faults.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import { FAIL_MODES } from '../../cluster/refusal.ts';
import { requiredNodes } from '../../cluster/templates.ts';
import { nodeRows } from '../../explain/state/node-rows.ts';
import { poolUses } from '../../model/state/pool-room.ts';
import type { ClusterState } from '../../model/state/state.ts';
import { refusalsInOrder } from '../../planners/allocate/choose/refusal-table.ts';
import { iterate } from '../../planners/allocate/fill/fill-standard.ts';
import { allocationDelta, capacityStats } from '../../planners/allocate/fill/fill-stats.ts';
import { fillTiered } from '../../planners/allocate/fill/fill-tiered.ts';
import type { Filler } from '../../planners/allocate/fill/filler.ts';
import { isWeightless, type Size, sizeCounts } from '../../planners/allocate/fill/sized-instance.ts';
import { type AllocNodes, pairsOf } from '../../planners/allocate/solution.ts';
import type { hspace } from '../../results/hspace.ts';
import { fillerOn, type Ground } from './ground.ts';

export type Allocation = DocumentOf<typeof hspace>['allocations'][number];
export type Resources = Allocation['resources'];
export type PoolUses = NonNullable<Allocation['pools']>;

/** An allocation with the score and the size that it began with, and the state that it led to. */
export interface Allocated {
  readonly allocation: Allocation;
  readonly initialScore: number;
  readonly size: Size;
  readonly filler: Filler;
}

interface AllocationOptions {
  readonly kind: Allocation['kind'];
  /** Sizes to begin with, one after the other; standard allocation has one. */
  readonly sizes: readonly Size[];
  /** At most so many instances; undefined = no limit. */
  readonly limit: number | undefined;
  readonly checksCapacity: boolean;
  readonly tracksPeers: boolean;
  /** Positions of the nodes that are shown as they are afterwards. */
  readonly shown: readonly number[] | undefined;
  readonly onPlaced: (count: number) => void;
}

export const sizeJson = ({ memMib, diskMib, vcpus, spindles }: Size) => ({
  memMib,
  diskMib,
  vcpus: vcpus,
  spindles,
});

/** What there is and what is in use; the efficiencies are shares, not a number where there is nothing. */
export function resourcesOf(state: ClusterState): Resources {
  const stats = capacityStats(state);
  const efficiency = {
    memory: stats.instanceMemMib / stats.totalMemMib,
    disk: stats.instanceDiskMib / stats.totalDiskMib,
    vcpu: stats.instanceVcpus / stats.totalVcpus,
    spindles: stats.instanceSpindles / stats.totalSpindles,
  };
  return { ...stats, efficiency };
}

/** The external pools, each once; no member where the snapshot says nothing about storage. */
export function poolsOf(state: ClusterState): { readonly pools?: PoolUses } {
  const pools = poolUses(state);
  return pools.length === 0 ? {} : { pools };
}

/** @throws ExecutionError when there are no nodes to allocate on, or the instances use nothing up */
export function allocate(ground: Ground, options: AllocationOptions): Allocated {
  const { kind, sizes, shown } = options;
  const { snapshot, diskTemplate } = ground;
  const [size] = sizes as [Size];
  const filler = fillerOn(ground, snapshot, options);
  const { state } = filler;
  const before = capacityStats(state);
  const refusals = ground.isStopped ? undefined : fill(ground, filler, options);
  const instances = [...state.added];
  const resources = resourcesOf(state);
  const allocation = {
    kind,
    size: sizeJson(size),
    diskTemplate,
    requiredNodes: requiredNodes(diskTemplate),
    instanceCount: instances.length,
    sizes: sizeCounts(instances).map((one) => ({ ...sizeJson(one.size), count: one.count })),
    reasons: refusals ? byFrequency(refusals) : [{ mode: 'FailN1', count: 1 }],
    resources,
    delta: allocationDelta(before, resources),
    ...poolsOf(state),
    instances: instances.map(({ name, primary, secondary, memMib, diskMib, vcpus, disks }) => ({
      name,
      primary: snapshot.nodes[primary]!.name,
      secondary: snapshot.nodes[secondary]?.name ?? null,
      memMib,
      diskMib,
      vcpus,
      spindles: disks[0]?.spindles ?? 0,
    })),
    ...(shown && { nodes: nodeRows(state, shown) }),
  };
  return { allocation, initialScore: before.score, size, filler };
}

/** Runs the allocation. @returns refusals per FailCode of its last search; none without a search */
function fill(ground: Ground, filler: Filler, options: AllocationOptions): readonly number[] {
  const { kind, sizes, limit, checksCapacity } = options;
  let refusals: readonly number[] = [];
  for (const size of sizes) {
    const instance = ground.instanceOf(size);
    if (kind === 'tiered' && limit !== undefined && limit <= filler.count) continue;
    assertTargets(filler.targets);
    if (isWeightless(instance) && (limit === undefined || limit < 0))
      throw new ExecutionError(
        'instances of this size use nothing up: any number of them fits',
        'give the instances some memory, or limit their number with --max-length',
      );
    if (kind === 'tiered') {
      const left = limit === undefined ? undefined : limit - filler.count;
      refusals = fillTiered(filler, instance, left, checksCapacity);
    } else {
      const { didCheckCapacity } = iterate(filler, instance, limit, checksCapacity);
      refusals = filler.refusals(instance, didCheckCapacity);
    }
  }
  return refusals;
}

function assertTargets(targets: AllocNodes): void {
  if (pairsOf(targets).length > 0) return;
  const what = targets.kind === 'singles' ? 'No online nodes' : 'Not enough online nodes';
  throw new ExecutionError(
    `failure during allocation: ${what}`,
    'new instances need online nodes (two for DRBD) in a group that takes new instances',
  );
}

/** The reasons, the most frequent first, equally frequent ones in stock's order. */
const byFrequency = (refusals: readonly number[]): Allocation['reasons'] =>
  refusals.length === 0
    ? []
    : refusalsInOrder(refusals)
        .map(({ code, count }) => ({ mode: FAIL_MODES[code]!, count }))
        .sort((a, b) => b.count - a.count);
