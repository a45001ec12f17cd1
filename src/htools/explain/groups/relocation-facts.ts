/** A relocation as facts with names. */
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { TargetRefusal } from '../../planners/groups/homes/targets.ts';
import { relocationFacts } from '../../planners/groups/relocate/plan-facts.ts';
import type { Relocation } from '../../planners/groups/relocate/relocation.ts';
import type { GroupChange, GroupRefusal } from '../record.ts';

/** @param groups what becomes of the scores of the groups */
export function explainedRelocation(start: Snapshot, relocation: Relocation, groups: readonly GroupChange[]) {
  const { instance, from, to, steps, commands, cost } = relocationFacts(start, relocation);
  return { instance, from, to, steps, groups, cost, commands };
}

export const groupRefusalFacts = (
  { groups }: Snapshot,
  { group, ...refusal }: TargetRefusal,
): GroupRefusal => ({ ...refusal, group: groups[group]!.name });
