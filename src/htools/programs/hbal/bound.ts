/** The lower bound of the score that `--bound` asks for, and what is said about it. */
import type { Snapshot } from '../../cluster/snapshot.ts';
import { ClusterState } from '../../model/state/state.ts';
import type { BalanceOptions } from '../../planners/balance/options.ts';
import { lowerBound } from '../../planners/search/bound/lower-bound.ts';
import { makeLayout } from '../../planners/search/kernel/layout.ts';

/** The bound; no score where there is none to prove. */
export interface Bound {
  readonly score: number | undefined;
}

/**
 * @param nodes positions of the nodes of the group
 * @param reached score at the plan's end
 */
export function boundOf(
  snapshot: Snapshot,
  nodes: readonly number[],
  options: BalanceOptions,
  reached: number,
): Bound {
  return { score: lowerBound(makeLayout(new ClusterState(snapshot), nodes, options), reached) };
}

/** One line. */
export function boundText({ score }: Bound, reached: number): string {
  if (score === undefined)
    return 'Lower bound: none (forthcoming instances, repeated tags or spindles of some nodes are not covered)\n';
  return `Lower bound: no placement has a score below ${score.toFixed(8)}; the plan ends ${(reached - score).toFixed(8)} above it\n`;
}
