/** What redistribution found, as facts for the reports of hredist. */
import type { DeepReadonly } from '../../../../kit/results/members.ts';
import type { HredistDocument } from '../../../results/groups.ts';
import { failingNodes, type HealthState } from '../homes/health.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import type { Stranded } from '../refusals/refusals.ts';
import { destinationsOf, type PlanFacts, planFacts } from '../relocate/plan-facts.ts';
import { isWithin, type Relocation } from '../relocate/relocation.ts';
import type { GroupHealing, Redistribution } from './redistribute.ts';
import type { Survey } from './survey.ts';

type Document = DeepReadonly<HredistDocument>;

/** What heals a group; `acrossOnly` is null where moves to other groups alone would not heal it. */
export type HealingFacts = Omit<Document['healings'][number], 'stranded'> & {
  readonly stranded: readonly Stranded[];
};

/** Instances that move, and what that copies. */
export type Share = HealingFacts['within'];

/** Members of the document, and what else the text says. */
export interface RedistributionFacts
  extends Pick<Document, 'isForbidden' | 'noHelp' | 'leftOut' | 'groups' | 'gain'> {
  readonly counts: Readonly<Record<HealthState | 'sick' | 'stranded', number>>;
  readonly healings: readonly HealingFacts[];
  readonly plan: PlanFacts;
  /** What would be done without the deep search; undefined where there was none. */
  readonly greedy: (Share & { readonly groupsHealed: number }) | undefined;
}

const shareOf = (cluster: SuperCluster, relocations: readonly Relocation[]): Share => ({
  instances: relocations.length,
  copiedMib: cluster.copiedMib(relocations),
});

function healingFacts(
  cluster: SuperCluster,
  { group, isHealed, relocations, acrossOnly, stranded }: GroupHealing,
): HealingFacts {
  const { snapshot } = cluster;
  const across = relocations.filter((relocation) => !isWithin(relocation));
  return {
    group: snapshot.groups[group]!.name,
    isHealed,
    instances: relocations.length,
    within: shareOf(cluster, relocations.filter(isWithin)),
    across: { ...shareOf(cluster, across), destinations: destinationsOf(snapshot, across) },
    acrossOnly: acrossOnly ?? null,
    stranded,
  };
}

/** Offline nodes that are empty afterwards and were not before, and their memory. */
function freedBy({ state, snapshot }: SuperCluster, { all }: Survey, relocations: readonly Relocation[]) {
  const gone = new Set(relocations.map(({ instance }) => instance));
  const freed = all
    .flatMap(({ deadNodes }) => deadNodes)
    .filter((n) => [...state.primaries[n]!, ...state.secondaries[n]!].every((i) => gone.has(i)))
    .map((n) => snapshot.nodes[n]!);
  return {
    nodesFreed: freed.map(({ name }) => name),
    freedMemMib: freed.reduce((sum, { totalMemMib }) => sum + totalMemMib, 0),
  };
}

/** Why no group can take instances of another one; null where one can. */
function noHelpOf({ isForbidden, healthy, sick, alone }: Survey): Document['noHelp'] {
  if (isForbidden) return 'forbidden';
  if (sick.length > 0 && sick.every(({ group }) => alone.includes(group))) return 'alone';
  return healthy.length === 0 ? 'no-healthy-group' : null;
}

/** @param cluster as it was before anything was done */
export function redistributionFacts(
  cluster: SuperCluster,
  survey: Survey,
  result: Redistribution,
): RedistributionFacts {
  const count = (state: HealthState): number => survey.all.filter((one) => one.state === state).length;
  const healings = result.healings.map((one) => healingFacts(cluster, one));
  const healed = (list: readonly { readonly isHealed: boolean }[]): number =>
    list.filter(({ isHealed }) => isHealed).length;
  const { groups, nodes } = cluster.snapshot;
  const namesOf = (some: readonly number[]): string[] => some.map((n) => nodes[n]!.name);
  return {
    isForbidden: survey.isForbidden,
    noHelp: noHelpOf(survey),
    leftOut: cluster.leftOut.map((group) => groups[group]!.name),
    groups: survey.all.map((health) => ({
      name: groups[health.group]!.name,
      allocPolicy: groups[health.group]!.allocPolicy,
      state: health.state,
      isAlone: survey.alone.includes(health.group),
      deadNodes: namesOf(health.deadNodes),
      failingNodes: failingNodes(health).length,
      overcommittedNodes: namesOf(health.overcommitted),
      unrestartableNodes: namesOf(health.unrestartable),
    })),
    healings,
    gain: { groupsHealed: healed(healings), ...freedBy(cluster, survey, result.relocations) },
    counts: {
      unhealthy: count('unhealthy'),
      weak: count('weak'),
      healthy: count('healthy'),
      sick: survey.sick.length,
      stranded: healings.reduce((sum, { stranded }) => sum + stranded.length, 0),
    },
    plan: planFacts(cluster.snapshot, result.relocations, cluster.rates),
    greedy: result.greedy && {
      groupsHealed: healed(result.greedy.healings),
      ...shareOf(cluster, result.greedy.relocations),
    },
  };
}
