/** What an allocation has to respect, and came to: candidates that rules refused, those left, the best. */
import { groupedBy } from '../../../kit/grouped.ts';
import { FAIL_MODES, type FailCode } from '../../cluster/refusal.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { CapacityCheck } from '../../model/redundancy/capacity-check.ts';
import type { Bookkeeping } from '../../model/redundancy/drbd/global-n-plus-one.ts';
import type { PoolRefusal } from '../../model/rules/pool-space.ts';

/** Places for one instance; `secondary` is -1 where it needs none. */
export interface Placement {
  readonly primary: number;
  readonly secondary: number;
}

/** Candidates refused for the same reason: all single ones, pairs by primary and reason. */
export interface Refused {
  readonly primary: number;
  readonly secondary: number;
  readonly code: FailCode;
  readonly count: number;
  /** For FailN1: a node that could no longer be evacuated. */
  readonly stuck?: number | undefined;
}

export interface AllocOptions {
  /** Leave out the soft rules on primaries (`--ignore-soft-errors`). */
  readonly ignoreSoftErrors: boolean;
  /** Only placements that keep the cluster globally redundant; undefined = `--no-capacity-checks`. */
  readonly globalCheck?: CapacityCheck | undefined;
  /** How stock files the instance in that check. */
  readonly books?: Bookkeeping | undefined;
  readonly trace?: CandidateTrace | undefined;
}

/** Keeps account of all candidates; nothing is left out or cut short for its sake. */
export interface CandidateTrace {
  /** Told of every refused candidate (pairs with one refused primary come together, `secondary` -1). */
  refused(refused: Refused): void;
  /** Told of every candidate that is fine, with its score. */
  scored(placement: Placement, score: number): void;
}

/** @typeParam Metric what is compared: the cluster score, or what a dedicated cluster loses */
export interface Choice<Metric = number> extends Placement {
  readonly metric: Metric;
}

export interface AllocSolution<Metric = number> {
  /** Refused candidates per FailCode. */
  readonly refusals: readonly number[];
  /** Candidates that are fine. */
  readonly successes: number;
  readonly best: Choice<Metric> | undefined;
  /** Only where the instance's storage pool has no room for it. */
  readonly pool?: PoolRefusal;
}

/** Why nothing could even be tried in a group. */
export type AllocRefusal =
  /** Nodes needed: neither one nor two. */
  | { readonly kind: 'unsupported-node-count' }
  /** No node to use for an instance on one node. */
  | { readonly kind: 'no-online-nodes' }
  /** No pair of nodes to use. */
  | { readonly kind: 'not-enough-online-nodes' }
  /** The group lacks a network that the instance needs. */
  | { readonly kind: 'unconnected' };

/** A primary with its possible secondaries; -1 is the only one where none is needed. */
export interface NodePairs {
  readonly primary: number;
  readonly secondaries: readonly number[];
}

/** Nodes to try: single ones, or primaries with their possible secondaries. Positions. */
export type AllocNodes =
  | { readonly kind: 'singles'; readonly nodes: readonly number[] }
  | { readonly kind: 'pairs'; readonly pairs: readonly NodePairs[] };

export const areNodes = (nodes: AllocNodes | AllocRefusal): nodes is AllocNodes =>
  nodes.kind === 'singles' || nodes.kind === 'pairs';

export const pairsOf = (nodes: AllocNodes): readonly NodePairs[] =>
  nodes.kind === 'pairs' ? nodes.pairs : nodes.nodes.map((primary) => ({ primary, secondaries: [-1] }));

export const isRefusal = (result: object): result is AllocRefusal => 'kind' in result;

/** Counts per FailCode, all zero. */
export const noRefusals = (): number[] => new Array<number>(FAIL_MODES.length).fill(0);

export const refusalCount = (solution: AllocSolution<unknown>): number =>
  solution.refusals.reduce((sum, count) => sum + count, 0);

/**
 * The online nodes, alone or as ordered pairs within a group.
 * @param nodeCount that it needs
 * @param nodes to choose from, ascending
 * @param restrictTo names of the only nodes to use; undefined = all
 */
export function allocNodes(
  snapshot: Snapshot,
  nodeCount: number,
  nodes: readonly number[],
  restrictTo?: readonly string[],
): AllocNodes | AllocRefusal {
  const names = restrictTo && new Set(restrictTo);
  const usable = nodes.filter((n) => {
    const { isOffline, name } = snapshot.nodes[n]!;
    return !isOffline && (!names || names.has(name));
  });
  if (nodeCount === 1) {
    return usable.length > 0 ? { kind: 'singles', nodes: usable } : { kind: 'no-online-nodes' };
  }
  if (nodeCount !== 2) return { kind: 'unsupported-node-count' };
  const byGroup = groupedBy(usable, (n) => snapshot.nodes[n]!.group);
  const pairs = usable
    .map((primary) => ({
      primary,
      secondaries: byGroup.get(snapshot.nodes[primary]!.group)!.filter((n) => n !== primary),
    }))
    .filter(({ secondaries }) => secondaries.length > 0);
  return pairs.length > 0 ? { kind: 'pairs', pairs } : { kind: 'not-enough-online-nodes' };
}
