/** Which nodes may be switched off or on, what that saves, what keeps others on. Source: hsqueeze(1). */
import type { DocumentOf } from '../../../../kit/results/members.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { withHandsOff } from '../../../cluster/tags/hands-off.ts';
import { isStandby } from '../../../cluster/tags/tags.ts';
import type { DiskTemplate } from '../../../cluster/templates.ts';
import { ClusterState } from '../../../model/state/state.ts';
import type { hsqueezePlan } from '../../../results/maintain.ts';

type Document = DocumentOf<typeof hsqueezePlan>;

/** Templates whose data is on the node itself, as the stock program counts them. */
const LOCAL_TEMPLATES: readonly DiskTemplate[] = ['drbd', 'plain'];

/** Why a node cannot be switched off whatever room there is elsewhere. */
export type Obstacle = 'offline' | 'hands-off' | 'master' | 'secondaries' | 'local-storage';

/** What keeps a node on, and the instances that tie it; undefined when it is a candidate. */
export function obstacleOf(
  { snapshot, isOffline, primaries, secondaries }: ClusterState,
  n: number,
): { readonly reason: Obstacle; readonly instances: readonly number[] } | undefined {
  const { isLeftAlone, isMaster } = snapshot.nodes[n]!;
  if (isOffline[n]) return { reason: 'offline', instances: [] };
  const held = primaries[n]!.filter((i) => snapshot.instances[i]!.isLeftAlone);
  if (isLeftAlone || held.length > 0) return { reason: 'hands-off', instances: held };
  if (isMaster) return { reason: 'master', instances: [] };
  if (secondaries[n]!.length > 0) return { reason: 'secondaries', instances: secondaries[n]! };
  const local = primaries[n]!.filter((i) => LOCAL_TEMPLATES.includes(snapshot.instances[i]!.diskTemplate));
  return local.length > 0 ? { reason: 'local-storage', instances: local } : undefined;
}

/** Candidates for switching off: those with most instances first. */
export function offlineCandidates(state: ClusterState): number[] {
  return [...state.snapshot.nodes.keys()]
    .filter((n) => obstacleOf(state, n) === undefined)
    .sort((a, b) => state.primaries[b]!.length - state.primaries[a]!.length || a - b);
}

/** Nodes that were switched off to save power and may come back. */
export function onlineCandidates({ snapshot, isOffline }: ClusterState): number[] {
  return [...snapshot.nodes.keys()].filter((n) => {
    const { isLeftAlone, tags } = snapshot.nodes[n]!;
    return isOffline[n] === 1 && isStandby(tags) && !isLeftAlone;
  });
}

/** Hardware of some nodes together; physical cpus. */
export const hardwareOf = ({ nodes }: Snapshot, some: readonly number[]): Document['saved'] => ({
  nodes: some.length,
  memMib: some.reduce((sum, n) => sum + nodes[n]!.totalMemMib, 0),
  cpus: some.reduce((sum, n) => sum + nodes[n]!.totalCpus, 0),
});

/**
 * Why each online node that does not go stays on, and the instances that tie it. `room`: it could go as such,
 * but its instances, or the room to be left, need it.
 */
export function stayingNodes(snapshot: Snapshot, going: readonly number[]): Document['staying'] {
  const state = new ClusterState(withHandsOff(snapshot));
  return [...snapshot.nodes.keys()].flatMap((n) => {
    const { reason, instances } = obstacleOf(state, n) ?? { reason: 'room', instances: [] };
    if (reason === 'offline' || going.includes(n)) return [];
    const names = instances.map((i) => snapshot.instances[i]!.name);
    return [{ node: snapshot.nodes[n]!.name, reason, instances: names }];
  });
}
