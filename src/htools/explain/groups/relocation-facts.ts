/** A relocation as facts with names. */
import type { Snapshot } from '../../cluster/snapshot.ts';
import { moveNotation } from '../../plan/commands.ts';
import { planCost } from '../../plan/cost.ts';
import type { TargetRefusal } from '../../planners/groups/homes/targets.ts';
import type { Home } from '../../planners/groups/relocate/home.ts';
import type { Relocation } from '../../planners/groups/relocate/relocation.ts';
import { relocationCommands } from '../../planners/groups/relocate/relocation-commands.ts';
import { placeOf } from '../placement.ts';
import type { GroupChange, GroupPlace, GroupRefusal, RelocationFacts } from './record.ts';

const groupPlaceOf = (start: Snapshot, { group, primary, secondary }: Home): GroupPlace => ({
  group: start.groups[group]!.name,
  ...placeOf(start, primary, secondary),
});

/** @param groups what becomes of the scores of the groups */
export const relocationFacts = (
  start: Snapshot,
  relocation: Relocation,
  groups: readonly GroupChange[],
): RelocationFacts => ({
  instance: start.instances[relocation.instance]!.name,
  from: groupPlaceOf(start, relocation.from),
  to: groupPlaceOf(start, relocation.to),
  steps: relocation.steps.map((step) => moveNotation(start, step)),
  groups,
  cost: planCost({ start, steps: relocation.steps }),
  commands: relocationCommands(start, relocation),
});

export const groupRefusalFacts = (
  { groups }: Snapshot,
  { group, ...refusal }: TargetRefusal,
): GroupRefusal => ({ ...refusal, group: groups[group]!.name });
