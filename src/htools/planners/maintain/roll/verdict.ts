/** What the rest of a cluster can still bear while some nodes are down. */
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { SharedStorageN1 } from '../../../model/redundancy/shared/shared-storage.ts';
import { badNodes } from '../../../model/state/scope.ts';
import { ClusterState, HAS_SECONDARY, USES_MEMORY } from '../../../model/state/state.ts';

export interface Verdict {
  /**
   * Online nodes that fail N+1 by the memory reserved for their secondaries, or (where storage is stated) as
   * one whose instances find no place to restart.
   */
  readonly failing: readonly number[];
  /** Running mirrored instances that have one of their two nodes among those that are down. */
  readonly onOneCopy: number;
}

/** @param down positions of the nodes that are down, beside those that are offline anyway */
export function verdictWithout(snapshot: Snapshot, down: readonly number[]): Verdict {
  const isDown = new Set(down);
  const state = new ClusterState({
    ...snapshot,
    nodes: snapshot.nodes.map((node, n) => (isDown.has(n) ? { ...node, isOffline: true } : node)),
  });
  const online = [...state.isOffline.keys()].filter((n) => !state.isOffline[n]);
  const unrestartable = state.storage
    ? new SharedStorageN1(state, state.storage, { nodes: online }).failing()
    : [];
  const failing = new Set([...badNodes(state, online), ...unrestartable]);
  const running = HAS_SECONDARY | USES_MEMORY;
  const onOneCopy = snapshot.instances.filter(
    ({ primary, secondary }, i) =>
      (state.flags[i]! & running) === running && (isDown.has(primary) || isDown.has(secondary)),
  ).length;
  return { failing: [...failing].sort((a, b) => a - b), onOneCopy };
}
