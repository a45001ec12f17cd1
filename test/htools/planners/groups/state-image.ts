/** What of a state must be as before once trials are taken back: figures, placements and who is where. */
import type { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { peersOf } from '../../../builders/state-image.ts';

export const stateImage = (state: ClusterState): object => ({
  fields: [...state.nodeFields],
  peers: peersOf(state),
  primary: [...state.primary],
  secondary: [...state.secondary],
  primaries: state.primaries.map((list) => [...list].sort()),
  secondaries: state.secondaries.map((list) => [...list].sort()),
});
