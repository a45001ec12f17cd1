/**
 * Which nodes take part in the disk metrics. A node without internal storage is well balanced as far as disk
 * goes; where all nodes have some, or none has, the metrics are exactly the stock ones. Source:
 * docs/design/storage.md, "Score".
 */
import type { ClusterState } from '../state/state.ts';
import { FREE_DISK_CV, FREE_DISK_CV_FORTH, SPINDLES_CV, SPINDLES_CV_FORTH } from './metrics.ts';

const DISK_METRICS: ReadonlySet<number> = new Set([
  FREE_DISK_CV,
  SPINDLES_CV,
  FREE_DISK_CV_FORTH,
  SPINDLES_CV_FORTH,
]);

/** The metrics concerned: free disk, and the spindles of instances with disks on the node. */
export const isDiskMetric = (metric: number): boolean => DISK_METRICS.has(metric);

/** Of the online nodes scored those that take part; undefined when all do. */
export function diskMembers(state: ClusterState, online: readonly number[]): readonly number[] | undefined {
  const lacks = state.storage?.lacksInternal;
  if (!lacks) return undefined;
  const members = online.filter((n) => lacks[n] === 0);
  return members.length === 0 || members.length === online.length ? undefined : members;
}
