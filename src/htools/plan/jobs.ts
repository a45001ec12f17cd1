/** Sets of jobs that may run at the same time: their moves share no node (hbal(1), "the algorithm"). Pure. */

import type { Snapshot } from '../cluster/snapshot.ts';
import { setsNamedBy } from '../cluster/tags/placement-tags.ts';
import { hasSecondary } from '../cluster/templates.ts';
import type { PlanStep } from './plan.ts';

export interface PlannedJob {
  readonly step: PlanStep;
  /** Positions of the nodes that it occupies, each once. */
  readonly nodes: readonly number[];
}

/** Jobs that share no node, in the order of the plan; never empty. */
export type JobSet = readonly PlannedJob[];

/** Nodes that a move occupies: where the instance is before it, and where it is afterwards. */
export function involvedNodes(start: Snapshot, step: PlanStep): readonly number[] {
  const { diskTemplate } = start.instances[step.instance]!;
  const before = hasSecondary(diskTemplate) ? [step.fromPrimary, step.fromSecondary] : [step.fromPrimary];
  const nodes = [step.toPrimary, step.toSecondary, ...before].filter((node) => node >= 0);
  return [...new Set(nodes)];
}

/**
 * What a move may not overtake another by: its nodes, and the sets of its instance, as whether it may come to
 * a node depends on where the others are.
 */
export const heldBy = (
  { instances }: Snapshot,
  instance: number,
  nodes: readonly number[],
): readonly (number | string)[] => [...nodes, ...setsNamedBy(instances[instance]!.tags)];

/** Parts steps into runs without a common node, as long as they get from the last one back, as in stock. */
export function jobSets(start: Snapshot, steps: readonly PlanStep[]): readonly JobSet[] {
  const sets: PlannedJob[][] = [];
  let occupied = new Set<number>();
  for (const step of steps.toReversed()) {
    const job: PlannedJob = { step, nodes: involvedNodes(start, step) };
    const current = sets[0];
    if (current === undefined || job.nodes.some((node) => occupied.has(node))) {
      sets.unshift([job]);
      occupied = new Set(job.nodes);
    } else {
      current.unshift(job);
      for (const node of job.nodes) occupied.add(node);
    }
  }
  return sets;
}

/** The sets as jobs of one step each. */
export const stepJobs = (sets: readonly JobSet[]) =>
  sets.map((set) => set.map(({ step, nodes }) => ({ steps: [step], nodes })));

/** @param stretch how many steps ahead are looked at */
export function inJobSets<S extends PlanStep>(start: Snapshot, steps: readonly S[], stretch: number): S[] {
  let pending = steps.map((step) => ({
    step,
    held: heldBy(start, step.instance, involvedNodes(start, step)),
  }));
  const ordered: S[] = [];
  while (pending.length > 0) {
    const busy = new Set<number | string>();
    const later: typeof pending = [];
    pending.forEach((one, k) => {
      const isFree = k < stretch && one.held.every((key) => !busy.has(key));
      // What stays behind keeps its nodes and sets from all that come after it.
      for (const key of one.held) busy.add(key);
      if (isFree) ordered.push(one.step);
      else later.push(one);
    });
    pending = later;
  }
  return ordered;
}
