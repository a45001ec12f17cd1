/** State of a group before balancing, as data. */
import * as F from '../../model/state/node-fields.ts';
import { badNodes, instancesOn, type Scope } from '../../model/state/scope.ts';
import type { ClusterState } from '../../model/state/state.ts';

export type GroupHealth = ReturnType<typeof groupHealth>;

/** Which rule of its group's policy a node breaks; the first in stock's order. */
function brokenRule(state: ClusterState, node: number): 'FailDisk' | 'FailCPU' | undefined {
  if (state.field(node, F.INSTANCE_SPINDLES) > state.highSpindles[node]!) return 'FailDisk';
  return state.field(node, F.USED_CPU) / state.totalCpu[node]! > state.vcpuRatio[node]!
    ? 'FailCPU'
    : undefined;
}

/** Names of the online nodes that fail N+1, and the others with what of the policy they break. */
export function groupHealth(state: ClusterState, scope: Scope) {
  const bad = badNodes(state, scope.nodes);
  const nameOf = (n: number): string => state.snapshot.nodes[n]!.name;
  return {
    badNodes: bad.map(nameOf),
    badInstances: instancesOn(state, bad).length,
    others: scope.nodes
      .filter((n) => !bad.includes(n))
      .map((n) => ({ name: nameOf(n), broken: brokenRule(state, n) })),
  };
}
