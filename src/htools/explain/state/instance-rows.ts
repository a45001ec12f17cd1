/** The instances of a searched state as plain data, for tables, documents and pages. */
import { isRunning } from '../../cluster/instance-status.ts';
import type { ClusterState } from '../../model/state/state.ts';
import type { InstanceRow } from '../../results/parts/tables.ts';

export function instanceRows(state: ClusterState, instances: readonly number[]): InstanceRow[] {
  const nameOf = (node: number): string | null => (node < 0 ? null : state.snapshot.nodes[node]!.name);
  return instances.map((i) => {
    const record = state.instanceRecord(i);
    const { index, name, isAutoBalanced, vcpus, memMib, diskMib, utilisation, loadSources } = record;
    return {
      index,
      name,
      isRunning: isRunning(record),
      primary: nameOf(state.primary[i]!),
      secondary: nameOf(state.secondary[i]!),
      isAutoBalanced,
      vcpus,
      memMib,
      diskMib,
      load: utilisation,
      ...(loadSources && { loadSources }),
    };
  });
}
