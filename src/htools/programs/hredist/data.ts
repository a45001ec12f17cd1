/** hredist's report for programs: the JSON document, and keys and values. */

import { SCHEMA_VERSION } from '../../../kit/report/json.ts';
import { keyValue } from '../../../kit/report/key-value.ts';
import type { DeepReadonly } from '../../../kit/results/members.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import type { RedistributionFacts } from '../../planners/groups/heal/healing-facts.ts';
import type { HredistDocument } from '../../results/groups.ts';
import { costKeys } from '../shared/groups/group-figures.ts';
import { searchJson } from '../shared/groups/group-search.ts';
import { destinationsJson, jobSetsJson, moveJson } from '../shared/groups/move-lines.ts';
import { strandedJson } from '../shared/groups/refusal-text.ts';

export function redistributionJson(
  start: Snapshot,
  facts: RedistributionFacts,
  options: ProgramOptions<'hredist'>,
): DeepReadonly<HredistDocument> {
  const nameOf = (group: number): string => start.groups[group]!.name;
  const nodeNames = (nodes: readonly number[]): string[] => nodes.map((n) => start.nodes[n]!.name);
  const { plan } = facts;
  return {
    schemaVersion: SCHEMA_VERSION,
    program: 'hredist',
    cluster: { nodes: start.nodes.length, instances: start.instances.length },
    isForbidden: facts.isForbidden,
    noHelp: facts.noHelp ?? null,
    leftOut: facts.leftOut.map(nameOf),
    groups: facts.groups.map((one) => ({
      name: nameOf(one.group),
      allocPolicy: start.groups[one.group]!.allocPolicy,
      state: one.state,
      isAlone: one.isAlone,
      deadNodes: nodeNames(one.deadNodes),
      failingNodes: one.failing,
      overcommittedNodes: nodeNames(one.overcommittedNodes),
      unrestartableNodes: nodeNames(one.unrestartableNodes),
    })),
    healings: facts.healings.map((one) => ({
      group: nameOf(one.group),
      isHealed: one.isHealed,
      instances: one.within.instances + one.across.instances,
      within: one.within,
      across: {
        instances: one.across.instances,
        copiedMib: one.across.copiedMib,
        destinations: destinationsJson(start, one.across.destinations),
      },
      acrossOnly: one.acrossOnly ?? null,
      stranded: strandedJson(start, one.stranded),
    })),
    moves: plan.moves.map((move) => moveJson(start, move)),
    jobSets: jobSetsJson(start, plan),
    cost: plan.cost,
    gain: {
      groupsHealed: facts.counts.healed,
      nodesFreed: nodeNames(facts.freed.nodes),
      freedMemMib: facts.freed.memMib,
    },
    ...(facts.greedy && { search: searchOf(facts.greedy, options) }),
  };
}

const searchOf = (
  { healed, instances, copiedMib }: NonNullable<RedistributionFacts['greedy']>,
  options: ProgramOptions<'hredist'>,
) => ({
  ...searchJson(options),
  greedy: { groupsHealed: healed, instances, copiedMib },
});

const greedyKeys = (greedy: RedistributionFacts['greedy']): [string, string][] =>
  greedy
    ? [
        ['GREEDY_HEALED', `${greedy.healed}`],
        ['GREEDY_COPIED_MIB', `${greedy.copiedMib}`],
      ]
    : [];

/** `HREDIST_KEY=value` lines; the last one says that all went well. */
export function redistributionKeys(start: Snapshot, facts: RedistributionFacts): string {
  const { counts, healings, plan, freed, groups, isForbidden, greedy } = facts;
  const pairs: [string, string][] = [
    ['UNHEALTHY', `${counts.unhealthy}`],
    ['WEAK', `${counts.weak}`],
    ['HEALTHY', `${counts.healthy}`],
    ['ALONE', `${groups.filter(({ isAlone }) => isAlone).length}`],
    ['FORBIDDEN', isForbidden ? '1' : '0'],
    ['HEALED', `${counts.healed}`],
    ['STRANDED', `${counts.stranded}`],
    ...healings.flatMap((one, k): [string, string][] => [
      [`GROUP_${k}_NAME`, start.groups[one.group]!.name],
      [`GROUP_${k}_HEALED`, one.isHealed ? '1' : '0'],
      [`GROUP_${k}_INSTANCES`, `${one.within.instances + one.across.instances}`],
      [`GROUP_${k}_WITHIN`, `${one.within.instances}`],
      [`GROUP_${k}_STRANDED`, `${one.stranded.length}`],
    ]),
    ...costKeys(plan.cost),
    ['NODES_FREED', `${freed.nodes.length}`],
    ...greedyKeys(greedy),
    ['OK', '1'],
  ];
  return pairs.map(([key, value]) => keyValue('HREDIST', key, value)).join('');
}
