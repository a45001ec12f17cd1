/** hspread's report for programs: the JSON document, and keys and values. */
import { documentHead } from '../../../kit/report/json.ts';
import { keyValues } from '../../../kit/report/key-value.ts';
import type { DeepReadonly } from '../../../kit/results/members.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { planMembers } from '../../planners/groups/relocate/plan-facts.ts';
import type { LoadPicture, SpreadFacts } from '../../planners/groups/spread/spread-facts.ts';
import type { HspreadDocument } from '../../results/groups.ts';
import { costKeys, groupKeys } from '../shared/groups/group-figures.ts';
import { searchJson } from '../shared/groups/group-search.ts';
import { showScore } from '../shared/steps/said.ts';

const LOAD_DECIMALS = 3;

export function spreadJson(
  start: Snapshot,
  { leftOut, before, after, moves, end, plan, greedy }: SpreadFacts,
  options: ProgramOptions<'hspread'>,
  workShare: number,
): DeepReadonly<HspreadDocument> {
  const { jobSets, cost } = planMembers(plan);
  return {
    ...documentHead('hspread'),
    cluster: { nodes: start.nodes.length, instances: start.instances.length },
    leftOut,
    before,
    after,
    moves: moves.map(({ relocation: _, ...move }) => move),
    end,
    jobSets,
    cost,
    ...(greedy && { search: { ...searchJson(options, workShare), greedy } }),
  };
}

const outliers = ({ groups }: LoadPicture): number => groups.filter(({ above }) => above.length > 0).length;

/** `HSPREAD_KEY=value` lines; the last one says that all went well. */
export function spreadKeys({ before, after, moves, plan, greedy }: SpreadFacts): string {
  const ofGroups = after.groups.map(({ name, load }) => ({
    NAME: name,
    ...Object.fromEntries(Object.entries(load).map(([of, value]) => [of, value.toFixed(LOAD_DECIMALS)])),
  }));
  return keyValues('HSPREAD', {
    GROUPS: before.groups.length,
    INI_SPREAD: showScore(before.spread),
    FIN_SPREAD: showScore(after.spread),
    INI_OUTLIERS: outliers(before),
    FIN_OUTLIERS: outliers(after),
    STEPS: moves.length,
    ...groupKeys(ofGroups),
    ...costKeys(plan.cost),
    ...(greedy && { GREEDY_SPREAD: showScore(greedy.spread), GREEDY_COPIED_MIB: greedy.copiedMib }),
    OK: '1',
  });
}
