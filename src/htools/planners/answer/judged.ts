/**
 * The checker's word on an answer about moves, which is replayed as a plan. Moves that it refuses are a fault
 * of ours, and Ganeti is still owed an answer: what it refuses stays, with the reason, and the rest is
 * answered.
 */
import { type IallocatorRequest, instancesOf } from '../../cluster/iallocator-request.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { hasSecondary } from '../../cluster/templates.ts';
import { applyMove } from '../../model/moves/apply.ts';
import type { ClusterState } from '../../model/state/state.ts';
import { checkPlan, type PlanFault } from '../../plan/checker/check.ts';
import { type Plan, type PlanStep, unscoredPlan } from '../../plan/plan.ts';
import { stepsFrom } from '../../plan/step.ts';
import type { Evacuation, EvacuationFailure } from '../evacuate/outcome.ts';
import type { Answer } from './answer.ts';

interface JudgedAnswer {
  readonly answer: Answer;
  /** What the checker said, in the order of its replays; empty where the answer is as it was found. */
  readonly faults: readonly PlanFault[];
}

/** The answer without the moves that the checker refuses. */
export function judged(
  start: Snapshot,
  request: IallocatorRequest,
  found: Answer,
  ignoreSoftErrors: boolean,
): JudgedAnswer {
  const all: PlanFault[] = [];
  let answer = found;
  for (;;) {
    const plan = planOfAnswer(start, request, answer, ignoreSoftErrors);
    const faults = plan ? checkPlan(plan) : [];
    if (!plan || faults.length === 0) return { answer, faults: all };
    all.push(...faults);
    const reasons = new Map<number, string>();
    for (const { step, rule, message } of faults) {
      const instance = plan.steps[step - 1]?.instance;
      if (instance !== undefined && !reasons.has(instance)) reasons.set(instance, `${rule}: ${message}`);
    }
    // What is wrong with the whole is laid to no step; then nothing of it can be trusted.
    if (reasons.size === 0)
      for (const { instance } of plan.steps)
        reasons.set(instance, `${faults[0]!.rule}: ${faults[0]!.message}`);
    answer = without(answer, reasons);
  }
}

function without(answer: Answer, reasons: ReadonlyMap<number, string>): Answer {
  const failureOf = (i: number): EvacuationFailure => ({ kind: 'check-refused', reason: reasons.get(i)! });
  if (answer.kind === 'relocation') {
    const { kind, instance } = answer;
    return { kind, instance, isGranted: false, refusal: { kind: 'no-node', failure: failureOf(instance) } };
  }
  if (answer.kind !== 'evacuation') return answer;
  const outcomes = answer.outcomes.map(
    (outcome): Evacuation =>
      outcome.isMoved && reasons.has(outcome.instance)
        ? { instance: outcome.instance, isMoved: false, failure: failureOf(outcome.instance) }
        : outcome,
  );
  return { ...answer, outcomes };
}

/** Carries the moves of an answer out. @param state the cluster before them */
export function carriedOut(state: ClusterState, answer: Answer): ClusterState {
  for (const outcome of outcomesOf(answer))
    if (outcome.isMoved)
      for (const { kind, target } of outcome.moves) applyMove(state, outcome.instance, kind, target, true);
  return state;
}

/** An answer's moves in order, scores not followed; undefined where nothing moves. */
export function planOfAnswer(
  start: Snapshot,
  request: IallocatorRequest,
  answer: Answer,
  ignoreSoftErrors: boolean,
): Plan | undefined {
  const outcomes = outcomesOf(answer);
  if (outcomes.length === 0) return undefined;
  return unscoredPlan(
    start,
    outcomes.flatMap((outcome) => stepsOf(start, outcome)),
    {
      // As the stock program has it, changes of group keep to the soft rules whatever the command line says.
      ignoreSoftErrors: ignoreSoftErrors && request.type !== 'change-group',
      diskMoves: true,
      requestedInstances: instancesOf(request),
      requestedGroups: requestedGroups(start, request),
      closedNodes: leftNodes(start, request),
    },
  );
}

function outcomesOf(answer: Answer): readonly Evacuation[] {
  if (answer.kind === 'evacuation') return answer.outcomes;
  return answer.kind === 'relocation' && answer.isGranted ? [answer.outcome] : [];
}

function stepsOf(start: Snapshot, outcome: Evacuation): PlanStep[] {
  if (!outcome.isMoved) return [];
  const { instance, moves } = outcome;
  const { primary, secondary } = start.instances[instance]!;
  return stepsFrom(
    moves.map((move) => ({ instance, ...move })),
    primary,
    secondary,
  );
}

/** The groups of a change of group: those that are named, or any. */
function requestedGroups({ groups }: Snapshot, request: IallocatorRequest): readonly number[] | undefined {
  if (request.type !== 'change-group') return undefined;
  return request.targetGroups.length > 0 ? request.targetGroups : [...groups.keys()];
}

/** Nodes that the request wants to see left, which must take nothing. */
function leftNodes({ instances }: Snapshot, request: IallocatorRequest): readonly number[] {
  if (request.type === 'relocate') return request.relocateFrom;
  if (request.type !== 'node-evacuate') return [];
  const left = request.instances.flatMap((i) => {
    const { diskTemplate, primary, secondary } = instances[i]!;
    return [
      ...(request.mode === 'secondary-only' ? [] : [primary]),
      ...(request.mode === 'primary-only' || !hasSecondary(diskTemplate) ? [] : [secondary]),
    ];
  });
  return [...new Set(left)];
}
