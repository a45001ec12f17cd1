/**
 * A plan between groups as facts for reports: its moves in the order in which they are made, its job sets,
 * and what it costs.
 */
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { type Cost, planCost } from '../../../plan/cost.ts';
import type { PriceRates } from '../../../plan/price.ts';
import { jobSchedule, type RelocationCost, relocationCost } from './job-schedule.ts';
import { isWithin, type Relocation } from './relocation.ts';
import { relocationCommands } from './relocation-commands.ts';

/** One instance that moves. */
export interface PlannedMove {
  readonly relocation: Relocation;
  readonly isWithinGroup: boolean;
  /** Number of the job set that it is in, from 1. */
  readonly jobSet: number;
  readonly cost: Cost;
  readonly commands: readonly string[];
}

export interface PlanFacts {
  /** In the order in which they are made. */
  readonly moves: readonly PlannedMove[];
  /** The moves of each set. */
  readonly jobSets: readonly (readonly PlannedMove[])[];
  readonly cost: RelocationCost;
}

/** How many instances a group gets. */
export interface Destination {
  readonly group: number;
  readonly instances: number;
}

export function planFacts(start: Snapshot, relocations: readonly Relocation[], rates: PriceRates): PlanFacts {
  const jobSets = jobSchedule(start, relocations).map((set, k) =>
    set.map(
      (relocation): PlannedMove => ({
        relocation,
        isWithinGroup: isWithin(relocation),
        jobSet: k + 1,
        cost: planCost({ start, steps: relocation.steps }),
        commands: relocationCommands(start, relocation),
      }),
    ),
  );
  return {
    moves: jobSets.flat(),
    jobSets,
    cost: relocationCost(start, relocations, rates),
  };
}

/** The groups that instances go to from other groups, in order of the groups. */
export function destinationsOf(relocations: readonly Relocation[]): Destination[] {
  const counts = new Map<number, number>();
  for (const one of relocations)
    if (!isWithin(one)) counts.set(one.to.group, (counts.get(one.to.group) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a - b).map(([group, instances]) => ({ group, instances }));
}
