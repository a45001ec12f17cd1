/** A cluster with some nodes switched off or on, and balanced anew. */

import { ALLOWED } from '../../../cluster/refusal.ts';
import type { Instance, InstanceSpec, Snapshot } from '../../../cluster/snapshot.ts';
import { primaryRoomRefusal } from '../../../model/rules/admission.ts';
import { groupScope, groupsWithNodes } from '../../../model/state/scope.ts';
import { ClusterState } from '../../../model/state/state.ts';
import { sizedInstance } from '../../allocate/sized-instance.ts';
import { type BalanceOptions, DEFAULT_BALANCE_OPTIONS } from '../../balance/options.ts';
import { type Balanced, balanceAll } from '../../balance/steps/balance.ts';

/** Until nothing improves, however little. Source: the stock program's balancing between its trials. */
export const TO_THE_END: BalanceOptions = {
  ...DEFAULT_BALANCE_OPTIONS,
  minGain: 0,
  minGainLimit: 0,
  minScore: Number.NEGATIVE_INFINITY,
};

export interface SwitchedCluster {
  /** The cluster with the nodes switched, before anything moved. */
  readonly start: Snapshot;
  /** The same once the steps are taken. */
  readonly state: ClusterState;
  /** One after another: no instance leaves its group, whose policy and storage it was made for. */
  readonly groups: readonly Balanced[];
}

export interface Switch {
  readonly nodes: readonly number[];
  /** Balances it, on the first call. */
  readonly result: () => SwitchedCluster;
}

export interface SwitchTask {
  readonly snapshot: Snapshot;
  /** In the answer's order. */
  readonly candidates: readonly number[];
  /** The instance that every node is to have room for. */
  readonly room: Instance;
  /** Whether only nodes are asked for it that are online. */
  readonly isSteady?: boolean;
}

export function withSwitched(snapshot: Snapshot, switched: readonly number[], isOffline: boolean): Snapshot {
  const isSwitched = new Set(switched);
  const nodes = snapshot.nodes.map((node, n) => (isSwitched.has(n) ? { ...node, isOffline } : node));
  return { ...snapshot, nodes };
}

/** What becomes of a group's instances once nodes are switched: the steps are taken on the state. */
export type Settle = (state: ClusterState, nodes: readonly number[]) => Balanced;

const balance: Settle = (state, nodes) => balanceAll(state, nodes, TO_THE_END);

/** @param switched positions of the nodes to switch; none is a plain balancing */
export function switchAndSettle(
  snapshot: Snapshot,
  switched: readonly number[],
  isOffline: boolean,
  settle = balance,
): SwitchedCluster {
  const start = withSwitched(snapshot, switched, isOffline);
  const state = new ClusterState(start);
  const groups = groupsWithNodes(start).map((group) => settle(state, groupScope(start, group).nodes));
  return { start, state, groups };
}

/** An instance of `factor` times the standard size, figures rounded down, that needs no disk of a node. */
export function roomOf(standard: InstanceSpec, factor: number): Instance {
  const size = {
    memMib: Math.floor(factor * standard.memoryMib),
    diskMib: 0,
    vcpus: Math.floor(factor * standard.cpuCount),
    spindles: 0,
  };
  return { ...sizedInstance(size, 'ext', Math.floor(factor * standard.spindleUse)), isAutoBalanced: false };
}

/**
 * Whether each node could take the instance by all rules. Offline nodes are asked, too, as in the stock
 * program; of one that a live cluster knows to be without power nothing is free, and so a cluster that was
 * just squeezed would want all its nodes back.
 * @param isSteady whether only nodes are asked that are online
 */
export function everyNodeTakes(state: ClusterState, instance: Instance, isSteady = false): boolean {
  const i = state.addInstance(instance);
  // Access to a storage pool is not asked for: the instance stands for room and nothing else.
  const fits = [...state.isOffline.keys()].every(
    (n) =>
      (isSteady && (state.isOffline[n] === 1 || state.snapshot.nodes[n]!.isLeftAlone)) ||
      primaryRoomRefusal(state, i, n, false) === ALLOWED,
  );
  state.dropLastInstance();
  return fits;
}
