/** Rule "vcpu-ratio" (soft): virtual per physical cpus within the policy. Source: stock addPri. */
import { type ClusterState, USES_CPU } from '../state/state.ts';

/** Virtual cpus that an instance takes; 0 for one that is offline. */
export const vcpusOf = (state: ClusterState, instance: number): number =>
  state.flags[instance]! & USES_CPU ? state.vcpus[instance]! : 0;

/** Whether that many virtual cpus are too many for a node. A negative limit means none. */
export function exceedsVcpuRatio(state: ClusterState, node: number, usedVcpus: number): boolean {
  const limit = state.vcpuRatio[node]!;
  return limit >= 0 && limit < usedVcpus / state.totalCpu[node]!;
}

/**
 * Largest whole number of virtual cpus that the rule admits on a node; Infinity for a negative limit, and on
 * a node of -0.0 cpus, as a text file may have it, where all quotients are negative.
 */
export function mostVcpus(state: ClusterState, node: number): number {
  const limit = state.vcpuRatio[node]!;
  const cpus = state.totalCpu[node]!;
  if (limit < 0 || !(1 / cpus > 0) || !(limit * cpus < Number.MAX_SAFE_INTEGER))
    return Number.POSITIVE_INFINITY;
  let most = Math.floor(limit * cpus);
  // The rule compares quotients; the product may be off by one either way.
  while (limit < most / cpus) most--;
  while (!(limit < (most + 1) / cpus)) most++;
  return most;
}
