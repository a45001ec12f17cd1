/** The instances of a searched state as plain data, for tables, documents and pages. */
import type { Instance, Utilisation } from '../../cluster/snapshot.ts';
import type { ClusterState } from '../../model/state/state.ts';

/** What there is to show of one instance; memory and disk in MiB, full names. */
export interface InstanceRow {
  readonly index: number;
  readonly name: string;
  readonly isRunning: boolean;
  readonly primaryName: string;
  /** Empty = none. */
  readonly secondaryName: string;
  readonly isAutoBalanced: boolean;
  readonly vcpus: number;
  readonly memMib: number;
  /** Where its load comes from, where that is told. */
  readonly loadSources?: Instance['loadSources'];
  readonly diskMib: number;
  readonly utilisation: Utilisation;
}

export function instanceRows(state: ClusterState, instances: readonly number[]): InstanceRow[] {
  const nameOf = (node: number): string => (node < 0 ? '' : state.snapshot.nodes[node]!.name);
  return instances.map((i) => {
    const { index, name, status, isAutoBalanced, vcpus, memMib, diskMib, utilisation, loadSources } =
      state.instanceRecord(i);
    return {
      index,
      name,
      isRunning: status === 'running' || status === 'ERROR_up',
      primaryName: nameOf(state.primary[i]!),
      secondaryName: nameOf(state.secondary[i]!),
      isAutoBalanced,
      vcpus,
      memMib,
      diskMib,
      utilisation,
      ...(loadSources && { loadSources }),
    };
  });
}
