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
import { nodesOfStep } from '../step.ts';
import { buildReplica } from './built-replica.ts';
import { conservationRules, splitRules } from './conservation.ts';
import { FullScore } from './full-score.ts';
import { arrivalRules, pinRules } from './group-rules.ts';
import { HealthRules } from './health-rules.ts';
import { destinationRules, instanceRules, kindRules, reachRules } from './move-rules.ts';
import { type BrokenRule, broken, brokenOf } from './node-rules.ts';
import { replayMove } from './replay-step.ts';
import { copyOf, type Replica, type ReplicaNode } from './replica.ts';
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
  // Of an instance on nodes of two groups the second copy may move in its own.
  const isNew = start.nodes[instance.secondary]?.group !== target.group;
  return brokenOf(
    ...(isNew ? arrivalRules(group, instance) : []),
    ...(isNew && !requestedGroups ? pinRules(start, instance) : []),
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

/** Positions of the instances that a plan moves, each once. */
const movedBy = ({ start, steps }: Plan): readonly number[] =>
  [...new Set(steps.map(({ instance }) => instance))].filter((i) => start.instances[i]);

/** Replays plans on one model: building it takes longer than most replays. */
export class PlanChecker {
  /** As the start says, and the plans that were followed. */
  readonly replica: Replica;
  private readonly health: HealthRules;

  constructor(start: Snapshot) {
    this.replica = buildReplica(start);
    this.health = new HealthRules(this.replica);
  }

  /** As `checkPlan`. @param plan one with this checker's start */
  check(plan: Plan): readonly PlanFault[] {
    const { nodes, primaryOf, secondaryOf, commonLocationsOf } = this.replica;
    const placements = movedBy(plan).map(
      (i) => [i, primaryOf[i]!, secondaryOf[i]!, commonLocationsOf[i]!] as const,
    );
    const before = this.nodesOf(plan);
    const faults = this.replay(plan, before);
    for (const node of before) nodes[node.position] = node;
    for (const [i, primary, secondary, common] of placements) {
      primaryOf[i] = primary;
      secondaryOf[i] = secondary;
      commonLocationsOf[i] = common;
    }
    return faults;
  }

  /** The same, and what comes next begins where this plan ends. */
  follow(plan: Plan): readonly PlanFault[] {
    const faults = this.replay(plan, this.nodesOf(plan));
    this.health.forget();
    return faults;
  }

  /** The nodes that a plan changes, ascending, as they are now. */
  private nodesOf({ steps }: Plan): readonly ReplicaNode[] {
    const touched = new Set(steps.flatMap(nodesOfStep));
    return [...touched].sort((a, b) => a - b).flatMap((n) => this.replica.nodes[n] ?? []);
  }

  /** @param before the nodes that it changes; the model goes on with copies of them */
  private replay(plan: Plan, before: readonly ReplicaNode[]): readonly PlanFault[] {
    const { replica } = this;
    if (plan.start !== replica.start) throw new InternalError('a plan from another start');
    for (const node of before) replica.nodes[node.position] = copyOf(node);
    const faults: PlanFault[] = [];
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
      score.refresh(nodesOfStep(step));
      if (at % stride === 0) noteScore(at + 1, 'score', step.score);
    }
    noteScore(end, 'final-score', plan.finalScore);
    const moved = movedBy(plan);
    const mayStaySplit = plan.limits.requestedInstances !== undefined;
    note(end, splitRules(replica, moved, mayStaySplit));
    note(end, conservationRules(before, replica, moved));
    note(end, this.health.of(plan.limits.healthyGroups ?? [], before));
    note(end, this.health.emptiness(plan.limits.emptyGroups ?? []));
    return faults;
  }
}

/** Replays a plan: what is wrong, in the order of steps, up to the first that cannot be carried out. */
export const checkPlan = (plan: Plan): readonly PlanFault[] => new PlanChecker(plan.start).check(plan);
