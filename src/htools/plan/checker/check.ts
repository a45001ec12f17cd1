/**
 * Checks a plan by replaying it from its start with none of the search's code.
 *
 * Every step is held against the plan's limits and against every rule of the nodes it touches, every
 * reported score against a full computation, and the end against the start: nothing lost, nothing doubled.
 */
import { InternalError } from '../../../kit/faults.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import {
  FAILOVER,
  FAILOVER_TO_ANY,
  MOVE_KIND_NAMES,
  type MoveKind,
  placementAfter,
} from '../../model/moves/kinds.ts';
import type { Plan, PlanStep } from '../plan.ts';
import { BuiltReplica, type KnownNode } from './built-replica.ts';
import { conservationRules, freeOf, splitRules } from './conservation.ts';
import { FullScore } from './full-score.ts';
import { arrivalRules, pinRules } from './group-rules.ts';
import { HealthRules } from './health-rules.ts';
import { destinationRules, instanceRules, kindRules, reachRules } from './move-rules.ts';
import { type BrokenRule, broken, brokenOf } from './node-rules.ts';
import { replayMove } from './replay-step.ts';
import type { Replica } from './replica.ts';
import { arrivalsOf, wishRules } from './wish-rules.ts';

/** One thing wrong with a plan. */
export interface PlanFault {
  /** Number of the step, from 1; 0 = the start, one more than there are steps = the end. */
  readonly step: number;
  /** Name of the broken rule, as in docs/reference/rules.md. */
  readonly rule: string;
  /** What is wrong, with the values. */
  readonly message: string;
}

/** A reported score may differ from the checker's by this share of it... */
const RELATIVE_TOLERANCE = 1e-6;
/** ...where scores smaller than this count as this large: near 0 there is only rounding. */
const SMALLEST_JUDGED_SCORE = 1e-3;

/** Scores are computed at every step up to this many nodes times steps, and beyond that at every k-th. */
const MAX_SCORED_NODES = 4_000_000;

const isClose = (reported: number, computed: number): boolean =>
  Object.is(reported, computed) ||
  Math.abs(reported - computed) <= RELATIVE_TOLERANCE * Math.max(Math.abs(computed), SMALLEST_JUDGED_SCORE);

/** What makes a step impossible to carry out; undefined = it can be replayed. */
function impossibility(plan: Plan, replica: Replica, step: PlanStep): BrokenRule | undefined {
  const instance = plan.start.instances[step.instance];
  if (instance === undefined) return broken('instance', `there is no instance at position ${step.instance}`);
  const { alias: name } = instance;
  const primary = replica.primaryOf[step.instance]!;
  const secondary = replica.secondaryOf[step.instance]!;
  if (step.fromPrimary !== primary || step.fromSecondary !== secondary) {
    const said = `${step.fromPrimary}:${step.fromSecondary}`;
    return broken('from', `${name} is on nodes ${primary}:${secondary}, the step says ${said}`);
  }
  const kind = MOVE_KIND_NAMES[step.kind];
  if (kind === undefined) return broken('kind', `${name}: there is no kind of move ${step.kind}`);
  if (primary < 0) return broken('from', `${name} is on no node`);
  if (secondary < 0 && step.kind !== FAILOVER_TO_ANY)
    return broken('kind', `${name}: ${kind} needs a secondary`);
  if (step.kind !== FAILOVER) {
    const target = plan.start.nodes[step.target];
    if (target === undefined) return broken('target', `${name}: there is no node at position ${step.target}`);
    const isThere = step.kind !== FAILOVER_TO_ANY && step.target === secondary;
    if (step.target === primary || isThere) return broken('target', `${name} is on ${target.alias} already`);
  }
  const [toPrimary, toSecondary] = placementAfter(step.kind, primary, secondary, step.target);
  if (step.toPrimary === toPrimary && step.toSecondary === toSecondary) return undefined;
  const said = `${step.toPrimary}:${step.toSecondary}`;
  return broken('to', `${name} comes to nodes ${toPrimary}:${toSecondary}, the step says ${said}`);
}

/** Rules for the nodes that a step leads to, when they are in another group than the first home. */
function groupRules(plan: Plan, step: PlanStep): readonly BrokenRule[] {
  const { start, limits } = plan;
  const instance = start.instances[step.instance]!;
  const home = start.nodes[instance.primary]!.group;
  const target = start.nodes[step.target];
  if (step.kind === FAILOVER || target === undefined || target.group === home) return [];
  const group = start.groups[target.group]!;
  const { requestedGroups } = limits;
  return brokenOf(
    ...arrivalRules(group, instance),
    ...(requestedGroups ? [] : pinRules(start, instance)),
    requestedGroups?.includes(target.group) === false &&
      broken('requested', `${instance.alias}: nobody asked for group ${group.name}`),
  );
}

/** Whether the nodes in new roles reach the instance's pool. Source: docs/why/storage.md. */
function accessRules(replica: Replica, step: PlanStep): readonly BrokenRule[] {
  const { start, storage } = replica;
  if (!storage) return [];
  const row = storage.rows[step.instance]!;
  const { alias } = start.instances[step.instance]!;
  const { nodes } = arrivalsOf(replica, step.instance, [step.toPrimary, step.toSecondary]);
  return brokenOf(
    ...nodes.map((node) => {
      const reaches = storage.access[row * storage.nodeCount + node] !== 0;
      const target = start.nodes[node]!.alias;
      return (
        !reaches && broken('pool-access', `${alias}: ${target} does not reach ${storage.poolAt(row)?.id}`)
      );
    }),
  );
}

/** Carries out a step, and tells of each part of the rules what it breaks there. */
function replayStep(
  plan: Plan,
  planNodes: ReadonlySet<number>,
  replica: Replica,
  step: PlanStep,
  note: (rules: readonly BrokenRule[]) => void,
): void {
  const { limits } = plan;
  const view = {
    position: step.instance,
    instance: plan.start.instances[step.instance]!,
    kind: step.kind as MoveKind,
    primary: replica.nodes[step.fromPrimary]!,
    secondary: replica.nodes[step.fromSecondary],
    target: step.kind === FAILOVER ? undefined : replica.nodes[step.target],
  };
  note(instanceRules(view, limits));
  note(kindRules(view, limits));
  note(destinationRules(view, limits, limits.betweenGroups ? undefined : planNodes));
  if (limits.betweenGroups) note(groupRules(plan, step));
  if (limits.betweenGroups || limits.reachesPrimaries) note(reachRules(view));
  note(accessRules(replica, step));
  note(wishRules(replica, step.instance, [step.toPrimary, step.toSecondary], limits));
  note(replayMove(replica, step.instance, step.kind, step.target, limits.ignoreSoftErrors));
}

/** Replays plans from one start, each from that start: building the model takes longer than most replays. */
export class PlanChecker {
  readonly built: BuiltReplica;
  private readonly free: ReturnType<typeof freeOf>;
  private readonly health: HealthRules;

  constructor(start: Snapshot, known?: KnownNode) {
    this.built = new BuiltReplica(start, known);
    this.free = freeOf(this.built.replica);
    this.health = new HealthRules(this.built.replica);
  }

  /** As `checkPlan`. @param plan one with this checker's start */
  check(plan: Plan): readonly PlanFault[] {
    if (plan.start !== this.built.replica.start) throw new InternalError('a plan from another start');
    const moved = new Set(plan.steps.map((step) => step.instance));
    const touched = new Set(
      plan.steps.flatMap((step) => [step.fromPrimary, step.fromSecondary, step.toPrimary, step.toSecondary]),
    );
    this.built.open(touched);
    const faults = this.replay(plan, moved, touched);
    this.built.restore(moved, touched);
    return faults;
  }

  private replay(plan: Plan, moved: ReadonlySet<number>, touched: ReadonlySet<number>): readonly PlanFault[] {
    const faults: PlanFault[] = [];
    const { replica, residents } = this.built;
    const score = new FullScore(replica.nodes, plan.nodes, plan.start.weights);
    const planNodes = new Set(plan.nodes);
    const end = plan.steps.length + 1;
    const stride = Math.max(1, Math.ceil((plan.nodes.length * plan.steps.length) / MAX_SCORED_NODES));
    const note = (step: number, rules: readonly BrokenRule[]): void => {
      for (const one of rules) faults.push({ step, ...one });
    };
    const noteScore = (step: number, rule: string, reported: number): void => {
      const computed = score.score();
      if (!isClose(reported, computed))
        note(step, [broken(rule, `score is ${computed}, the plan says ${reported}`)]);
    };

    noteScore(0, 'initial-score', plan.initialScore);
    for (const [at, step] of plan.steps.entries()) {
      const impossible = impossibility(plan, replica, step);
      if (impossible) {
        note(at + 1, [impossible]);
        return faults;
      }
      replayStep(plan, planNodes, replica, step, (rules) => note(at + 1, rules));
      score.refresh([step.fromPrimary, step.fromSecondary, step.toPrimary, step.toSecondary]);
      if (at % stride === 0) noteScore(at + 1, 'score', step.score);
    }
    noteScore(end, 'final-score', plan.finalScore);
    const mayStaySplit = plan.limits.requestedInstances !== undefined;
    note(end, splitRules(plan.start, moved, replica.primaryOf, replica.secondaryOf, mayStaySplit));
    const nodes = [...touched].filter((node) => replica.nodes[node]).sort((a, b) => a - b);
    note(end, conservationRules(this.free, replica, { nodes, moved, residents }));
    note(end, this.health.of(plan.limits.healthyGroups ?? [], touched));
    note(end, this.health.emptiness(plan.limits.emptyGroups ?? []));
    return faults;
  }
}

/** Replays a plan: what is wrong, in the order of steps, up to the first that cannot be carried out. */
export const checkPlan = (plan: Plan): readonly PlanFault[] => new PlanChecker(plan.start).check(plan);
