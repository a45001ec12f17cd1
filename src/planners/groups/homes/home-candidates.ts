/** Nodes and pairs of a group that may take an instance, and why the other nodes may not. */

import {
  ALLOWED,
  FAIL_CPU,
  FAIL_DISK,
  FAIL_MEM,
  FAIL_MIG,
  FAIL_SPINDLES,
  FAIL_TAGS,
  type FailCode,
} from '../../../cluster/refusal.ts';
import { primaryRefusal, secondaryRefusal } from '../../../model/rules/admission.ts';
import { migrationRefusal } from '../../../model/rules/migration.ts';
import { failsWith, reservationOf } from '../../../model/rules/n-plus-one.ts';
import { policyRefusal } from '../../../model/rules/policy.ts';
import * as F from '../../../model/state/node-fields.ts';
import { HAS_SECONDARY } from '../../../model/state/state.ts';
import { departureNode } from '../relocate/relocation.ts';
import type { SuperCluster } from './super-cluster.ts';
import type { TargetRefusal, TargetRule } from './targets.ts';

const RULES: Readonly<Record<FailCode, TargetRule>> = {
  [FAIL_MEM]: 'memory',
  [FAIL_DISK]: 'disk',
  [FAIL_CPU]: 'cpu',
  [FAIL_TAGS]: 'tags',
  [FAIL_MIG]: 'migration',
  [FAIL_SPINDLES]: 'spindles',
};

/** Nodes that may take each role; `secondaries` is empty where none is needed. */
export interface Candidates {
  readonly primaries: readonly number[];
  readonly secondaries: readonly number[];
}

/** Online nodes of the group that reach the instance's pool, are admitted by the policy, and do not have it yet. */
function* reachable(cluster: SuperCluster, i: number, group: number): Generator<number> {
  const { storage, state, snapshot } = cluster;
  const row = storage.rows[i]! * storage.nodeCount;
  const instance = snapshot.instances[i]!;
  const { policy } = snapshot.groups[group]!;
  for (const n of cluster.online[group]!) {
    if (storage.access[row + n] === 0 || n === state.primary[i] || n === state.secondary[i]) continue;
    if (policyRefusal(instance, policy, snapshot.nodes[n]!.hasExclusiveStorage) !== ALLOWED) continue;
    yield n;
  }
}

function primaryCode(cluster: SuperCluster, i: number, node: number): FailCode {
  const { state } = cluster;
  return migrationRefusal(state, departureNode(state, i), node) || primaryRefusal(state, i, node, false);
}

/** While it changes over, the new secondary serves the node from which the instance departs. */
const secondaryCode = (cluster: SuperCluster, i: number, node: number): FailCode =>
  secondaryRefusal(cluster.state, i, node, departureNode(cluster.state, i), false, false);

export function candidatesIn(cluster: SuperCluster, i: number, group: number): Candidates {
  const nodes = [...reachable(cluster, i, group)];
  const primaries = nodes.filter((n) => primaryCode(cluster, i, n) === ALLOWED);
  if (!(cluster.state.flags[i]! & HAS_SECONDARY)) return { primaries, secondaries: [] };
  return { primaries, secondaries: nodes.filter((n) => secondaryCode(cluster, i, n) === ALLOWED) };
}

/** Whether a node that may be secondary may be so for that primary: what it reserves must stay free. */
export function mayPair(cluster: SuperCluster, i: number, primary: number, secondary: number): boolean {
  if (primary === secondary) return false;
  const { state } = cluster;
  const f = state.nodeFields;
  const at = secondary * F.NODE_STRIDE;
  const peer = state.peers[secondary * state.nodeCount + primary]! + reservationOf(state, i);
  return !failsWith(f[at + F.FREE_MEM]!, Math.max(f[at + F.RESERVED_MEM]!, peer));
}

/** What an instance needs of a node, and what a node has, by rule; for reports. */
function figuresOf(cluster: SuperCluster, i: number, rule: TargetRule, node: number): Partial<TargetRefusal> {
  const { state } = cluster;
  const f = state.nodeFields;
  const at = node * F.NODE_STRIDE;
  switch (rule) {
    case 'memory':
      // Memory and disk must stay above zero, and above what is kept for a failover.
      return {
        needed: state.mem[i]!,
        available: f[at + F.FREE_MEM]! - f[at + F.RESERVED_MEM]! - 1,
        unit: 'MiB',
      };
    case 'disk':
      return { needed: state.disk[i]!, available: f[at + F.FREE_DISK]! - 1, unit: 'MiB' };
    case 'cpu':
      return {
        needed: state.vcpus[i]!,
        available: Math.floor(state.highCpu[node]! - f[at + F.USED_CPU]!),
        unit: 'vcpus',
      };
    default:
      return {};
  }
}

/**
 * Why the nodes of a group refuse the instance, one entry a rule with the number of nodes, most of them first.
 * Nodes that would do are counted under `partner` where there is but one for an instance that needs two, else under `restart`:
 * then no pair of them will do, or N+1 with shared storage would fail.
 */
export function refusalsIn(cluster: SuperCluster, i: number, group: number): TargetRefusal[] {
  const byRule = new Map<TargetRule, TargetRefusal>();
  const nodes = [...reachable(cluster, i, group)];
  const isPair = (cluster.state.flags[i]! & HAS_SECONDARY) !== 0;
  const isLonely = isPair && nodes.length === 1;
  for (const n of nodes) {
    const code = primaryCode(cluster, i, n) || (isPair ? secondaryCode(cluster, i, n) : ALLOWED);
    const rule = code === ALLOWED ? (isLonely ? 'partner' : 'restart') : (RULES[code] ?? 'policy');
    const figures = figuresOf(cluster, i, rule, n);
    const known = byRule.get(rule);
    const isRoomier = (figures.available ?? 0) > (known?.available ?? Number.NEGATIVE_INFINITY);
    byRule.set(rule, {
      group,
      rule,
      ...(isRoomier ? figures : { needed: known?.needed, available: known?.available, unit: known?.unit }),
      nodes: (known?.nodes ?? 0) + 1,
    });
  }
  if (byRule.size === 0) return [{ group, rule: 'partition', detail: cluster.storage.poolOf(i) }];
  return [...byRule.values()].sort((a, b) => b.nodes! - a.nodes!);
}
