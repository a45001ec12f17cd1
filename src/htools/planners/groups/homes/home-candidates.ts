/** Nodes and pairs of a group that may take an instance from another. Nodes that are left are not asked. */
import { ALLOWED, type FailCode } from '../../../cluster/refusal.ts';
import { primaryRefusal, secondaryRefusal } from '../../../model/rules/admission.ts';
import { failsWith, reservationOf } from '../../../model/rules/n-plus-one.ts';
import { policyRefusal } from '../../../model/rules/policy.ts';
import { vcpusOf } from '../../../model/rules/vcpu-ratio.ts';
import * as F from '../../../model/state/node-fields.ts';
import { USES_NODE_DISK } from '../../../model/state/state.ts';
import type { SuperCluster } from './super-cluster.ts';

/**
 * What another group's nodes ask of an instance that comes. Whoever has the same is refused alike; one with
 * its nodes in two groups is alone.
 */
export function askedOf({ state, snapshot, storage, hasSplit }: SuperCluster, i: number): string {
  if (hasSplit) return `${i}`;
  const { flags, mem, disk, diskSpindles, spindleUse, primary, secondary } = state;
  const onNode = flags[i]! & USES_NODE_DISK ? [disk[i], diskSpindles[i], spindleUse[i]] : [];
  const tagsOf = (n: number): readonly string[] | undefined => snapshot.nodes[n]?.tags;
  return JSON.stringify([
    [storage.rows[i], flags[i], mem[i], vcpusOf(state, i), ...onNode],
    [snapshot.instances[i]!.tags, tagsOf(primary[i]!), tagsOf(secondary[i]!)],
  ]);
}

/** Nodes that may take each role; `secondaries` is empty where none is needed. */
export interface Candidates {
  readonly primaries: readonly number[];
  readonly secondaries: readonly number[];
}

/** Online nodes of a group that reach the instance's pool, and that it is not on. */
export function othersIn(cluster: SuperCluster, i: number, group: number): number[] {
  const p = cluster.state.primary[i]!;
  const s = cluster.state.secondary[i]!;
  return cluster.online[group]!.filter((n) => n !== p && n !== s && cluster.reaches(i, n));
}

/** Those of them that the group's policy admits. */
export function reachable(cluster: SuperCluster, i: number, group: number): number[] {
  const { snapshot, storageKinds } = cluster;
  const { policy } = snapshot.groups[group]!;
  const kinds = storageKinds[group]!.filter(
    (isExclusive) => policyRefusal(snapshot.instances[i]!, policy, isExclusive) === ALLOWED,
  );
  return othersIn(cluster, i, group).filter((n) => kinds.includes(snapshot.nodes[n]!.hasExclusiveStorage));
}

/** Whether migration tags let it come to a node on any way: from its nodes, or by its new secondary. */
export function mayArrive(cluster: SuperCluster, i: number, node: number, group: number): boolean {
  const { state } = cluster;
  const { tags, primary, secondary, isOffline } = state;
  const p = primary[i]!;
  if (!cluster.isMirrored(i)) return tags.mayMigrate(p, node);
  const s = secondary[i]!;
  if (state.isReachable[p] && tags.mayMigrate(p, node)) return true;
  if (!isOffline[s] && tags.mayMigrate(p, s) && tags.mayMigrate(s, node)) return true;
  const between = [...(isOffline[s] ? [] : [s]), ...cluster.open[group]!];
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

export function candidatesIn(cluster: SuperCluster, i: number, group: number): Candidates {
  const { state } = cluster;
  const nodes = reachable(cluster, i, group);
  const isMirrored = cluster.isMirrored(i);
  const p = state.primary[i]!;
  // One with its nodes in two groups may stay on its primary, and gets a secondary in that group.
  const isHalfThere = isMirrored && state.groupOf[p] === group && !state.isOffline[p];
  const primaries = isHalfThere
    ? [p]
    : nodes.filter(
        (n) =>
          primaryCode(cluster, i, n) === ALLOWED &&
          mayArrive(cluster, i, n, group) &&
          !cluster.n1.failsWithPrimary(n, i),
      );
  const isPaired = isMirrored && primaries.length > 0;
  return {
    primaries,
    secondaries: isPaired ? nodes.filter((n) => secondaryCode(cluster, i, n) === ALLOWED) : [],
  };
}

/** What a node that may be secondary reserves for any one primary has to stay below this, MiB. */
export function reserveLimit(cluster: SuperCluster, node: number): number {
  const free = cluster.freeMem(node);
  const reserved = cluster.state.field(node, F.RESERVED_MEM);
  return failsWith(free, reserved) ? Number.NEGATIVE_INFINITY : free;
}

/** Whether a node that may be secondary may be so for that primary: what it reserves must stay free. */
export const mayPair = (cluster: SuperCluster, i: number, primary: number, secondary: number): boolean =>
  primary !== secondary &&
  cluster.state.peers.get(secondary, primary) + reservationOf(cluster.state, i) <
    reserveLimit(cluster, secondary);
