/** A plan between groups as facts for reports: moves in order, job sets, and what it costs. */
import { tallied } from '../../../../kit/grouped.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { moveNotation } from '../../../plan/commands.ts';
import { planCost } from '../../../plan/cost.ts';
import type { PriceRates } from '../../../plan/price.ts';
import type { relocationMove } from '../../../results/groups.ts';
import { type Home, isWithin, type Relocation } from './relocation.ts';
import { jobSchedule, type RelocationCost, relocationCommands, relocationCost } from './relocation-plan.ts';

/** One instance that moves, as documents have it. */
export type PlannedMove = DocumentOf<typeof relocationMove> & { readonly relocation: Relocation };

export interface PlanFacts {
  /** In an order in which they can be made: that of the job sets, unless a program tells them otherwise. */
  readonly moves: readonly PlannedMove[];
  readonly jobSets: readonly (readonly PlannedMove[])[];
  readonly cost: RelocationCost;
}

const groupPlaceOf = ({ groups, nodes }: Snapshot, { group, primary, secondary }: Home) => ({
  group: groups[group]!.name,
  primary: nodes[primary]!.name,
  secondary: nodes[secondary]?.name ?? null,
});

export const relocationFacts = (start: Snapshot, relocation: Relocation) => ({
  instance: start.instances[relocation.instance]!.name,
  from: groupPlaceOf(start, relocation.from),
  to: groupPlaceOf(start, relocation.to),
  steps: relocation.steps.map((step) => moveNotation(start, step)),
  commands: relocationCommands(start, relocation),
  cost: planCost({ start, steps: relocation.steps }),
});

export function planFacts(start: Snapshot, relocations: readonly Relocation[], rates: PriceRates): PlanFacts {
  const jobSets = jobSchedule(start, relocations).map((set, k) =>
    set.map((relocation): PlannedMove => {
      const { instance, from, to, steps, commands, cost } = relocationFacts(start, relocation);
      const isWithinGroup = isWithin(relocation);
      return { relocation, instance, from, to, isWithinGroup, steps, commands, jobSet: k + 1, cost };
    }),
  );
  return { moves: jobSets.flat(), jobSets, cost: relocationCost(start, relocations, rates) };
}

/** The groups that instances go to from other groups, and how many go there, in order of the groups. */
export const destinationsOf = (start: Snapshot, relocations: readonly Relocation[]) =>
  [...tallied(relocations.filter((one) => !isWithin(one)).map(({ to }) => to.group))]
    .sort(([a], [b]) => a - b)
    .map(([group, instances]) => ({ group: start.groups[group]!.name, instances }));

export const planMembers = ({ moves, jobSets, cost }: PlanFacts) => ({
  moves: moves.map(({ relocation: _, ...move }) => move),
  jobSets: jobSets.map((set) => set.map(({ instance, commands }) => ({ instance, commands }))),
  cost,
});
