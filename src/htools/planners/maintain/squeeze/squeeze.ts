/**
 * Which nodes can be switched off, or must be switched on. Source: hsqueeze(1).
 *
 * Nodes are tried for switching off one by one, and each time the whole cluster is balanced anew as if they
 * were offline: they may go when every instance has left and every node still has room for one more of the
 * wanted size. Large clusters are dealt with in by-placing.ts.
 */
import { once } from '../../../../kit/kept.ts';
import type { Instance, Snapshot } from '../../../cluster/snapshot.ts';
import { withHandsOff } from '../../../cluster/tags/hands-off.ts';
import { isStandby } from '../../../cluster/tags/tags.ts';
import type { DiskTemplate } from '../../../cluster/templates.ts';
import * as F from '../../../model/state/node-fields.ts';
import { ClusterState, USES_MEMORY } from '../../../model/state/state.ts';
import type { SqueezeDocument } from '../../../results/maintain.ts';
import { isTooLargeToBalance, switchOffByPlacing, switchOnByPlacing } from './by-placing.ts';
import {
  everyNodeTakes,
  roomOf,
  type Switch,
  type SwitchedCluster,
  type SwitchTask,
  switchAndSettle,
} from './switched.ts';

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
export const hardwareOf = ({ nodes }: Snapshot, some: readonly number[]): SqueezeDocument['saved'] => ({
  nodes: some.length,
  memMib: some.reduce((sum, n) => sum + nodes[n]!.totalMemMib, 0),
  cpus: some.reduce((sum, n) => sum + nodes[n]!.totalCpus, 0),
});

/**
 * Why each online node that does not go stays on, and the instances that tie it. `room`: it could go as such,
 * but its instances, or the room to be left, need it.
 */
export function stayingNodes(snapshot: Snapshot, going: readonly number[]): SqueezeDocument['staying'] {
  const state = new ClusterState(withHandsOff(snapshot));
  return [...snapshot.nodes.keys()].flatMap((n) => {
    const { reason, instances } = obstacleOf(state, n) ?? { reason: 'room', instances: [] };
    if (reason === 'offline' || going.includes(n)) return [];
    const names = instances.map((i) => snapshot.instances[i]!.name);
    return [{ node: snapshot.nodes[n]!.name, reason, instances: names }];
  });
}

interface SqueezeOptions {
  /** Room on every node, in standard instances, below which nodes are switched on. */
  readonly minimalResources: number;
  /** Room on every node, in standard instances, that switching off must leave. */
  readonly targetResources: number;
  /** Balance with each candidate however large the cluster is, as the stock program does. */
  readonly isExact: boolean;
  /**
   * Whether the two decisions keep apart, for what is carried out again and again: switched-off nodes count
   * as no lack of room, and switching off leaves room for one standard instance more than switching on asks.
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

/** But for what is left alone, which is on no node that is switched. */
const allAreOnline = ({ primary, isOffline, snapshot }: ClusterState): boolean =>
  snapshot.instances.every(({ isLeftAlone }, i) => isOffline[primary[i]!] === 0 || isLeftAlone);

/** Whether, switched and balanced, all instances are on online nodes and each node has room. */
const suffices = (task: SwitchTask, { state }: SwitchedCluster): boolean =>
  allAreOnline(state) && everyNodeTakes(state, task.room, task.isSteady);

/** A proof that nodes cannot go: free memory stays in sum, and who stays must have more than the room. */
function lacksMemory(state: ClusterState, off: readonly number[], room: Instance): boolean {
  const isOff = new Set(off);
  let free = 0;
  let staying = 0;
  for (let n = 0; n < state.nodeCount; n++) {
    if (isOff.has(n)) {
      for (const i of state.primaries[n]!) if (state.flags[i]! & USES_MEMORY) free -= state.mem[i]!;
    } else if (!state.isOffline[n] && !state.snapshot.nodes[n]!.isLeftAlone) {
      free += state.field(n, F.FREE_MEM);
      staying++;
    }
  }
  return free < staying * room.memMib;
}

/** Greedily from the candidate with fewest instances: each joins when all taken can go with it. */
function switchOff(task: SwitchTask): Switch | undefined {
  const { snapshot, room } = task;
  const state = new ClusterState(snapshot);
  let off: readonly number[] = [];
  for (const node of task.candidates.toReversed()) {
    const wider = [node, ...off];
    if (!lacksMemory(state, wider, room) && suffices(task, switchAndSettle(snapshot, wider, true)))
      off = wider;
  }
  return off.length === 0
    ? undefined
    : { nodes: off, result: once(() => switchAndSettle(snapshot, off, true)) };
}

/** The shortest run of candidates, from the first on, that makes room enough; not all of them. */
function switchOn(task: SwitchTask): Switch | undefined {
  for (let count = 0; count < task.candidates.length; count++) {
    const nodes = task.candidates.slice(0, count);
    const result = switchAndSettle(task.snapshot, nodes, false);
    if (suffices(task, result)) return { nodes, result: () => result };
  }
  return undefined;
}

function allOn(task: SwitchTask) {
  const result = once(() => switchAndSettle(task.snapshot, task.candidates, false));
  return { nodes: task.candidates, result, isEnough: once(() => suffices(task, result())) };
}

export function squeeze(
  cluster: Snapshot,
  { minimalResources, targetResources, isExact, isSteady = false }: SqueezeOptions,
): Squeeze {
  const snapshot = withHandsOff(cluster);
  const state = new ClusterState(snapshot);
  const looked = { offlineCandidates: offlineCandidates(state), onlineCandidates: onlineCandidates(state) };
  const isEnough = (): boolean => true;
  const taskFor = (candidates: readonly number[], factor: number): SwitchTask => ({
    snapshot,
    candidates,
    room: roomOf(snapshot.policy.standard, factor),
    isSteady,
  });
  const mayBalance = ({ candidates }: SwitchTask): boolean =>
    isExact || !isTooLargeToBalance(snapshot, candidates);
  const on = taskFor(looked.onlineCandidates, minimalResources);
  if (!everyNodeTakes(state, on.room, isSteady)) {
    const found = mayBalance(on) ? switchOn(on) : switchOnByPlacing(on);
    return { action: 'online', ...looked, isEnough, ...(found ?? allOn(on)) };
  }
  const target = isSteady ? Math.max(targetResources, minimalResources + 1) : targetResources;
  const off = taskFor(looked.offlineCandidates, target);
  const found = mayBalance(off) ? switchOff(off) : switchOffByPlacing(off);
  return found
    ? { action: 'offline', ...looked, isEnough, ...found }
    : { action: 'none', nodes: [], ...looked, isEnough, result: () => undefined };
}
