/** The two allocations that hspace tries, as its document has them. */
import { ExecutionError } from '../../../kit/faults.ts';
import { FAIL_MODES } from '../../cluster/refusal.ts';
import type { InstancePolicy } from '../../cluster/snapshot.ts';
import { requiredNodes } from '../../cluster/templates.ts';
import { nodeRows } from '../../explain/state/state-facts.ts';
import { poolUses } from '../../model/state/pool-room.ts';
import type { ClusterState } from '../../model/state/state.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { refusalsInOrder } from '../../planners/allocate/choose/refusal-table.ts';
import { assertEnds, iterate } from '../../planners/allocate/fill/fill-standard.ts';
import { allocationDelta, capacityStats } from '../../planners/allocate/fill/fill-stats.ts';
import { fillTiered } from '../../planners/allocate/fill/fill-tiered.ts';
import type { Filler } from '../../planners/allocate/fill/filler.ts';
import { type Size, sizeCounts, sizeOf, sizeOfSpec } from '../../planners/allocate/sized-instance.ts';
import { type AllocNodes, pairsOf } from '../../planners/allocate/solution.ts';
import type { ProgramDocument } from '../../results/all.ts';
import { fillerOn, type Ground } from './ground.ts';

type Options = ProgramOptions<'hspace'>;

export type Allocation = ProgramDocument<'hspace'>['allocations'][number];
export type Resources = Allocation['resources'];
export type PoolUses = NonNullable<Allocation['pools']>;

export interface Allocated {
  readonly allocation: Allocation;
  readonly initialScore: number;
  readonly filler: Filler;
}

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

export const nodesOf = (state: ClusterState, { json, printNodes }: Options) =>
  json && printNodes !== undefined ? { nodes: nodeRows(state, [...state.snapshot.nodes.keys()]) } : {};

/** Sizes to begin with, one after the other; standard allocation has one. */
function sizesOf(options: Options, { ranges, standard }: InstancePolicy, kind: Allocation['kind']): Size[] {
  const asked = kind === 'tiered' ? options.tieredAlloc : options.standardAlloc;
  if (asked) {
    const { memMib, diskMib, vcpus, spindleUse } = asked;
    return [{ memMib, diskMib, vcpus, spindles: spindleUse }];
  }
  return kind === 'tiered' ? ranges.map(({ max }) => sizeOfSpec(max)) : [sizeOfSpec(standard)];
}

/** @throws ExecutionError when there are no sizes or nodes to allocate, or the instances use nothing up */
export function allocate(
  ground: Ground,
  options: Options,
  kind: Allocation['kind'],
  onPlaced: (count: number) => void,
): Allocated {
  const { snapshot, diskTemplate } = ground;
  const sizes = sizesOf(options, snapshot.policy, kind);
  const [size] = sizes;
  if (!size)
    throw new ExecutionError(
      'Empty list of specs received from the cluster',
      'name the size to start from with --tiered-alloc',
    );
  const filler = fillerOn(ground, snapshot, onPlaced, options.printNodes !== undefined);
  const { state } = filler;
  const before = capacityStats(state);
  const refusals = ground.isStopped ? undefined : fill(ground, filler, options, kind, sizes);
  const instances = [...state.added];
  const resources = resourcesOf(state);
  const allocation = {
    kind,
    size,
    diskTemplate,
    requiredNodes: requiredNodes(diskTemplate),
    instanceCount: instances.length,
    sizes: sizeCounts(instances),
    reasons: refusals ? byFrequency(refusals) : [{ mode: 'FailN1', count: 1 }],
    resources,
    delta: allocationDelta(before, resources),
    ...poolsOf(state),
    instances: instances.map((instance) => ({
      name: instance.name,
      primary: snapshot.nodes[instance.primary]!.name,
      secondary: snapshot.nodes[instance.secondary]?.name ?? null,
      ...sizeOf(instance),
    })),
    ...nodesOf(state, options),
  };
  return { allocation, initialScore: before.score, filler };
}

/** Runs the allocation. @returns refusals per FailCode of its last search; none without a search */
function fill(
  ground: Ground,
  filler: Filler,
  { maxLength, noCapacityChecks }: Options,
  kind: Allocation['kind'],
  sizes: readonly Size[],
): readonly number[] {
  const limit = maxLength === -1 ? undefined : maxLength;
  let refusals: readonly number[] = [];
  for (const size of sizes) {
    const instance = ground.instanceOf(size);
    if (kind === 'tiered' && limit !== undefined && limit <= filler.count) continue;
    assertTargets(filler.targets);
    assertEnds(filler, instance, limit, !noCapacityChecks, 'limit their number with --max-length');
    if (kind === 'tiered') {
      const left = limit === undefined ? undefined : limit - filler.count;
      refusals = fillTiered(filler, instance, left, !noCapacityChecks);
    } else {
      const didCheckCapacity = iterate(filler, instance, limit, !noCapacityChecks);
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
