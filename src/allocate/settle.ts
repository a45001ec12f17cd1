/** Placing a new instance for good. */
import type { Instance } from '../cluster/snapshot.ts';
import type { ClusterState } from '../cluster/state.ts';
import { addPrimary, addSecondary } from '../moves/transitions.ts';
import type { Placement } from './solution.ts';

/** Adds an instance to the state and to its nodes, for good. Returns its position. No rule is asked. */
export function settle(state: ClusterState, instance: Instance, { primary, secondary }: Placement): number {
  const i = state.addInstance(instance);
  const location = state.commonLocations(primary, secondary);
  addPrimary(state, i, primary, location);
  if (secondary >= 0) addSecondary(state, i, secondary, primary);
  state.primary[i] = primary;
  state.secondary[i] = secondary;
  state.locationScore[i] = location;
  state.journal.commit();
  return i;
}
