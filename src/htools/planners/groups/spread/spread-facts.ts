/** What load spreading found, as facts for the reports of hspread. */

import { planCost, sumOfCosts } from '../../../plan/cost.ts';
import type { PriceRates } from '../../../plan/price.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { type PlanFacts, planFacts } from '../relocate/plan-facts.ts';
import type { SpreadStep } from './deep-spread.ts';
import type { GroupLoads, LoadResource } from './group-load.ts';
import type { SpreadEnd, Spreading } from './spread.ts';

/** How the load lies at one time. */
export interface LoadPicture {
  readonly score: number;
  /** Relative load in each of LOAD_RESOURCES; 1 = as loaded as the whole cluster. */
  readonly groups: readonly { readonly group: number; readonly loads: readonly number[] }[];
  /** Groups that stand out, and in what. */
  readonly outliers: readonly { readonly group: number; readonly resources: readonly LoadResource[] }[];
}

export interface SpreadFacts {
  readonly before: LoadPicture;
  readonly after: LoadPicture;
  /** In the order in which they were found. */
  readonly steps: readonly (SpreadStep & { readonly gain: number })[];
  readonly end: SpreadEnd;
  readonly leftOut: readonly number[];
  readonly plan: PlanFacts;
  /** What would be done without the deep search; undefined where there was none. MiB. */
  readonly greedy:
    | {
        readonly spread: number;
        readonly instances: number;
        readonly copiedMib: number;
        readonly migratedMemMib: number;
      }
    | undefined;
}

/** @param threshold share above the mean from which on a group stands out */
export const pictureOf = (loads: GroupLoads, threshold: number): LoadPicture => ({
  score: loads.score,
  groups: loads.groups.map((group) => ({ group, loads: loads.of(group) })),
  outliers: loads.outliers(threshold),
});

function greedyFacts({ snapshot }: SuperCluster, before: number, steps: readonly SpreadStep[]) {
  const relocations = steps.map(({ relocation }) => relocation);
  const { copiedMib, migratedMemMib } = sumOfCosts(
    relocations.map((one) => planCost({ start: snapshot, steps: one.steps })),
  );
  return {
    spread: steps.at(-1)?.score ?? before,
    instances: steps.length,
    copiedMib,
    migratedMemMib,
  };
}

/** @param spreading after its steps */
export function spreadFacts(
  cluster: SuperCluster,
  spreading: Spreading,
  before: LoadPicture,
  steps: readonly SpreadStep[],
  options: {
    readonly outlier: number;
    readonly rates: PriceRates;
    /** The steps without the deep search. */
    readonly greedy?: readonly SpreadStep[] | undefined;
  },
): SpreadFacts {
  const relocations = steps.map(({ relocation }) => relocation);
  return {
    before,
    after: pictureOf(spreading.loads, options.outlier),
    steps: steps.map((step, k) => ({
      ...step,
      gain: (k === 0 ? before.score : steps[k - 1]!.score) - step.score,
    })),
    end: spreading.end ?? 'even',
    leftOut: cluster.leftOut,
    plan: planFacts(cluster.snapshot, relocations, options.rates),
    greedy: options.greedy && greedyFacts(cluster, before.score, options.greedy),
  };
}
