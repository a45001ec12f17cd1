/** Where an instance is, or may go. */
import type { ClusterState } from '../../../model/state/state.ts';

/** Nodes of a group that take an instance; `secondary` is -1 where it needs none. */
export interface Home {
  readonly group: number;
  readonly primary: number;
  readonly secondary: number;
}

/** Where an instance is now. */
export const homeOf = (state: ClusterState, i: number): Home => ({
  group: state.groupOf[state.primary[i]!]!,
  primary: state.primary[i]!,
  secondary: state.secondary[i]!,
});
