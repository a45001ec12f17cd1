/** What of a state must be as before once trials are taken back: figures, placements and who is where. */
import type { ClusterState } from '../../../../src/htools/model/state/state.ts';

export const stateImage = (state: ClusterState): object => ({
  fields: [...state.nodeFields],
  peers: [...state.peers].sort((a, b) => a.node - b.node || a.primary - b.primary),
  primary: [...state.primary],
  secondary: [...state.secondary],
  primaries: state.primaries.map((list) => [...list].sort()),
  secondaries: state.secondaries.map((list) => [...list].sort()),
});
