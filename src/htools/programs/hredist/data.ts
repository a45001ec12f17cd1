/** hredist's report for programs: the JSON document, and keys and values. */
import { documentHead } from '../../../kit/report/json.ts';
import { keyValues } from '../../../kit/report/key-value.ts';
import type { DeepReadonly } from '../../../kit/results/members.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import type { RedistributionFacts } from '../../planners/groups/heal/healing-facts.ts';
import { planMembers } from '../../planners/groups/relocate/plan-facts.ts';
import type { HredistDocument } from '../../results/groups.ts';
import { costKeys, groupKeys } from '../shared/groups/group-figures.ts';
import { searchJson } from '../shared/groups/group-search.ts';
import { strandedJson } from '../shared/groups/refusal-text.ts';

export function redistributionJson(
  start: Snapshot,
  facts: RedistributionFacts,
  options: ProgramOptions<'hredist'>,
  workShare: number,
): DeepReadonly<HredistDocument> {
  const { isForbidden, noHelp, leftOut, groups, healings, plan, gain, greedy } = facts;
  return {
    ...documentHead('hredist'),
    cluster: { nodes: start.nodes.length, instances: start.instances.length },
    isForbidden,
    noHelp,
    leftOut,
    groups,
    healings: healings.map((one) => ({ ...one, stranded: strandedJson(start, one.stranded) })),
    ...planMembers(plan),
    gain,
    ...(greedy && { search: { ...searchJson(options, workShare), greedy } }),
  };
}

/** `HREDIST_KEY=value` lines; the last one says that all went well. */
export function redistributionKeys(facts: RedistributionFacts): string {
  const { counts, healings, plan, gain, groups, isForbidden, greedy } = facts;
  const ofGroups = healings.map((one) => ({
    NAME: one.group,
    HEALED: one.isHealed,
    INSTANCES: one.instances,
    WITHIN: one.within.instances,
    STRANDED: one.stranded.length,
  }));
  return keyValues('HREDIST', {
    UNHEALTHY: counts.unhealthy,
    WEAK: counts.weak,
    HEALTHY: counts.healthy,
    ALONE: groups.filter(({ isAlone }) => isAlone).length,
    FORBIDDEN: isForbidden,
    HEALED: gain.groupsHealed,
    STRANDED: counts.stranded,
    ...groupKeys(ofGroups),
    ...costKeys(plan.cost),
    NODES_FREED: gain.nodesFreed.length,
    ...(greedy && { GREEDY_HEALED: greedy.groupsHealed, GREEDY_COPIED_MIB: greedy.copiedMib }),
    OK: '1',
  });
}
