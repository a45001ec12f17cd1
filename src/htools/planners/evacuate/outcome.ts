/** What became of each instance that was to be evacuated: the moves that do it, or why it stays. */
import type { FailCode } from '../../cluster/refusal.ts';
import type { DiskTemplate } from '../../cluster/templates.ts';
import type { Move } from '../../model/moves/kinds.ts';
import type { GroupSearch } from '../allocate/by-group/group-allocation.ts';

/** One step of a relocation of both nodes, in their order. */
export type PairStep =
  | 'leave-offline-primary'
  | 'reach-new-primary'
  | 'become-primary'
  | 'reach-new-secondary';

export interface RefusedStep {
  readonly step: PairStep;
  readonly code: FailCode;
}

export type EvacuationFailure =
  /** Its disks are on its node alone. */
  | { readonly kind: 'unmovable'; readonly template: DiskTemplate }
  | { readonly kind: 'no-secondary'; readonly template: DiskTemplate }
  /** Ganeti cannot ask the node that has to hand the disks on, or to take over. */
  | { readonly kind: 'unreachable'; readonly node: number }
  /** The checker refuses the moves that were found: a fault of ours, which keeps the instance where it is. */
  | { readonly kind: 'check-refused'; readonly reason: string }
  /** The secondary does not take it. */
  | { readonly kind: 'failover-refused'; readonly code: FailCode }
  /** Every node said no; empty when there was none to ask. */
  | {
      readonly kind: 'no-target';
      readonly refusals: readonly { readonly node: number; readonly code: FailCode }[];
    }
  /** No pair of nodes; `last` is what the last one failed at, undefined when there was none to ask. */
  | { readonly kind: 'no-pair'; readonly last?: RefusedStep | undefined }
  /** No group takes it. */
  | { readonly kind: 'no-group'; readonly search: GroupSearch; readonly allowed: readonly number[] };

export type EvacuationMove = Omit<Move, 'instance'>;

/** What is found for an instance: the moves, in order, or why there are none. */
export type Found = readonly EvacuationMove[] | EvacuationFailure;

export interface NodePair {
  readonly primary: number;
  readonly secondary: number;
}

export type Evacuation =
  | {
      readonly instance: number;
      readonly isMoved: true;
      readonly moves: readonly EvacuationMove[];
      /** Where it is now. */
      readonly group: number;
      readonly primary: number;
      readonly secondary: number;
    }
  | { readonly instance: number; readonly isMoved: false; readonly failure: EvacuationFailure };
