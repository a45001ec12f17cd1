/** Rule "vcpu-ratio" (soft): virtual per physical cpus within the policy. Source: stock addPri. */
import type { ClusterState } from '../state/state.ts';

/** Whether that many virtual cpus are too many for a node. A negative limit means none. */
export function exceedsVcpuRatio(state: ClusterState, node: number, usedVcpus: number): boolean {
  const limit = state.vcpuRatio[node]!;
  return limit >= 0 && limit < usedVcpus / state.totalCpu[node]!;
}
