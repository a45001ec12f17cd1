/** A node's changeable figures by name, so that a test can state those it is about. */
import { METRICS } from '../../src/htools/model/score/metrics.ts';
import { Scorer } from '../../src/htools/model/score/scorer.ts';
import * as F from '../../src/htools/model/state/node-fields.ts';
import type { ClusterState } from '../../src/htools/model/state/state.ts';

const PLACES = {
  freeMem: F.FREE_MEM,
  instanceMem: F.INSTANCE_MEM,
  freeMemForthcoming: F.FREE_MEM_FORTHCOMING,
  freeDisk: F.FREE_DISK,
  freeDiskForthcoming: F.FREE_DISK_FORTHCOMING,
  usedCpu: F.USED_CPU,
  usedCpuForthcoming: F.USED_CPU_FORTHCOMING,
  freeSpindles: F.FREE_SPINDLES,
  freeSpindlesForthcoming: F.FREE_SPINDLES_FORTHCOMING,
  instanceSpindles: F.INSTANCE_SPINDLES,
  instanceSpindlesForthcoming: F.INSTANCE_SPINDLES_FORTHCOMING,
  reserved: F.RESERVED_MEM,
  failsN1: F.FAILS_N1,
  primaries: F.PRIMARY_COUNT,
  secondaries: F.SECONDARY_COUNT,
  cpuLoad: F.LOAD_CPU,
  memLoad: F.LOAD_MEM,
  diskLoad: F.LOAD_DISK,
  netLoad: F.LOAD_NET,
  locationScore: F.LOCATION_SCORE,
  tagConflicts: F.TAG_CONFLICTS,
} as const;

export type Figures = Record<keyof typeof PLACES, number>;

/** All figures of a node. Memory and disk in MiB. */
export function figuresOf(state: ClusterState, node: number): Figures {
  const entries = Object.entries(PLACES).map(([name, place]) => [
    name,
    state.nodeFields[node * F.NODE_STRIDE + place]!,
  ]);
  return Object.fromEntries(entries) as Figures;
}

/** Values of all metrics by name, over the given nodes; all nodes when none are given. */
export function metricsOf(
  state: ClusterState,
  nodes: readonly number[] = state.snapshot.nodes.map((_, node) => node),
): Record<string, number> {
  const { values } = new Scorer(state, nodes);
  return Object.fromEntries(METRICS.map(({ name }, m) => [name, values[m]!]));
}
