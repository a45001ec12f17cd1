/** hredist's report for programs: the JSON document, and keys and values. */
import { documentHead } from '../../../kit/report/json.ts';
import { keyValue } from '../../../kit/report/key-value.ts';
import type { DeepReadonly } from '../../../kit/results/members.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import type { RedistributionFacts } from '../../planners/groups/heal/healing-facts.ts';
import { planMembers } from '../../planners/groups/relocate/plan-facts.ts';
import type { HredistDocument } from '../../results/groups.ts';
import { costKeys } from '../shared/groups/group-figures.ts';
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

const greedyKeys = (greedy: RedistributionFacts['greedy']): [string, string][] =>
  greedy
    ? [
        ['GREEDY_HEALED', `${greedy.groupsHealed}`],
        ['GREEDY_COPIED_MIB', `${greedy.copiedMib}`],
      ]
    : [];

/** `HREDIST_KEY=value` lines; the last one says that all went well. */
export function redistributionKeys(facts: RedistributionFacts): string {
  const { counts, healings, plan, gain, groups, isForbidden, greedy } = facts;
  const pairs: [string, string][] = [
    ['UNHEALTHY', `${counts.unhealthy}`],
    ['WEAK', `${counts.weak}`],
    ['HEALTHY', `${counts.healthy}`],
    ['ALONE', `${groups.filter(({ isAlone }) => isAlone).length}`],
    ['FORBIDDEN', isForbidden ? '1' : '0'],
    ['HEALED', `${gain.groupsHealed}`],
    ['STRANDED', `${counts.stranded}`],
    ...healings.flatMap((one, k): [string, string][] => [
      [`GROUP_${k}_NAME`, one.group],
      [`GROUP_${k}_HEALED`, one.isHealed ? '1' : '0'],
      [`GROUP_${k}_INSTANCES`, `${one.instances}`],
      [`GROUP_${k}_WITHIN`, `${one.within.instances}`],
      [`GROUP_${k}_STRANDED`, `${one.stranded.length}`],
    ]),
    ...costKeys(plan.cost),
    ['NODES_FREED', `${gain.nodesFreed.length}`],
    ...greedyKeys(greedy),
    ['OK', '1'],
  ];
  return pairs.map(([key, value]) => keyValue('HREDIST', key, value)).join('');
}
