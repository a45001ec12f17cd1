/**
 * What a node would contribute to the score once an instance has come to it. The state is left as it was.
 * Legality is not asked: see rules/admission.ts.
 */
import { contributionsOf } from '../score/metrics.ts';
import type { ClusterState } from '../state/state.ts';
import { addPrimary, addSecondary } from './transitions.ts';

/**
 * Writes the contributions of `node` with the instance as a primary to `rows` at `at`.
 * @param location common-failure tags that its two nodes will share
 */
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
