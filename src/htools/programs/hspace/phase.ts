/** What hspace found, as plain data: the cluster, the tiered and the standard allocation. */
import type { FailModeName } from '../../cluster/refusal.ts';
import type { Instance } from '../../cluster/snapshot.ts';
import type { DiskTemplate } from '../../cluster/templates.ts';
import type { PoolUse } from '../../model/state/pool-room.ts';
import type { CapacityStats } from '../../planners/allocate/fill/fill-stats.ts';
import type { Size, SizeCount } from '../../planners/allocate/fill/sized-instance.ts';

/** A reason and how many candidates were refused for it. */
export interface ReasonCount {
  readonly mode: FailModeName;
  readonly count: number;
}

/** One of the two allocations. */
export interface Phase {
  readonly kind: 'tiered' | 'standard';
  /** Size asked for; tiered allocation starts from it. */
  readonly size: Size;
  readonly diskTemplate: DiskTemplate;
  /** Whether spindles are handed out whole somewhere, so that their numbers are shown. */
  readonly hasExclusiveStorage: boolean;
  /** New instances in the order in which they came. */
  readonly instances: readonly Instance[];
  readonly sizes: readonly SizeCount[];
  /** Why it stopped, the most frequent reason first; empty when nothing was tried. */
  readonly reasons: readonly ReasonCount[];
  readonly before: CapacityStats;
  readonly after: CapacityStats;
  /** The external pools afterwards, each once; none where the snapshot says nothing about storage. */
  readonly pools: readonly PoolUse[];
}
