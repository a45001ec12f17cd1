/** Which nodes may be switched off or on, what that saves, what keeps others on. Source: hsqueeze(1). */
import type { DocumentOf } from '../../../../kit/results/members.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { isStandby } from '../../../cluster/tags/tags.ts';
import type { DiskTemplate } from '../../../cluster/templates.ts';
import { ClusterState } from '../../../model/state/state.ts';
import type { hsqueezePlan } from '../../../results/maintain.ts';

type Document = DocumentOf<typeof hsqueezePlan>;

/** Templates whose data is on the node itself, as the stock program counts them. */
const LOCAL_TEMPLATES: readonly DiskTemplate[] = ['drbd', 'plain'];

/** The instances whose data is on the node that they run on. */
const localInstances = ({ snapshot, primaries }: ClusterState, n: number): readonly number[] =>
  primaries[n]!.filter((i) => LOCAL_TEMPLATES.includes(snapshot.instances[i]!.diskTemplate));

/** Why a node cannot be switched off whatever room there is elsewhere. */
export type Obstacle = 'offline' | 'master' | 'secondaries' | 'local-storage';

/** What keeps a node on; undefined when it is a candidate. */
export function obstacleOf(state: ClusterState, n: number): Obstacle | undefined {
  if (state.isOffline[n]) return 'offline';
  if (state.snapshot.nodes[n]!.isMaster) return 'master';
  if (state.secondaries[n]!.length > 0) return 'secondaries';
  return localInstances(state, n).length > 0 ? 'local-storage' : undefined;
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
  const state = new ClusterState(snapshot);
  return [...snapshot.nodes.keys()].flatMap((n) => {
    const reason: Obstacle | 'room' = obstacleOf(state, n) ?? 'room';
    if (reason === 'offline' || going.includes(n)) return [];
    const ties = {
      secondaries: state.secondaries[n]!,
      'local-storage': localInstances(state, n),
      master: [],
      room: [],
    }[reason];
    const instances = ties.map((i) => snapshot.instances[i]!.name);
    return [{ node: snapshot.nodes[n]!.name, reason, instances }];
  });
}
