/** Which nodes may be switched off or on at all. Source: hsqueeze(1). */
import { isStandby } from '../../../cluster/tags/tags.ts';
import type { DiskTemplate } from '../../../cluster/templates.ts';
import type { ClusterState } from '../../../model/state/state.ts';

/** Templates whose data is on the node itself, as the stock program counts them. */
const LOCAL_TEMPLATES: readonly DiskTemplate[] = ['drbd', 'plain'];

/** Whether the instance's data is on its node. */
export const isLocal = (state: ClusterState, i: number): boolean =>
  LOCAL_TEMPLATES.includes(state.snapshot.instances[i]!.diskTemplate);

/** Why a node cannot be switched off whatever room there is elsewhere. */
export type Obstacle = 'offline' | 'master' | 'secondaries' | 'local-storage';

/** What keeps a node on; undefined when it is a candidate. */
export function obstacleOf(state: ClusterState, n: number): Obstacle | undefined {
  if (state.isOffline[n]) return 'offline';
  if (state.snapshot.nodes[n]!.isMaster) return 'master';
  if (state.secondaries[n]!.length > 0) return 'secondaries';
  return state.primaries[n]!.some((i) => isLocal(state, i)) ? 'local-storage' : undefined;
}

/** Candidates for switching off: those with most instances first. */
export const offlineCandidates = (state: ClusterState): number[] =>
  [...state.snapshot.nodes.keys()]
    .filter((n) => obstacleOf(state, n) === undefined)
    .sort((a, b) => state.primaries[b]!.length - state.primaries[a]!.length || a - b);

/** Nodes that were switched off to save power and may come back. */
export const onlineCandidates = (state: ClusterState): number[] =>
  [...state.snapshot.nodes.keys()].filter(
    (n) => state.isOffline[n] === 1 && isStandby(state.snapshot.nodes[n]!.tags),
  );
