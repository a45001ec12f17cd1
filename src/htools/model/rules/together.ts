/**
 * Rule "together": instances of one set have one primary. An instance may come only to an online node with as
 * many of its set as any other one has; so a set that is together stays so, and one that is parted can only
 * grow together. Source: docs/reference/rules.md.
 */
import { ALLOWED, FAIL_TAGS, type FailCode } from '../../cluster/refusal.ts';
import type { ClusterState } from '../state/state.ts';

/** The most of a set, but for one instance, that have the same online node as primary. */
function mostTogether(state: ClusterState, set: readonly number[], except: number): number {
  const counts = new Map<number, number>();
  let most = 0;
  for (const mate of set) {
    const node = state.primary[mate]!;
    if (mate === except || node < 0 || state.isOffline[node] === 1) continue;
    const count = (counts.get(node) ?? 0) + 1;
    counts.set(node, count);
    most = Math.max(most, count);
  }
  return most;
}

/** How many of a set, but for one instance, have that node as primary. */
export function countOn(state: ClusterState, set: readonly number[], node: number, except: number): number {
  let count = 0;
  for (const mate of set) if (mate !== except && state.primary[mate] === node) count++;
  return count;
}

/** Why the instance may not come to the node as primary. */
export function togetherRefusal(state: ClusterState, i: number, node: number): FailCode {
  for (const set of state.placement.setsWith(i))
    if (countOn(state, set, node, i) < mostTogether(state, set, i)) return FAIL_TAGS;
  return ALLOWED;
}
