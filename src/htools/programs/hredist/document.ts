/** hredist's document, of which text and page are made, and the same as keys and values. */
import { documentHead } from '../../../kit/report/json.ts';
import { keyValues } from '../../../kit/report/key-value.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import type { DeepOptions } from '../../planners/anneal/budget.ts';
import type { Redistribution } from '../../planners/groups/heal/redistribute.ts';
import type { Survey } from '../../planners/groups/heal/survey.ts';
import { destinationsOf, type PlanFacts, planMembers } from '../../planners/groups/relocate/plan-facts.ts';
import { isWithin, type Relocation } from '../../planners/groups/relocate/relocation.ts';
import type { HredistDocument } from '../../results/groups.ts';
import { costKeys, groupKeys } from '../shared/groups/group-figures.ts';
import { searchMember } from '../shared/groups/group-search.ts';
import type { GroupWork } from '../shared/groups/group-work.ts';

export type Document = HredistDocument;

/** Why no group can take instances of another one; null where one can. */
function noHelpOf({ isForbidden, healthy, sick, alone }: Survey): Document['noHelp'] {
  if (isForbidden) return 'forbidden';
  if (sick.length > 0 && sick.every(({ group }) => alone.includes(group))) return 'alone';
  return healthy.length === 0 ? 'no-healthy-group' : null;
}

export function redistributionDocument(
  { cluster, options }: GroupWork<ProgramOptions<'hredist'>>,
  survey: Survey,
  { healings, relocations, greedy }: Redistribution,
  plan: PlanFacts,
  deep: DeepOptions | undefined,
): Document {
  const { snapshot, state } = cluster;
  const { groups, nodes } = snapshot;
  const nodeNames = (some: readonly number[]): string[] => some.map((n) => nodes[n]!.name);
  const shareOf = (some: readonly Relocation[]) => ({
    instances: some.length,
    copiedMib: cluster.copiedMib(some),
  });
  const healedOf = (list: Redistribution['healings']): number =>
    list.filter(({ isHealed }) => isHealed).length;
  const gone = new Set(relocations.map(({ instance }) => instance));
  /** Offline nodes that are empty afterwards and were not before. */
  const freed = survey.all
    .flatMap(({ deadNodes }) => deadNodes)
    .filter((n) => [...state.primaries[n]!, ...state.secondaries[n]!].every((i) => gone.has(i)));
  return {
    ...documentHead('hredist'),
    cluster: { nodes: nodes.length, instances: snapshot.instances.length },
    isForbidden: survey.isForbidden,
    noHelp: noHelpOf(survey),
    leftOut: cluster.namesOf(cluster.leftOut),
    groups: survey.all.map((health) => ({
      name: groups[health.group]!.name,
      allocPolicy: groups[health.group]!.allocPolicy,
      state: health.state,
      isAlone: survey.alone.includes(health.group),
      deadNodes: nodeNames(health.deadNodes),
      failingNodes: health.failing.length,
      overcommittedNodes: nodeNames(health.overcommitted),
      unrestartableNodes: nodeNames(health.unrestartable),
    })),
    healings: healings.map(({ group, isHealed, relocations: all, acrossOnly = null, stranded }) => {
      const across = all.filter((one) => !isWithin(one));
      return {
        group: groups[group]!.name,
        isHealed,
        instances: all.length,
        within: shareOf(all.filter(isWithin)),
        across: { ...shareOf(across), destinations: destinationsOf(snapshot, across) },
        acrossOnly,
        stranded,
      };
    }),
    ...planMembers(plan),
    gain: {
      groupsHealed: healedOf(healings),
      nodesFreed: nodeNames(freed),
      freedMemMib: freed.reduce((sum, n) => sum + nodes[n]!.totalMemMib, 0),
    },
    ...searchMember(
      options,
      deep,
      greedy && { greedy: { groupsHealed: healedOf(greedy.healings), ...shareOf(greedy.relocations) } },
    ),
  };
}

export function redistributionKeys(document: Document): string {
  const { groups, healings, cost, gain, isForbidden, search } = document;
  const inState = (state: string): number => groups.filter((one) => one.state === state).length;
  const ofGroups = healings.map((one) => ({
    NAME: one.group,
    HEALED: one.isHealed,
    INSTANCES: one.instances,
    WITHIN: one.within.instances,
    STRANDED: one.stranded.length,
  }));
  return keyValues('HREDIST', {
    UNHEALTHY: inState('unhealthy'),
    WEAK: inState('weak'),
    HEALTHY: inState('healthy'),
    ALONE: groups.filter(({ isAlone }) => isAlone).length,
    FORBIDDEN: isForbidden,
    HEALED: gain.groupsHealed,
    STRANDED: healings.reduce((sum, { stranded }) => sum + stranded.length, 0),
    ...groupKeys(ofGroups),
    ...costKeys(cost),
    NODES_FREED: gain.nodesFreed.length,
    ...(search && { GREEDY_HEALED: search.greedy.groupsHealed!, GREEDY_COPIED_MIB: search.greedy.copiedMib }),
  });
}
