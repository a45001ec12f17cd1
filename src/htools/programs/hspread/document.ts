/** hspread's document, of which text and page are made, and the same as keys and values. */
import { documentHead } from '../../../kit/report/json.ts';
import { keyValues } from '../../../kit/report/key-value.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { planCost } from '../../plan/cost.ts';
import type { DeepOptions } from '../../planners/anneal/budget.ts';
import type { SuperCluster } from '../../planners/groups/homes/super-cluster.ts';
import { type PlanFacts, planMembers } from '../../planners/groups/relocate/plan-facts.ts';
import type { SpreadStep } from '../../planners/groups/spread/deep-spread.ts';
import { type GroupLoads, LOAD_RESOURCES } from '../../planners/groups/spread/group-load.ts';
import type { Spreading } from '../../planners/groups/spread/spread.ts';
import type { HspreadDocument } from '../../results/groups.ts';
import { costKeys, groupKeys } from '../shared/groups/group-figures.ts';
import { searchMember } from '../shared/groups/group-search.ts';
import type { GroupWork } from '../shared/groups/group-work.ts';
import { showScore } from '../shared/steps/said.ts';

export type Document = HspreadDocument;

/** How the load lies at one time, 1 = as loaded as the whole cluster. */
export type LoadPicture = Document['before'];

export const LOAD_DECIMALS = 3;

/** @param threshold share above the mean from which on a group stands out */
export function pictureOf({ snapshot }: SuperCluster, loads: GroupLoads, threshold: number): LoadPicture {
  return {
    spread: loads.score,
    groups: loads.groups.map((group) => ({
      name: snapshot.groups[group]!.name,
      load: Object.fromEntries(
        loads.of(group).map((load, r) => [LOAD_RESOURCES[r], load]),
      ) as LoadPicture['groups'][number]['load'],
      above: loads.above(group, threshold),
    })),
  };
}

/** @param plan with the moves of the steps, in their order @param greedy the steps without the deep search */
export function spreadDocument(
  { cluster, options }: GroupWork<ProgramOptions<'hspread'>>,
  spreading: Spreading,
  before: LoadPicture,
  steps: readonly SpreadStep[],
  plan: PlanFacts,
  deep: DeepOptions | undefined,
  greedy: readonly SpreadStep[],
): Document {
  const { snapshot } = cluster;
  const { moves, jobSets, cost } = planMembers(plan);
  const greedyCost = planCost({
    start: snapshot,
    steps: greedy.flatMap(({ relocation }) => relocation.steps),
  });
  return {
    ...documentHead('hspread'),
    cluster: { nodes: snapshot.nodes.length, instances: snapshot.instances.length },
    leftOut: cluster.namesOf(cluster.leftOut),
    before,
    after: pictureOf(cluster, spreading.loads, options.outlier),
    moves: moves.map((move, k) => {
      const { score } = steps[k]!;
      return { ...move, spread: score, gain: (steps[k - 1]?.score ?? before.spread) - score };
    }),
    end: spreading.end,
    jobSets,
    cost,
    ...searchMember(options, deep, {
      greedy: {
        spread: greedy.at(-1)?.score ?? before.spread,
        instances: greedy.length,
        copiedMib: greedyCost.copiedMib,
        migratedMemMib: greedyCost.migratedMemMib,
      },
    }),
  };
}

export const outliers = ({ groups }: LoadPicture): readonly string[] =>
  groups.filter(({ above }) => above.length > 0).map(({ name }) => name);

export function spreadKeys({ before, after, moves, cost, search }: Document): string {
  const ofGroups = after.groups.map(({ name, load }) => ({
    NAME: name,
    ...Object.fromEntries(Object.entries(load).map(([of, value]) => [of, value.toFixed(LOAD_DECIMALS)])),
  }));
  return keyValues('HSPREAD', {
    GROUPS: before.groups.length,
    INI_SPREAD: showScore(before.spread),
    FIN_SPREAD: showScore(after.spread),
    INI_OUTLIERS: outliers(before).length,
    FIN_OUTLIERS: outliers(after).length,
    STEPS: moves.length,
    ...groupKeys(ofGroups),
    ...costKeys(cost),
    ...(search && {
      GREEDY_SPREAD: showScore(search.greedy.spread!),
      GREEDY_COPIED_MIB: search.greedy.copiedMib,
    }),
  });
}
