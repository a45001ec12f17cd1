/** hbal's `--json` document: everything that the text says, numbers unrounded. */
import { createHash } from 'node:crypto';
import { documentHead } from '../../../kit/report/json.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { PlanExplanation } from '../../explain/record.ts';
import type { GroupHealth } from '../../explain/state/group-health.ts';
import { MOVE_KIND_NAMES } from '../../model/moves/kinds.ts';
import type { Scope } from '../../model/state/scope.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { moveCommands, moveNotation } from '../../plan/commands.ts';
import { moveCost } from '../../plan/cost.ts';
import { jobSets } from '../../plan/jobs.ts';
import type { Plan, PlanStep } from '../../plan/plan.ts';
import type * as D from '../../results/hbal.ts';
import type { PlanPrice } from '../shared/groups/plan-price.ts';
import type { Bound } from './bound.ts';
import type { GroupPicture } from './group-task.ts';
import { searchOf } from './plan-choice.ts';
import type { ChosenPlan } from './plan-search.ts';
import type { TakenSteps } from './take-steps.ts';

const nameOf = (start: Snapshot, node: number): string | null => (node < 0 ? null : start.nodes[node]!.name);

const stepJson = (
  start: Snapshot,
  step: PlanStep,
  place: { readonly number: number; readonly jobSet: number },
  scoreBefore: number,
): DocumentOf<typeof D.step> => ({
  step: place.number,
  instance: start.instances[step.instance]!.name,
  move: MOVE_KIND_NAMES[step.kind],
  notation: moveNotation(start, step),
  from: { primary: nameOf(start, step.fromPrimary), secondary: nameOf(start, step.fromSecondary) },
  to: { primary: nameOf(start, step.toPrimary), secondary: nameOf(start, step.toSecondary) },
  jobSet: place.jobSet,
  score: step.score,
  gain: scoreBefore - step.score,
  cost: moveCost({ start }, step),
  ...('isDetour' in step && step.isDetour === true && { isDetour: true }),
  commands: moveCommands(start, step),
});

/** The same for the same steps of the same instances. */
const hashOf = (start: Snapshot, steps: readonly PlanStep[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify(steps.map((step) => [start.instances[step.instance]!.name, moveNotation(start, step)])),
    )
    .digest('hex');

/** A plan, how its steps were found, and what came of them. */
export interface ToldPlan {
  readonly plan: Plan;
  readonly taken: TakenSteps;
  readonly before: GroupPicture;
  readonly after: GroupPicture;
  readonly price: PlanPrice;
  /** What `--bound` found. */
  readonly bound: Bound | undefined;
}

/** What hbal knows about a group. */
export interface HbalFacts extends ToldPlan {
  readonly options: Pick<ProgramOptions<'hbal'>, 'minScore' | 'search' | 'budget' | 'seed' | 'bound'>;
  readonly group: string;
  readonly scope: Scope;
  readonly health: GroupHealth;
  /** Lower bound of the score by N+1 reservations. */
  readonly optimum: number;
  /** Why each step, for `--explain` and `--html`. */
  readonly explanation: PlanExplanation | undefined;
}

const choiceJson = (options: HbalFacts['options'], { curve, picked, knee, workShare }: ChosenPlan) => ({
  search: { kind: searchOf(options), seed: options.seed, workShare },
  curve: curve.map((point) => ({
    priceSeconds: point.total.price,
    copiedGib: point.total.copiedGib,
    migrations: point.total.migrations,
    migratedMemGib: point.total.memoryGib,
    score: point.score,
    steps: point.steps,
    gainShare: point.gainShare,
    isPicked: point === picked,
    ...(point === knee && { isKnee: true }),
  })),
});

const pictureJson = (score: number, { metrics, free, tables }: GroupPicture) => ({
  score,
  metrics,
  free,
  ...tables,
});

/** The document of one group. */
export function hbalJson(facts: HbalFacts, isExplained: boolean): DocumentOf<typeof D.hbalGroup> {
  const { scope, group, health, optimum, options, plan, taken } = facts;
  const { start, steps, initialScore, finalScore } = plan;
  const sets = jobSets(start, steps);
  const setOf = new Map(sets.flatMap((set, k) => set.map(({ step }) => [step, k + 1] as const)));
  return {
    ...documentHead('hbal'),
    cluster: { nodes: start.nodes.length, instances: start.instances.length, tags: start.tags },
    group: { name: group, nodes: scope.nodes.length, instances: scope.instances.length },
    health: {
      badNodes: health.badNodes,
      badInstances: health.badInstances,
      policyViolations: health.others.flatMap(({ name, broken }) =>
        broken === undefined ? [] : [{ name, broken }],
      ),
    },
    optimum,
    minScore: options.minScore,
    wasBalanced: taken.wasBalanced,
    initial: pictureJson(initialScore, facts.before),
    final: pictureJson(finalScore, facts.after),
    steps: steps.map((step, k) => {
      const scoreBefore = steps[k - 1]?.score ?? initialScore;
      return stepJson(start, step, { number: k + 1, jobSet: setOf.get(step)! }, scoreBefore);
    }),
    jobSets: sets.map((set) =>
      set.map(({ step }) => ({
        instance: start.instances[step.instance]!.name,
        commands: moveCommands(start, step),
        step: steps.indexOf(step) + 1,
      })),
    ),
    cost: facts.price,
    hash: hashOf(start, steps),
    ...(taken.chosen && choiceJson(options, taken.chosen)),
    ...(taken.mending && { rules: taken.mending }),
    ...(isExplained && facts.explanation && { explanation: facts.explanation }),
    ...(options.bound && {
      bound: {
        score: facts.bound?.score ?? null,
        scoreAtPrice: facts.bound?.atPrice.score ?? null,
        priceSeconds: facts.bound?.atPrice.price ?? null,
      },
    }),
  };
}
