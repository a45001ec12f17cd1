/** What redistribution found, as facts for the reports of hredist. */
import type { PriceRates } from '../../../plan/price.ts';
import { failingNodes, type HealthState } from '../homes/health.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import type { Stranded } from '../refusals/refusals.ts';
import { copiedMibOfAll } from '../relocate/job-schedule.ts';
import { type Destination, destinationsOf, type PlanFacts, planFacts } from '../relocate/plan-facts.ts';
import { isWithin, type Relocation } from '../relocate/relocation.ts';
import type { GroupHealing, Redistribution } from './redistribute.ts';
import type { Survey } from './survey.ts';

/** State of a group before anything is done; nodes as positions. */
export interface SurveyedGroup {
  readonly group: number;
  readonly state: HealthState;
  readonly isAlone: boolean;
  readonly deadNodes: readonly number[];
  readonly overcommittedNodes: readonly number[];
  readonly unrestartableNodes: readonly number[];
  /** Online nodes that fail N+1 in either way. */
  readonly failing: number;
}

/** Instances that move, and what that copies. */
export interface Share {
  readonly instances: number;
  readonly copiedMib: number;
}

export interface HealingFacts {
  readonly group: number;
  readonly isHealed: boolean;
  readonly within: Share;
  readonly across: Share & { readonly destinations: readonly Destination[] };
  /** What it would cost without moves within the group; undefined where that would not heal it. */
  readonly acrossOnly: Share | undefined;
  readonly stranded: readonly Stranded[];
}

/**
 * Why no group can take instances of another one; undefined where one can. forbidden: by the cluster's tag;
 * no-healthy-group; alone: the sick groups share no storage with another.
 */
export type NoHelp = 'forbidden' | 'no-healthy-group' | 'alone';

export interface RedistributionFacts {
  readonly groups: readonly SurveyedGroup[];
  readonly leftOut: readonly number[];
  readonly isForbidden: boolean;
  readonly noHelp: NoHelp | undefined;
  readonly counts: Readonly<Record<HealthState | 'sick' | 'healed' | 'stranded', number>>;
  readonly healings: readonly HealingFacts[];
  readonly plan: PlanFacts;
  /** What would be done without the deep search; undefined where there was none. */
  readonly greedy: (Share & { readonly healed: number }) | undefined;
  /** Offline nodes that are empty afterwards and were not before, and their memory. */
  readonly freed: { readonly nodes: readonly number[]; readonly memMib: number };
}

function shareOf({ snapshot }: SuperCluster, relocations: readonly Relocation[]): Share {
  return {
    instances: relocations.length,
    copiedMib: copiedMibOfAll(snapshot, relocations),
  };
}

function healingFacts(cluster: SuperCluster, one: GroupHealing): HealingFacts {
  const within = one.relocations.filter(isWithin);
  const across = one.relocations.filter((relocation) => !isWithin(relocation));
  return {
    group: one.group,
    isHealed: one.isHealed,
    within: shareOf(cluster, within),
    across: { ...shareOf(cluster, across), destinations: destinationsOf(across) },
    acrossOnly: one.acrossOnly,
    stranded: one.stranded,
  };
}

function freedBy({ state, snapshot }: SuperCluster, { all }: Survey, relocations: readonly Relocation[]) {
  const gone = new Set(relocations.map(({ instance }) => instance));
  const dead = all.flatMap(({ deadNodes }) => deadNodes);
  const nodes = dead.filter((n) =>
    [...state.primaries[n]!, ...state.secondaries[n]!].every((i) => gone.has(i)),
  );
  return { nodes, memMib: nodes.reduce((sum, n) => sum + snapshot.nodes[n]!.totalMemMib, 0) };
}

function noHelpOf({ isForbidden, healthy, sick, alone }: Survey): NoHelp | undefined {
  if (isForbidden) return 'forbidden';
  if (sick.length > 0 && sick.every(({ group }) => alone.includes(group))) return 'alone';
  return healthy.length === 0 ? 'no-healthy-group' : undefined;
}

/** @param cluster as it was before anything was done */
export function redistributionFacts(
  cluster: SuperCluster,
  survey: Survey,
  result: Redistribution,
  rates: PriceRates,
): RedistributionFacts {
  const count = (state: HealthState): number => survey.all.filter((one) => one.state === state).length;
  const healings = result.healings.map((one) => healingFacts(cluster, one));
  return {
    groups: survey.all.map((health) => ({
      group: health.group,
      state: health.state,
      isAlone: survey.alone.includes(health.group),
      deadNodes: health.deadNodes,
      overcommittedNodes: health.overcommitted,
      unrestartableNodes: health.unrestartable,
      failing: failingNodes(health).length,
    })),
    leftOut: survey.leftOut,
    isForbidden: survey.isForbidden,
    noHelp: noHelpOf(survey),
    counts: {
      unhealthy: count('unhealthy'),
      weak: count('weak'),
      healthy: count('healthy'),
      sick: survey.sick.length,
      healed: healings.filter(({ isHealed }) => isHealed).length,
      stranded: healings.reduce((sum, { stranded }) => sum + stranded.length, 0),
    },
    healings,
    plan: planFacts(cluster.snapshot, result.relocations, rates),
    greedy: result.greedy && {
      healed: result.greedy.healings.filter(({ isHealed }) => isHealed).length,
      ...shareOf(cluster, result.greedy.relocations),
    },
    freed: freedBy(cluster, survey, result.relocations),
  };
}
