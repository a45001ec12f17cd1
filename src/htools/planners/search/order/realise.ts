/**
 * Takes ordered steps on a real state: every rule is asked again by the moves themselves, the N+1 guard has
 * its word, and the scores are the exact ones. A step that is refused waits for the next that is taken; what
 * is refused to the end is left out.
 */

import { MIB_PER_GIB } from '../../../../kit/units.ts';
import { ALLOWED } from '../../../cluster/refusal.ts';
import { applyMove } from '../../../model/moves/apply.ts';
import type { Move } from '../../../model/moves/kinds.ts';
import { Scorer } from '../../../model/score/scorer.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import { moveCost } from '../../../plan/cost.ts';
import type { PlanStep } from '../../../plan/plan.ts';
import { nodesOfStep, stepOf } from '../../../plan/step.ts';
import type { OrderedStep } from './attempt.ts';

/** Has the last word on a step, as the N1Guard of the balancer does. */
export interface StepGuard {
  allows(move: Move, ignoreSoftErrors: boolean): boolean;
  refresh(touched: readonly number[]): void;
}

/** A step as it was taken, with the price of the plan up to it. */
export interface TakenStep extends PlanStep {
  readonly isDetour: boolean;
  /** GiB copied by this step and all before it. */
  readonly totalGib: number;
}

class Realisation {
  readonly taken: TakenStep[] = [];
  private readonly scorer: Scorer;
  private totalGib = 0;

  constructor(
    private readonly state: ClusterState,
    nodes: readonly number[],
    private readonly ignoreSoftErrors: boolean,
    private readonly guard: StepGuard | undefined,
  ) {
    this.scorer = new Scorer(state, nodes);
  }

  /** Whether the step was taken. */
  take(step: OrderedStep): boolean {
    const { state } = this;
    const { instance, kind, target } = step;
    const bare = stepOf(state, step);
    if (target === bare.fromPrimary || target === bare.fromSecondary) return false;
    if (this.guard?.allows(step, this.ignoreSoftErrors) === false) return false;
    if (applyMove(state, instance, kind, target, this.ignoreSoftErrors) !== ALLOWED) return false;
    state.journal.commit();
    const touched = nodesOfStep(bare);
    this.scorer.refresh(touched);
    this.guard?.refresh(touched);
    const done = { ...bare, score: this.scorer.score, isDetour: step.isDetour };
    this.totalGib += moveCost({ start: state.snapshot }, done).copiedMib / MIB_PER_GIB;
    this.taken.push({ ...done, totalGib: this.totalGib });
    return true;
  }
}

/**
 * The steps that could be taken, in the order in which they were.
 * @param state as at the start; it is changed
 * @param ignoreSoftErrors whether soft rules are ignored
 */
export function realise(
  state: ClusterState,
  nodes: readonly number[],
  steps: readonly OrderedStep[],
  ignoreSoftErrors: boolean,
  guard?: StepGuard,
): readonly TakenStep[] {
  const run = new Realisation(state, nodes, ignoreSoftErrors, guard);
  let waiting: OrderedStep[] = [];
  for (const step of steps) {
    // A later step of an instance never overtakes an earlier one.
    if (waiting.some(({ instance }) => instance === step.instance) || !run.take(step)) {
      waiting.push(step);
      continue;
    }
    for (let isMoving = waiting.length > 0; isMoving; ) {
      const blocked = new Set<number>();
      const still = waiting.filter((one) => {
        const isTaken = !blocked.has(one.instance) && run.take(one);
        if (!isTaken) blocked.add(one.instance);
        return !isTaken;
      });
      isMoving = still.length < waiting.length && still.length > 0;
      waiting = still;
    }
  }
  return run.taken;
}
