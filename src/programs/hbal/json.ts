/** hbal's `--json` document: everything that the text says, numbers unrounded. */

import type { Snapshot } from '../../cluster/snapshot.ts';
import type { MendingFacts, PlanExplanation } from '../../explain/record.ts';
import { MOVE_KIND_NAMES } from '../../model/moves/kinds.ts';
import type { Figures } from '../../model/state/moved-snapshot.ts';
import type { Scope } from '../../model/state/scope.ts';
import type { ClusterState } from '../../model/state/state.ts';
import { moveCommands, moveNotation } from '../../plan/commands.ts';
import { moveCost, planCost } from '../../plan/cost.ts';
import { jobSets } from '../../plan/jobs.ts';
import type { Plan, PlanStep } from '../../plan/plan.ts';
import type { CurvePoint } from '../../planners/search/curve.ts';
import { SCHEMA_VERSION } from '../../report/json.ts';
import type { GroupHealth } from '../shared/groups/group-health.ts';
import { instanceRows, nodeRows } from '../shared/listings/state-rows.ts';
import type { Coefficient } from '../shared/plan/steps.ts';
import type { Bound } from './bound.ts';
import { type Price, priceJson } from './price.ts';

const nameOf = (start: Snapshot, node: number): string | null => (node < 0 ? null : start.nodes[node]!.name);

const stepJson = (
  start: Snapshot,
  step: PlanStep,
  number: number,
  scoreBefore: number,
  isDetour: boolean,
): object => ({
  step: number,
  instance: start.instances[step.instance]!.name,
  move: MOVE_KIND_NAMES[step.kind],
  notation: moveNotation(start, step),
  from: { primary: nameOf(start, step.fromPrimary), secondary: nameOf(start, step.fromSecondary) },
  to: { primary: nameOf(start, step.toPrimary), secondary: nameOf(start, step.toSecondary) },
  score: step.score,
  gain: scoreBefore - step.score,
  cost: moveCost({ start }, step),
  ...(isDetour && { isDetour }),
  commands: moveCommands(start, step),
});

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
  /** Nodes and instances as they were, where tables are asked for. */
  readonly tablesBefore: object | undefined;
  readonly figures: Figures;
  /** Nothing to do from the start. */
  readonly wasBalanced: boolean;
  readonly price: Price;
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

const choiceJson = ({ search, seed, curve, picked }: PlanChoice): object => ({
  search: { kind: search, seed },
  curve: curve.map((point) => ({
    copiedGib: point.gib,
    score: point.score,
    steps: point.steps,
    gainShare: point.gainShare,
    isPicked: point === picked,
  })),
});

/** The whole document; the tables of the final state where they are asked for. */
export function hbalJson(plan: Plan, facts: HbalFacts, state: ClusterState): object {
  const { start, steps, initialScore, finalScore } = plan;
  const { scope, group, health, optimum, minScore, wasBalanced } = facts;
  return {
    schemaVersion: SCHEMA_VERSION,
    program: 'hbal',
    cluster: { nodes: start.nodes.length, instances: start.instances.length, tags: start.tags },
    group: { name: group, nodes: scope.nodes.length, instances: scope.instances.length },
    health: {
      badNodes: health.badNodes,
      badInstances: health.badInstances,
      policyViolations: health.others.filter((node) => node.broken !== undefined),
    },
    optimum,
    minScore,
    wasBalanced,
    initial: { score: initialScore, metrics: facts.initialMetrics, ...facts.tablesBefore },
    final: { score: finalScore, metrics: facts.finalMetrics },
    steps: steps.map((step, k) => {
      const scoreBefore = steps[k - 1]?.score ?? initialScore;
      return stepJson(start, step, k + 1, scoreBefore, 'isDetour' in step && step.isDetour === true);
    }),
    jobSets: jobSets(start, steps).map((set) => set.map(({ step }) => steps.indexOf(step) + 1)),
    cost: planCost(plan),
    price: priceJson(facts.price),
    ...(facts.choice && choiceJson(facts.choice)),
    ...(facts.tablesBefore && tablesJson(state, scope, facts.figures)),
    ...(facts.mending && { rules: facts.mending }),
    ...(facts.explanation && { explanation: facts.explanation }),
    ...(facts.bound && { bound: { score: facts.bound.score ?? null } }),
  };
}

/** Nodes and instances as `-p` and `--print-instances` show them, all columns. */
export const tablesJson = (state: ClusterState, scope: Scope, figures: Figures = 'true'): object => ({
  nodes: nodeRows(state, scope.nodes, figures).map((row) => ({
    ...row,
    primaryTags: Object.fromEntries(row.primaryTags),
  })),
  instances: instanceRows(state, scope.instances),
});
