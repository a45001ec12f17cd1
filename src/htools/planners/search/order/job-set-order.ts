/**
 * Fewer job sets: steps that share no node with what stands before them are drawn forward into the current
 * set.
 *
 * Steps without a common node can change places, whatever the rules, since rules ask about the nodes of a
 * move alone. Only steps of the next stretch are drawn forward, so that useful ones stay in front.
 */
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { involvedNodes } from '../../../plan/jobs.ts';
import type { PlanStep } from '../../../plan/plan.ts';

/** @param stretch how many steps ahead are looked at */
export function inJobSets<S extends PlanStep>(start: Snapshot, steps: readonly S[], stretch: number): S[] {
  let pending = steps.map((step) => ({ step, nodes: involvedNodes(start, step) }));
  const ordered: S[] = [];
  while (pending.length > 0) {
    const busy = new Set<number>();
    const later: typeof pending = [];
    pending.forEach((one, k) => {
      const isFree = k < stretch && one.nodes.every((node) => !busy.has(node));
      // What stays behind keeps its nodes from all that come after it.
      for (const node of one.nodes) busy.add(node);
      if (isFree) ordered.push(one.step);
      else later.push(one);
    });
    pending = later;
  }
  return ordered;
}
