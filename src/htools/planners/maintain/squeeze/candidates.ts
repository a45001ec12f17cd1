/** Which nodes may be switched off or on, what that saves, what keeps others on. Source: hsqueeze(1). */
import type { DocumentOf } from '../../../../kit/results/members.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { leftAlone } from '../../../cluster/tags/hands-off.ts';
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
export type Obstacle = 'offline' | 'hands-off' | 'master' | 'secondaries' | 'local-storage';

/** The instances there that are to be left alone. */
const aloneOn = ({ snapshot, primaries }: ClusterState, n: number, alone: ReadonlySet<string>) =>
  primaries[n]!.filter((i) => alone.has(snapshot.instances[i]!.name));

/** What keeps a node on; undefined when it is a candidate. @param alone names of nodes and instances */
export function obstacleOf(state: ClusterState, n: number, alone: ReadonlySet<string>): Obstacle | undefined {
  if (state.isOffline[n]) return 'offline';
  if (alone.has(state.snapshot.nodes[n]!.name) || aloneOn(state, n, alone).length > 0) return 'hands-off';
  if (state.snapshot.nodes[n]!.isMaster) return 'master';
  if (state.secondaries[n]!.length > 0) return 'secondaries';
  return localInstances(state, n).length > 0 ? 'local-storage' : undefined;
}

/** Candidates for switching off: those with most instances first. */
export function offlineCandidates(state: ClusterState): number[] {
  const alone = leftAlone(state.snapshot);
  return [...state.snapshot.nodes.keys()]
    .filter((n) => obstacleOf(state, n, alone) === undefined)
    .sort((a, b) => state.primaries[b]!.length - state.primaries[a]!.length || a - b);
}

/** Nodes that were switched off to save power and may come back. */
export function onlineCandidates({ snapshot, isOffline }: ClusterState): number[] {
  const alone = leftAlone(snapshot);
  return [...snapshot.nodes.keys()].filter((n) => {
    const { name, tags } = snapshot.nodes[n]!;
    return isOffline[n] === 1 && isStandby(tags) && !alone.has(name);
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
  const alone = leftAlone(snapshot);
  const state = new ClusterState(snapshot);
  return [...snapshot.nodes.keys()].flatMap((n) => {
    const reason: Obstacle | 'room' = obstacleOf(state, n, alone) ?? 'room';
    if (reason === 'offline' || going.includes(n)) return [];
    const ties = {
      'hands-off': aloneOn(state, n, alone),
      secondaries: state.secondaries[n]!,
      'local-storage': localInstances(state, n),
      master: [],
      room: [],
    }[reason];
    const instances = ties.map((i) => snapshot.instances[i]!.name);
    return [{ node: snapshot.nodes[n]!.name, reason, instances }];
  });
}
