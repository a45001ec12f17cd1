/**
 * Which nodes take part in the metrics of disks. A node without internal storage is well balanced as far as
 * disk goes; where all nodes have some, or none has, the metrics are exactly the stock ones. Source:
 * docs/why/storage.md, "Score".
 */
import type { ClusterState } from '../state/state.ts';

/** Of the online nodes scored those that take part; undefined when all do. */
export function diskMembers(state: ClusterState, online: readonly number[]): readonly number[] | undefined {
  const lacks = state.storage?.lacksInternal;
  if (!lacks) return undefined;
  const members = online.filter((n) => lacks[n] === 0);
  return members.length === 0 || members.length === online.length ? undefined : members;
}
