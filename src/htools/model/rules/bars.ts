/** Which of the rules as tags bars an instance from a node. */
import { meansNode, wishesOf } from '../../cluster/tags/placement-tags.ts';
import type { ClusterState } from '../state/state.ts';

/** The rule's name in docs/reference/rules.md; undefined where the instance may be there. */
export function barringRule(state: ClusterState, i: number, node: number): 'pinned' | 'keep-off' | undefined {
  if (!state.placement.isBarred(i, node)) return undefined;
  const { keepOff } = wishesOf(state.instanceRecord(i).tags);
  const isKeptOff = keepOff.some((name) => meansNode(name, state.snapshot.nodes[node]!));
  return isKeptOff ? 'keep-off' : 'pinned';
}
