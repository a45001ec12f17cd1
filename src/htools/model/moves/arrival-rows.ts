/** What a node would contribute to the score with an instance more, allowed or not; the state stays. */
import { contributionsOf } from '../score/metrics.ts';
import type { Scorer } from '../score/scorer.ts';
import type { ClusterState } from '../state/state.ts';
import { addPrimary, addSecondary } from './transitions.ts';

/** Writes `node`'s contributions with it as primary. @param location common-failure tags of its nodes */
export function rowWithPrimary(
  state: ClusterState,
  i: number,
  node: number,
  location: number,
  rows: Float64Array,
  at: number,
): void {
  const mark = state.journal.mark();
  addPrimary(state, i, node, location);
  contributionsOf(state, node, rows, at);
  state.journal.rollback(mark);
}

/** The same for a secondary; `primary` is the node for which memory is reserved. */
export function rowWithSecondary(
  state: ClusterState,
  i: number,
  node: number,
  primary: number,
  rows: Float64Array,
  at: number,
): void {
  const mark = state.journal.mark();
  addSecondary(state, i, node, primary);
  contributionsOf(state, node, rows, at);
  state.journal.rollback(mark);
}

/** By its node: what instances with the same exclusion tag in a location score, with it as primary there. */
export function crowdingWith(scorer: Scorer, i: number): (node: number) => number {
  const { state } = scorer;
  const { hasLocations, exclusionsOf } = state.tags;
  if (!hasLocations || exclusionsOf[i]!.length === 0) {
    const crowding = scorer.crowding();
    return () => crowding;
  }
  return (node) => {
    const mark = state.journal.mark();
    addPrimary(state, i, node, 0);
    const crowding = scorer.crowding();
    state.journal.rollback(mark);
    return crowding;
  };
}
