/** Nodes and pairs of a group that may take an instance from another. Nodes that are left are not asked. */
import { ALLOWED, type FailCode } from '../../../cluster/refusal.ts';
import { primaryRefusal, secondaryRefusal } from '../../../model/rules/admission.ts';
import { failsWith, reservationOf } from '../../../model/rules/n-plus-one.ts';
import { policyRefusal } from '../../../model/rules/policy.ts';
import * as F from '../../../model/state/node-fields.ts';
import { HAS_SECONDARY } from '../../../model/state/state.ts';
import type { SuperCluster } from './super-cluster.ts';

/** Nodes that may take each role; `secondaries` is empty where none is needed. */
export interface Candidates {
  readonly primaries: readonly number[];
  readonly secondaries: readonly number[];
}

/** Online nodes of the group that reach its pool, are admitted by the policy, and do not have it yet. */
export function reachable(cluster: SuperCluster, i: number, group: number): number[] {
  const { storage, state, snapshot } = cluster;
  const row = storage.rows[i]! * storage.nodeCount;
  const instance = snapshot.instances[i]!;
  const { policy } = snapshot.groups[group]!;
  const isAdmitted = (isExclusive: boolean): boolean =>
    policyRefusal(instance, policy, isExclusive) === ALLOWED;
  const kinds = cluster.storageKinds[group]!.filter(isAdmitted);
  return cluster.online[group]!.filter(
    (n) =>
      storage.access[row + n] !== 0 &&
      state.admits(i, n) &&
      n !== state.primary[i] &&
      n !== state.secondary[i] &&
      kinds.includes(snapshot.nodes[n]!.hasExclusiveStorage),
  );
}

/** Whether migration tags let it come to a node on any way: from its nodes, or by its new secondary. */
export function mayArrive(cluster: SuperCluster, i: number, node: number, group: number): boolean {
  const { tags, primary, secondary, isOffline, flags } = cluster.state;
  const p = primary[i]!;
  if (!(flags[i]! & HAS_SECONDARY)) return tags.mayMigrate(p, node);
  const s = secondary[i]!;
  const starts = [
    ...(cluster.state.isReachable[cluster.state.primary[i]!] ? [p] : []),
    ...(!isOffline[s] && tags.mayMigrate(p, s) ? [s] : []),
  ];
  if (starts.some((from) => tags.mayMigrate(from, node))) return true;
  const between = [...(isOffline[s] ? [] : [s]), ...cluster.online[group]!];
  return between.some(
    (via) => tags.mayMigrate(via, node) && [p, s].some((from) => tags.mayMigrate(from, via)),
  );
}

/** Why a node may not be primary, soft rules included: a home is never taken against them. */
export const primaryCode = (cluster: SuperCluster, i: number, node: number): FailCode =>
  primaryRefusal(cluster.state, i, node, false);

/** Why a node may be no secondary at all; it stands for the primary, as none reserves for itself. */
export const secondaryCode = (cluster: SuperCluster, i: number, node: number): FailCode =>
  secondaryRefusal(cluster.state, i, node, node, false, false);

/** An instance with its nodes in two groups may stay on its primary, and gets a secondary in that group. */
const isHalfThere = ({ state }: SuperCluster, i: number, group: number): boolean =>
  (state.flags[i]! & HAS_SECONDARY) !== 0 &&
  state.groupOf[state.primary[i]!] === group &&
  !state.isOffline[state.primary[i]!];

export function candidatesIn(cluster: SuperCluster, i: number, group: number): Candidates {
  const nodes = reachable(cluster, i, group);
  if (isHalfThere(cluster, i, group)) {
    const secondaries = nodes.filter((n) => secondaryCode(cluster, i, n) === ALLOWED);
    return { primaries: [cluster.state.primary[i]!], secondaries };
  }
  const primaries = nodes.filter(
    (n) => primaryCode(cluster, i, n) === ALLOWED && mayArrive(cluster, i, n, group),
  );
  if (primaries.length === 0 || !(cluster.state.flags[i]! & HAS_SECONDARY))
    return { primaries, secondaries: [] };
  return { primaries, secondaries: nodes.filter((n) => secondaryCode(cluster, i, n) === ALLOWED) };
}

/** What a node that may be secondary reserves for any one primary has to stay below this, MiB. */
export function reserveLimit({ state }: SuperCluster, node: number): number {
  const at = node * F.NODE_STRIDE;
  const free = state.nodeFields[at + F.FREE_MEM]!;
  return failsWith(free, state.nodeFields[at + F.RESERVED_MEM]!) ? Number.NEGATIVE_INFINITY : free;
}

/** Whether a node that may be secondary may be so for that primary: what it reserves must stay free. */
export const mayPair = (cluster: SuperCluster, i: number, primary: number, secondary: number): boolean =>
  primary !== secondary &&
  cluster.state.peers.get(secondary, primary) + reservationOf(cluster.state, i) <
    reserveLimit(cluster, secondary);
