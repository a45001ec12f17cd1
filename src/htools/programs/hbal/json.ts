/** hbal's `--json` document: everything that the text says, numbers unrounded. */

import { SCHEMA_VERSION } from '../../../kit/report/json.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { MendingFacts, PlanExplanation } from '../../explain/record.ts';
import type { Coefficient } from '../../explain/state/coefficients.ts';
import type { GroupHealth } from '../../explain/state/group-health.ts';
import { MOVE_KIND_NAMES } from '../../model/moves/kinds.ts';
import type { Scope } from '../../model/state/scope.ts';
import { moveCommands, moveNotation } from '../../plan/commands.ts';
import { moveCost } from '../../plan/cost.ts';
import { jobSets } from '../../plan/jobs.ts';
import type { Plan, PlanStep } from '../../plan/plan.ts';
import type { CurvePoint } from '../../planners/search/curve.ts';
import type * as D from '../../results/hbal.ts';
import type { tablesJson } from '../shared/listings/json.ts';
import { explanationJson } from '../shared/questions/explain-json.ts';
import { costJson } from '../shared/steps/cost-json.ts';
import type { FreeResources } from '../shared/steps/steps.ts';
import type { Bound } from './bound.ts';
import { type PlanPrice, priceJson } from './price.ts';

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
  cost: costJson(moveCost({ start }, step)),
  ...('isDetour' in step && step.isDetour === true && { isDetour: true }),
  commands: moveCommands(start, step),
});

type Tables = ReturnType<typeof tablesJson>;

/** What hbal found out about the group besides the plan. */
export interface HbalFacts {
  readonly group: string;
  readonly scope: Scope;
  readonly health: GroupHealth;
  /** Lower bound of the score by N+1 reservations, and how near to it is near enough. */
  readonly optimum: number;
  readonly minScore: number;
  readonly initialMetrics: readonly Coefficient[];
  readonly finalMetrics: readonly Coefficient[];
  /** Free memory and disk of the group's nodes. */
  readonly freeBefore: FreeResources;
  readonly freeAfter: FreeResources;
  /** Nodes and instances before and after, where tables are asked for. */
  readonly tables: { readonly before: Tables; readonly after: Tables } | undefined;
  /** Nothing to do from the start. */
  readonly wasBalanced: boolean;
  readonly price: PlanPrice;
  /** How the plan was chosen, where it was. */
  readonly choice?: PlanChoice | undefined;
  /** What `--explain` says. */
  readonly explanation: PlanExplanation | undefined;
  /** What `--only-rules` came to. */
  readonly mending: MendingFacts | undefined;
  /** What `--bound` found. */
  readonly bound: Bound | undefined;
}

/** A plan that was chosen among several. */
export interface PlanChoice {
  readonly search: string;
  readonly seed: number;
  readonly curve: readonly CurvePoint[];
  readonly picked: CurvePoint;
}

const choiceJson = ({ search, seed, curve, picked }: PlanChoice) => ({
  search: { kind: search, seed },
  curve: curve.map((point) => ({
    copiedGib: point.gib,
    score: point.score,
    steps: point.steps,
    gainShare: point.gainShare,
    isPicked: point === picked,
  })),
});

/** The document of one group. */
export function hbalJson(plan: Plan, facts: HbalFacts): DocumentOf<typeof D.hbalGroup> {
  const { start, steps, initialScore, finalScore } = plan;
  const { scope, group, health, optimum, minScore, wasBalanced, tables } = facts;
  const sets = jobSets(start, steps);
  const setOf = new Map(sets.flatMap((set, k) => set.map(({ step }) => [step, k + 1] as const)));
  return {
    schemaVersion: SCHEMA_VERSION,
    program: 'hbal',
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
    minScore,
    wasBalanced,
    initial: {
      score: initialScore,
      metrics: facts.initialMetrics,
      free: facts.freeBefore,
      ...tables?.before,
    },
    final: { score: finalScore, metrics: facts.finalMetrics, free: facts.freeAfter, ...tables?.after },
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
    cost: priceJson(facts.price),
    ...(facts.choice && choiceJson(facts.choice)),
    ...(facts.mending && { rules: facts.mending }),
    ...(facts.explanation && { explanation: explanationJson(facts.explanation) }),
    ...(facts.bound && { bound: { score: facts.bound.score ?? null } }),
  };
}
