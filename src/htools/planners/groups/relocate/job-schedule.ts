/**
 * Relocations as jobs, in sets that may run side by side.
 *
 * All steps of one relocation are one job: a script that is stopped between two jobs leaves no instance
 * half-way between groups. A job stands in the set behind the last one that shares a node with it; jobs
 * without a common node do not depend on each other, so their order does not matter. A node that is offline
 * counts only where the instance runs all the same: otherwise nothing is done there.
 */
import { isRunning } from '../../../cluster/instance-status.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { type Cost, planCost, sumOfCosts } from '../../../plan/cost.ts';
import { type PriceRates, sideBySide, stepSeconds } from '../../../plan/price.ts';
import { nodesOf, type Relocation } from './relocation.ts';

/** Parts relocations into sets without a common node, in order; no set is empty. */
export function jobSchedule(start: Snapshot, relocations: readonly Relocation[]): (readonly Relocation[])[] {
  const sets: Relocation[][] = [];
  /** Number of the last set that uses a node, from 1. */
  const lastUse = new Map<number, number>();
  for (const relocation of relocations) {
    const runs = isRunning(start.instances[relocation.instance]!);
    const nodes = nodesOf(relocation).filter((n) => runs || !start.nodes[n]!.isOffline);
    const at = Math.max(0, ...nodes.map((n) => lastUse.get(n) ?? 0));
    for (const n of nodes) lastUse.set(n, at + 1);
    if (sets[at]) sets[at].push(relocation);
    else sets[at] = [relocation];
  }
  return sets;
}

/** What relocations cost, and how long they take. */
export interface RelocationCost extends Cost {
  readonly instances: number;
  /** By the clock. */
  readonly seconds: number;
  readonly bandwidthMibPerSecond: number;
}

/** Cost of relocations: jobs of a set at once, each with all of the bandwidth; sets one after another. */
export function relocationCost(
  start: Snapshot,
  relocations: readonly Relocation[],
  rates: PriceRates,
): RelocationCost {
  const secondsOf = ({ steps }: Relocation): number =>
    steps.reduce((sum, step) => sum + stepSeconds(start, step, rates), 0);
  const sets = jobSchedule(start, relocations);
  return {
    instances: relocations.length,
    ...sumOfCosts(relocations.map(({ steps }) => planCost({ start, steps }))),
    seconds: sets.reduce((sum, set) => sum + sideBySide(set.map(secondsOf), rates.parallel), 0),
    bandwidthMibPerSecond: rates.bandwidth,
  };
}
