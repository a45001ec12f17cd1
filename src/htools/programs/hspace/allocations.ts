/** The two allocations that hspace tries. */
import { ExecutionError } from '../../../kit/faults.ts';
import { FAIL_MODES, type FailModeName } from '../../cluster/refusal.ts';
import { poolUses } from '../../model/state/pool-room.ts';
import { refusalsInOrder } from '../../planners/allocate/choose/refusal-table.ts';
import { iterate } from '../../planners/allocate/fill/fill-standard.ts';
import { capacityStats } from '../../planners/allocate/fill/fill-stats.ts';
import { fillTiered } from '../../planners/allocate/fill/fill-tiered.ts';
import type { Filler } from '../../planners/allocate/fill/filler.ts';
import { isWeightless, type Size, sizeCounts } from '../../planners/allocate/fill/sized-instance.ts';
import type { AllocNodes } from '../../planners/allocate/solution.ts';
import { fillerOn, type Ground } from './ground.ts';
import type { Phase, ReasonCount } from './phase.ts';

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

/** @throws ExecutionError when there are no nodes to allocate on, or the instances use nothing up */
export function allocate(ground: Ground, options: PhaseOptions): AllocatedPhase {
  const { kind, sizes } = options;
  const filler = fillerOn(ground, ground.snapshot, options);
  const { state } = filler;
  const before = capacityStats(state);
  const refusals = ground.isStopped ? undefined : fill(ground, filler, options);
  const instances = [...state.added];
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
      pools: poolUses(state),
    },
  };
}

/** Runs the allocation. @returns refusals per FailCode of its last search; none without a search */
function fill(ground: Ground, filler: Filler, options: PhaseOptions): readonly number[] {
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
