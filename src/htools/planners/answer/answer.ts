/** Answers to iallocator requests as plain data. A request that cannot be met has an answer, too. */
import type { Instance } from '../../cluster/snapshot.ts';
import type {
  GroupAllocationOptions,
  GroupAnswer,
  GroupSearch,
} from '../allocate/by-group/group-allocation.ts';
import type { LostAllocations } from '../allocate/choose/dedicated.ts';
import type { AllocSolution, Choice, Placement } from '../allocate/solution.ts';
import type { EvacuationTrace } from '../evacuate/evacuation-trace.ts';
import type { EvacuationWay } from '../evacuate/evacuator.ts';
import type { Evacuation, EvacuationFailure } from '../evacuate/outcome.ts';
import type { Stranded } from '../groups/refusals/refusals.ts';

export interface AnswerOptions extends GroupAllocationOptions {
  /** Evacuated instances may go to other groups. */
  readonly allowIntergroup?: boolean | undefined;
  /** How nodes are evacuated; one instance after the other without it, as the stock program does it. */
  readonly evacuate?: EvacuationWay | undefined;
  /** Keeps the account of evacuations. */
  readonly evacuations?: EvacuationTrace | undefined;
}

/** Where a place was looked for, and what was found. @typeParam Metric the score, or what placements cost */
export type AllocationAttempt<Metric = number> =
  /** None, or more than one, of the groups bears the name that was asked for. */
  | { readonly kind: 'no-such-group'; readonly name: string }
  | { readonly kind: 'in-group'; readonly group: number; readonly answer: GroupAnswer<Metric> }
  | { readonly kind: 'over-groups'; readonly search: GroupSearch<Metric> };

/** A place that is taken. `group` is a position. */
export type PlacedIn = Placement & { readonly group: number };

export interface AllocationOutcome<Metric = number> {
  readonly instance: Instance;
  readonly attempt: AllocationAttempt<Metric>;
  /** Undefined where there is no place. */
  readonly placement: PlacedIn | undefined;
}

export interface GroupChoice<Metric> extends Choice<Metric> {
  readonly group: number;
}

export interface LeftOutGroup {
  readonly group: number;
  /**
   * storage: no usable node reaches the instance's pool, or the pool is full; network: the group lacks one;
   * policy: it takes no new instances, or none of this kind; nodes: it has too few to try; allocation: its
   * nodes refuse; not-asked: another group was asked for.
   */
  readonly reason: 'storage' | 'network' | 'policy' | 'nodes' | 'allocation' | 'not-asked';
  /** The pool, the network, the allocation policy, or the part of the instance policy. */
  readonly detail?: string | undefined;
  /** Refused candidates per FailCode, where nodes were asked. */
  readonly refusals?: readonly number[] | undefined;
}

export interface GroupAccount<Metric> {
  readonly instance: Instance;
  /** By allocation policy, then by the metric, the best first. */
  readonly choices: readonly GroupChoice<Metric>[];
  readonly leftOut: readonly LeftOutGroup[];
}

export interface AllocationAnswer<Metric = number> {
  readonly kind: 'allocation';
  /** One instance: whether it has a place. Many: whether all were looked for; some may have no place. */
  readonly isGranted: boolean;
  readonly isMany: boolean;
  /** In the order of the request, up to the first that no group could even be asked for. */
  readonly outcomes: readonly AllocationOutcome<Metric>[];
  /** What each group of a super cluster had to say, instance by instance; empty where there is one group. */
  readonly accounts: readonly GroupAccount<Metric>[];
}

type MeasuredAllocation =
  | ({ readonly measure: 'score' } & AllocationAnswer<number>)
  | ({ readonly measure: 'lost-allocations' } & AllocationAnswer<LostAllocations>);

/** A secondary for an instance that had none. */
export type SecondaryAnswer = { readonly kind: 'secondary' } & (
  | { readonly isGranted: false; readonly refusal: 'has-secondary' }
  | { readonly isGranted: boolean; readonly refusal?: undefined; readonly solution: AllocSolution }
);

/** Why an instance is not relocated. */
export type RelocationRefusal =
  /** Only one node can be exchanged at a time. */
  | { readonly kind: 'node-count'; readonly count: number }
  | { readonly kind: 'not-mirrored' }
  /** The request names other nodes than the one that such an instance leaves. */
  | {
      readonly kind: 'other-nodes';
      readonly role: 'primary' | 'secondary';
      readonly leaving: number;
      readonly asked: readonly number[];
    }
  | { readonly kind: 'no-node'; readonly failure: EvacuationFailure };

export type RelocationAnswer = { readonly kind: 'relocation'; readonly instance: number } & (
  | { readonly isGranted: true; readonly outcome: MovedInstance; readonly target: number }
  | { readonly isGranted: false; readonly refusal: RelocationRefusal }
);

export type MovedInstance = Extract<Evacuation, { isMoved: true }>;

/** Instances that their own group of a super cluster cannot keep. */
export interface Elsewhere {
  /** Whether they go there, or are only told where they could go. */
  readonly isCarriedOut: boolean;
  /** Those that another group takes, in order. */
  readonly moved: readonly MovedInstance[];
  readonly stranded: readonly Stranded[];
}

/** Instances off their nodes, or to other groups. Some may stay; the answer is granted all the same. */
export interface EvacuationAnswer {
  readonly kind: 'evacuation';
  readonly isGranted: true;
  readonly outcomes: readonly Evacuation[];
  readonly elsewhere?: Elsewhere | undefined;
}

export type Answer = MeasuredAllocation | SecondaryAnswer | RelocationAnswer | EvacuationAnswer;
