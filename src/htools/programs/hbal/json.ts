/** hbal's `--json` document: everything that the text says, numbers unrounded. */
import { createHash } from 'node:crypto';
import { documentHead } from '../../../kit/report/json.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { placeOf } from '../../explain/placement.ts';
import { MOVE_KIND_NAMES } from '../../model/moves/kinds.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { moveCommands, moveNotation } from '../../plan/commands.ts';
import { moveCost } from '../../plan/cost.ts';
import { jobSets } from '../../plan/jobs.ts';
import type { PlanStep } from '../../plan/plan.ts';
import type { GroupPlan, StepFacts } from '../../results/hbal.ts';
import { searchOf, seedOf } from '../shared/balance/search-limits.ts';
import type { BalancedGroup } from './balance-group.ts';
import type { GroupPicture } from './group-task.ts';
import type { ChosenPlan } from './plan-search.ts';

const stepJson = (
  start: Snapshot,
  step: PlanStep,
  place: { readonly number: number; readonly jobSet: number },
  scoreBefore: number,
): StepFacts => ({
  step: place.number,
  instance: start.instances[step.instance]!.name,
  move: MOVE_KIND_NAMES[step.kind],
  notation: moveNotation(start, step),
  from: placeOf(start, step.fromPrimary, step.fromSecondary),
  to: placeOf(start, step.toPrimary, step.toSecondary),
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

const choiceJson = (options: ProgramOptions<'hbal'>, { curve, picked, knee, workShare }: ChosenPlan) => ({
  search: { kind: searchOf(options), seed: seedOf(options), workShare },
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

export function hbalJson(group: BalancedGroup, isExplained: boolean): GroupPlan {
  const { scope, health, options, plan, taken, bound, explanation } = group;
  const { start, steps, initialScore, finalScore } = plan;
  const sets = jobSets(start, steps);
  const setOf = new Map(sets.flatMap((set, k) => set.map(({ step }) => [step, k + 1] as const)));
  return {
    ...documentHead('hbal'),
    cluster: { nodes: start.nodes.length, instances: start.instances.length, tags: start.tags },
    group: { name: group.name, nodes: scope.nodes.length, instances: scope.instances.length },
    health: {
      badNodes: health.badNodes,
      badInstances: health.badInstances,
      policyViolations: health.others.flatMap(({ name, broken }) =>
        broken === undefined ? [] : [{ name, broken }],
      ),
    },
    optimum: group.optimum,
    minScore: options.minScore,
    wasBalanced: taken.wasBalanced,
    initial: pictureJson(initialScore, group.before),
    final: pictureJson(finalScore, group.after),
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
    cost: group.price,
    hash: hashOf(start, steps),
    ...(taken.chosen && choiceJson(options, taken.chosen)),
    ...(taken.mending && { rules: taken.mending }),
    ...(isExplained && explanation && { explanation }),
    ...(options.bound && {
      bound: {
        score: bound?.score ?? null,
        scoreAtPrice: bound?.atPrice.score ?? null,
        priceSeconds: bound?.atPrice.price ?? null,
      },
    }),
  };
}
