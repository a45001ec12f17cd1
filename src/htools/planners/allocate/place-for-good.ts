/** Placing a new instance for good. */
import type { Instance } from '../../cluster/snapshot.ts';
import { putInstance } from '../../model/moves/apply.ts';
import type { ClusterState } from '../../model/state/state.ts';
import type { Placement } from './solution.ts';

/** Adds an instance to the state and to its nodes, for good. No rule is asked. */
export function placeForGood(
  state: ClusterState,
  instance: Instance,
  { primary, secondary }: Placement,
): void {
  putInstance(state, state.addInstance(instance), primary, secondary);
  state.journal.commit();
}
