/** The two allocations that hspace tries, and which nodes they may use. */
import { allocNodes } from '../allocate/alloc-nodes.ts';
import { capacityStats } from '../allocate/capacity-stats.ts';
import { Filler } from '../allocate/filler.ts';
import { iterate } from '../allocate/iterate.ts';
import { refusalsInOrder } from '../allocate/refusal-table.ts';
import { isWeightless, type Size, sizeCounts, sizedInstance } from '../allocate/sized-instance.ts';
import type { AllocNodes } from '../allocate/solution.ts';
import { fillTiered } from '../allocate/tiered.ts';
import type { CommandOptions } from '../cli/command-options.ts';
import { ExecutionError } from '../cluster/faults.ts';
import { FAIL_MODES, type FailModeName } from '../cluster/refusal.ts';
import { badNodes, groupScope } from '../cluster/scope.ts';
import type { InstanceSpec, Snapshot } from '../cluster/snapshot.ts';
import { ClusterState } from '../cluster/state.ts';
import { type DiskTemplate, requiredNodes } from '../cluster/templates.ts';
import { GlobalCheck, type GlobalCheckOptions } from '../redundancy/global-n-plus-one.ts';
import type { Phase, ReasonCount } from '../report/hspace-phase.ts';

/** What may be allocated where, found out before the first allocation. */
export interface Ground {
  readonly snapshot: Snapshot;
  readonly diskTemplate: DiskTemplate;
  readonly spindleUse: number;
  /** Online nodes that fail N+1 by their own reservations. */
  readonly badNodes: readonly number[];
  /** Positions of the groups that are not globally redundant. Found when asked for: it takes a while. */
  readonly badGroups: () => readonly number[];
  /** Nodes that may be tried, in this cluster or in one with the same groups. */
  readonly targets: (snapshot: Snapshot) => AllocNodes;
  readonly check: () => GlobalCheckOptions;
  /** The cluster is not N+1 happy and nobody said to put up with that: nothing is tried. */
  readonly isStopped: boolean;
}

/** @throws ExecutionError when the cluster's policy names no disk template */
export function groundOf(state: ClusterState, options: CommandOptions): Ground {
  const { snapshot } = state;
  const { independentGroups, acceptExistingErrors } = options;
  const [clusterTemplate] = snapshot.policy.diskTemplates;
  if (clusterTemplate === undefined)
    throw new ExecutionError(
      'null list of disk templates received from cluster',
      "the cluster's policy should allow at least one disk template",
    );
  const nodes = [...snapshot.nodes.keys()];
  const diskTemplate = options.diskTemplate ?? clusterTemplate;
  const bad = badNodes(state, nodes);
  const badGroups = once(() => findBadGroups(state, acceptExistingErrors));
  const closed = once(
    () =>
      new Set([
        ...(acceptExistingErrors ? [] : bad.map((n) => state.groupOf[n]!)),
        ...(independentGroups ? badGroups() : []),
      ]),
  );
  const isOpen = (group: number): boolean =>
    snapshot.groups[group]!.allocPolicy !== 'unallocable' && !closed().has(group);
  const isAnyOpen = (): boolean => [...snapshot.groups.keys()].some(isOpen);
  return {
    snapshot,
    diskTemplate,
    spindleUse: options.spindleUse ?? snapshot.policy.standard.spindleUse,
    badNodes: bad,
    badGroups,
    targets: (variant) => {
      const count = requiredNodes(diskTemplate);
      const open = [...variant.nodes.keys()].filter((n) => isOpen(variant.nodes[n]!.group));
      const targets = allocNodes(variant, count, { nodes: open });
      if (targets.kind === 'singles' || targets.kind === 'pairs') return targets;
      return count === 1 ? { kind: 'singles', nodes: [] } : { kind: 'pairs', pairs: [] };
    },
    check: () => ({
      ignoredGroups: new Set(independentGroups ? badGroups() : []),
      onlineOnly: acceptExistingErrors,
    }),
    isStopped: !acceptExistingErrors && bad.length > 0 && !(independentGroups && isAnyOpen()),
  };
}

function once<T>(find: () => T): () => T {
  let found: { readonly value: T } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

function findBadGroups(state: ClusterState, onlineOnly: boolean): number[] {
  return [...state.snapshot.groups.keys()].filter((group) => {
    const { nodes } = groupScope(state.snapshot, group);
    return !new GlobalCheck(state, nodes, { onlineOnly }).isRedundant();
  });
}

export const sizeOfSpec = (spec: InstanceSpec): Size => ({
  memMib: spec.memoryMib,
  diskMib: spec.diskMib,
  cpuCount: spec.cpuCount,
  spindles: spec.spindleUse,
});

/** An allocation with the state that it led to. */
export interface AllocatedPhase {
  readonly phase: Phase;
  readonly filler: Filler;
}

interface PhaseOptions {
  readonly kind: Phase['kind'];
  /** Sizes to begin with, one after the other; standard allocation has one. */
  readonly sizes: readonly Size[];
  /** At most so many instances; undefined = no limit. */
  readonly limit: number | undefined;
  readonly checksCapacity: boolean;
  readonly tracksPeers: boolean;
  readonly onPlaced: (count: number) => void;
}

/** A filler on a fresh copy of the cluster, or of one with the same groups. */
export function fillerOn(
  ground: Ground,
  snapshot: Snapshot,
  { tracksPeers, onPlaced }: Partial<Pick<PhaseOptions, 'tracksPeers' | 'onPlaced'>> = {},
): Filler {
  const state = new ClusterState(snapshot, { trackPeerOrder: tracksPeers ?? false });
  return new Filler(state, ground.targets(snapshot), ground.check(), onPlaced);
}

/** @throws ExecutionError when there are no nodes to allocate on, or the instances use nothing up */
export function allocate(ground: Ground, options: PhaseOptions): AllocatedPhase {
  const { kind, sizes } = options;
  const filler = fillerOn(ground, ground.snapshot, options);
  const { state } = filler;
  const before = capacityStats(state);
  const refusals = ground.isStopped ? undefined : fill(ground, filler, options);
  const instances = state.added.map((instance, k) => {
    const i = state.snapshot.instances.length + k;
    return { ...instance, primary: state.primary[i]!, secondary: state.secondary[i]! };
  });
  return {
    filler,
    phase: {
      kind,
      size: sizes[0]!,
      diskTemplate: ground.diskTemplate,
      hasExclusiveStorage: ground.snapshot.nodes.some((node) => node.hasExclusiveStorage),
      instances,
      sizes: sizeCounts(instances),
      reasons: refusals ? byFrequency(refusals) : [{ mode: 'FailN1', count: 1 }],
      before,
      after: capacityStats(state),
    },
  };
}

/** Runs the allocation. Returns the refusals per FailCode of its last search; none when there was no search. */
function fill(ground: Ground, filler: Filler, options: PhaseOptions): readonly number[] {
  const { kind, sizes, limit, checksCapacity } = options;
  let refusals: readonly number[] = [];
  for (const size of sizes) {
    const instance = sizedInstance(size, ground.diskTemplate, ground.spindleUse);
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
  const count = targets.kind === 'singles' ? targets.nodes.length : targets.pairs.length;
  if (count > 0) return;
  const what = targets.kind === 'singles' ? 'No online nodes' : 'Not enough online nodes';
  throw new ExecutionError(
    `failure during allocation: ${what}`,
    'new instances need online nodes (two for DRBD) in a group that takes new instances',
  );
}

/** The reasons, the most frequent first, equally frequent ones in stock's order. */
const byFrequency = (refusals: readonly number[]): ReasonCount[] =>
  refusals.length === 0
    ? []
    : refusalsInOrder(refusals)
        .map(({ code, count }): ReasonCount => ({ mode: FAIL_MODES[code] as FailModeName, count }))
        .sort((a, b) => b.count - a.count);
