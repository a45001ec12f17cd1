/** The answer to an iallocator request before it is text. Source: iallocator protocol of ganeti(7). */

import type { Snapshot } from '../../cluster/snapshot.ts';
import type { GroupAllocationOptions } from '../../planners/allocate/by-group/group-allocation.ts';
import type { Placement } from '../../planners/allocate/solution.ts';
import type { EvacuationTrace } from '../../planners/evacuate/evacuation-trace.ts';
import type { Stranded } from '../../planners/groups/homes/leaving.ts';
import type { IallocatorRequest } from '../../sources/iallocator/iallocator.ts';
import type { AnswerValue } from '../../stock/json-value.ts';

/** Requests of one type. */
export type RequestOf<T extends IallocatorRequest['type']> = Extract<IallocatorRequest, { type: T }>;

/** The answer before it is text. A request that cannot be met is an answer, too. */
export interface Answer {
  readonly isSuccess: boolean;
  readonly info: string;
  readonly result: AnswerValue;
  /** Further members, which stock does not have. */
  readonly more?: Readonly<Record<string, AnswerValue>>;
  /** Evacuated instances that no other group takes either, for `--explain`. */
  readonly stranded?: readonly Stranded[];
}

/** What the command line says. */
export interface AnswerOptions extends GroupAllocationOptions {
  /** Evacuated instances may go to other groups. */
  readonly allowIntergroup?: boolean | undefined;
  /** Keeps the account of evacuations. */
  readonly evacuations?: EvacuationTrace | undefined;
}

/** What cannot be done, and why. */
export const refused = (info: string): Answer => ({
  isSuccess: false,
  info: `Request failed: ${info}`,
  result: [],
});
/** What is to be done. */
export const granted = (info: string, result: AnswerValue): Answer => ({
  isSuccess: true,
  info: `Request successful: ${info}`,
  result,
});

/** Names of the nodes of a placement, the primary's first. */
export const placementNames = (snapshot: Snapshot, { primary, secondary }: Placement): string[] =>
  [primary, secondary].filter((n) => n >= 0).map((n) => snapshot.nodes[n]!.name);
