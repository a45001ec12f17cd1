/** What load spreading found, as facts for the reports of hspread. */
import type { DeepReadonly } from '../../../../kit/results/members.ts';
import { planCost } from '../../../plan/cost.ts';
import type { HspreadDocument } from '../../../results/groups.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { type PlanFacts, type PlannedMove, planFacts } from '../relocate/plan-facts.ts';
import type { SpreadStep } from './deep-spread.ts';
import { type GroupLoads, LOAD_RESOURCES } from './group-load.ts';
import type { SpreadEnd, Spreading } from './spread.ts';

type Document = DeepReadonly<HspreadDocument>;

/** How the load lies at one time, 1 = as loaded as the whole cluster. */
export type LoadPicture = Document['before'];

/** Members of the document, and what else the text says. */
export interface SpreadFacts extends Pick<Document, 'leftOut' | 'before' | 'after'> {
  /** The plan's moves in the order in which they were found, each with the spread after it. */
  readonly moves: readonly (PlannedMove & { readonly spread: number; readonly gain: number })[];
  readonly end: SpreadEnd;
  readonly plan: PlanFacts;
  /** What would be done without the deep search; undefined where there was none. MiB. */
  readonly greedy: ReturnType<typeof greedyFacts> | undefined;
}

/** @param threshold share above the mean from which on a group stands out */
export function pictureOf({ snapshot }: SuperCluster, loads: GroupLoads, threshold: number): LoadPicture {
  const outliers = loads.outliers(threshold);
  return {
    spread: loads.score,
    groups: loads.groups.map((group) => ({
      name: snapshot.groups[group]!.name,
      load: Object.fromEntries(
        loads.of(group).map((load, r) => [LOAD_RESOURCES[r], load]),
      ) as LoadPicture['groups'][number]['load'],
      above: outliers.find((one) => one.group === group)?.resources ?? [],
    })),
  };
}

function greedyFacts({ snapshot: start }: SuperCluster, before: number, greedy: readonly SpreadStep[]) {
  const steps = greedy.flatMap(({ relocation }) => relocation.steps);
  const { copiedMib, migratedMemMib } = planCost({ start, steps });
  return { spread: greedy.at(-1)?.score ?? before, instances: greedy.length, copiedMib, migratedMemMib };
}

/**
 * @param spreading after its steps
 * @param outlier share above the mean from which on a group stands out
 * @param greedy the steps without the deep search
 */
export function spreadFacts(
  cluster: SuperCluster,
  spreading: Spreading,
  before: LoadPicture,
  steps: readonly SpreadStep[],
  outlier: number,
  greedy: readonly SpreadStep[] | undefined,
): SpreadFacts {
  const { snapshot } = cluster;
  const plan = planFacts(
    snapshot,
    steps.map(({ relocation }) => relocation),
    cluster.rates,
  );
  const moves = new Map(plan.moves.map((move) => [move.relocation.instance, move]));
  return {
    leftOut: cluster.leftOut.map((group) => snapshot.groups[group]!.name),
    before,
    after: pictureOf(cluster, spreading.loads, outlier),
    moves: steps.map(({ relocation, score }, k) => ({
      ...moves.get(relocation.instance)!,
      spread: score,
      gain: (k === 0 ? before.spread : steps[k - 1]!.score) - score,
    })),
    end: spreading.end ?? 'even',
    plan,
    greedy: greedy && greedyFacts(cluster, before.spread, greedy),
  };
}
