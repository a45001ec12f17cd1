/**
 * Which nodes can be switched off, or must be switched on. Source: hsqueeze(1).
 *
 * Nodes are tried for switching off one by one, and each time the whole cluster is balanced anew as if they
 * were offline: they may go when every instance has left and every node still has room for one more of the
 * wanted size. Large clusters are dealt with in by-placing.ts.
 */
import { once } from '../../../../kit/once.ts';
import type { Instance, Snapshot } from '../../../cluster/snapshot.ts';
import * as F from '../../../model/state/node-fields.ts';
import { ClusterState, USES_MEMORY } from '../../../model/state/state.ts';
import { isTooLargeToBalance, switchOffByPlacing, switchOnByPlacing } from './by-placing.ts';
import { offlineCandidates, onlineCandidates } from './candidates.ts';
import { everyNodeTakes, roomOf } from './room.ts';
import { type SwitchedCluster, switchAndBalance } from './switched.ts';

interface SqueezeOptions {
  /** Room on every node, in standard instances, below which nodes are switched on. */
  readonly minimalResources: number;
  /** Room on every node, in standard instances, that switching off must leave. */
  readonly targetResources: number;
  /** Balance with each candidate however large the cluster is, as the stock program does. */
  readonly isExact: boolean;
  /**
   * Whether the two decisions keep apart, for what is carried out again and again: switched-off nodes count
   * as no lack of room, and switching off leaves room for one standard instance more than switching on asks
   * for.
   */
  readonly isSteady?: boolean;
}

export interface Squeeze {
  readonly action: 'online' | 'offline' | 'none';
  /** Positions of the nodes to switch, in order; empty for no action. */
  readonly nodes: readonly number[];
  /** Nodes that were looked at: for switching off those with most instances first, and standby nodes. */
  readonly offlineCandidates: readonly number[];
  readonly onlineCandidates: readonly number[];
  /** Whether what is switched on suffices; true for other actions. Balances, on the first call. */
  readonly isEnough: () => boolean;
  /** The cluster after switching; undefined when nothing is to be done. Balances it, on the first call. */
  readonly result: () => SwitchedCluster | undefined;
}

const allAreOnline = ({ primary, isOffline, instanceCount }: ClusterState): boolean =>
  primary.subarray(0, instanceCount).every((node) => isOffline[node] === 0);

/** Whether, switched and balanced, all instances are on online nodes and each node has room. */
const suffices = ({ state }: SwitchedCluster, room: Instance, isSteady: boolean): boolean =>
  allAreOnline(state) && everyNodeTakes(state, room, isSteady);

/** A proof that nodes cannot go: free memory stays in sum, and who stays must have more than the room. */
function lacksMemory(state: ClusterState, off: readonly number[], room: Instance): boolean {
  const isOff = new Set(off);
  let free = 0;
  let staying = 0;
  for (let n = 0; n < state.nodeCount; n++) {
    if (isOff.has(n)) {
      for (const i of state.primaries[n]!) if (state.flags[i]! & USES_MEMORY) free -= state.mem[i]!;
    } else if (!state.isOffline[n]) {
      free += state.nodeFields[n * F.NODE_STRIDE + F.FREE_MEM]!;
      staying++;
    }
  }
  return free < staying * room.memMib;
}

/** Greedily from the candidate with fewest instances: each joins when all taken can go with it. */
function switchOff(snapshot: Snapshot, candidates: readonly number[], room: Instance, isSteady: boolean) {
  const state = new ClusterState(snapshot);
  let off: readonly number[] = [];
  for (const node of candidates.toReversed()) {
    const wider = [node, ...off];
    if (!lacksMemory(state, wider, room) && suffices(switchAndBalance(snapshot, wider, true), room, isSteady))
      off = wider;
  }
  return off.length === 0
    ? undefined
    : { nodes: off, result: once(() => switchAndBalance(snapshot, off, true)) };
}

/** All candidates on, and the cluster balanced then. */
function allOn(snapshot: Snapshot, candidates: readonly number[], room: Instance, isSteady: boolean) {
  const result = once(() => switchAndBalance(snapshot, candidates, false));
  return { nodes: candidates, result, isEnough: once(() => suffices(result(), room, isSteady)) };
}

/** The shortest run of candidates, from the first on, that makes room enough; all of them where none does. */
function switchOn(snapshot: Snapshot, candidates: readonly number[], room: Instance, isSteady: boolean) {
  for (let count = 0; count < candidates.length; count++) {
    const nodes = candidates.slice(0, count);
    const result = switchAndBalance(snapshot, nodes, false);
    if (suffices(result, room, isSteady)) return { nodes, result: () => result, isEnough: () => true };
  }
  return allOn(snapshot, candidates, room, isSteady);
}

/** What hsqueeze proposes for the cluster. */
export function squeeze(
  snapshot: Snapshot,
  { minimalResources, targetResources, isExact, isSteady = false }: SqueezeOptions,
): Squeeze {
  const state = new ClusterState(snapshot);
  const looked = { offlineCandidates: offlineCandidates(state), onlineCandidates: onlineCandidates(state) };
  const { standard } = snapshot.policy;
  const least = roomOf(standard, minimalResources);
  const isEnough = (): boolean => true;
  if (!everyNodeTakes(state, least, isSteady)) {
    const { onlineCandidates: candidates } = looked;
    if (isExact || !isTooLargeToBalance(snapshot, candidates))
      return { action: 'online', ...looked, ...switchOn(snapshot, candidates, least, isSteady) };
    const placed = switchOnByPlacing(snapshot, candidates, least, isSteady);
    return placed
      ? { action: 'online', ...looked, nodes: placed.nodes, isEnough, result: () => placed.result }
      : { action: 'online', ...looked, ...allOn(snapshot, candidates, least, isSteady) };
  }
  const most = roomOf(standard, isSteady ? Math.max(targetResources, minimalResources + 1) : targetResources);
  const { offlineCandidates: candidates } = looked;
  const found =
    isExact || !isTooLargeToBalance(snapshot, candidates)
      ? switchOff(snapshot, candidates, most, isSteady)
      : switchOffByPlacing(snapshot, candidates, most, isSteady);
  if (!found) return { action: 'none', nodes: [], ...looked, isEnough, result: () => undefined };
  const { nodes, result } = found;
  return {
    action: 'offline',
    nodes,
    ...looked,
    isEnough,
    result: typeof result === 'function' ? result : () => result,
  };
}
