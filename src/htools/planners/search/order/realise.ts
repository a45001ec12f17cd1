/**
 * Takes ordered steps on a real state: every rule is asked again by the moves themselves, the N+1 guard has
 * its word, and the scores are the exact ones. A step that is refused waits for the next that is taken; what
 * is refused to the end is left out.
 */
import { MIB_PER_GIB } from '../../../../kit/units.ts';
import { isRunning } from '../../../cluster/instance-status.ts';
import { ALLOWED } from '../../../cluster/refusal.ts';
import { applyMove } from '../../../model/moves/apply.ts';
import type { Move } from '../../../model/moves/kinds.ts';
import { Scorer } from '../../../model/score/scorer.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import { moveCost } from '../../../plan/cost.ts';
import type { PlanAmounts, PlanStep } from '../../../plan/plan.ts';
import { type PriceRates, priceOfKind, unitPrices } from '../../../plan/price.ts';
import { nodesOfStep, stepOf } from '../../../plan/step.ts';
import type { OrderedStep } from './attempt.ts';

/** Has the last word on a step, as the N1Guard of the balancer does. */
interface StepGuard {
  allows(move: Move, ignoreSoftErrors: boolean): boolean;
  refresh(touched: readonly number[]): void;
}

/** What a plan costs up to a step: what may be limited, and its price in seconds. */
export interface PlanTotal extends PlanAmounts {
  readonly price: number;
}

/** A step as it was taken, with what the plan costs up to it. */
export interface TakenStep extends PlanStep {
  readonly isDetour: boolean;
  readonly total: PlanTotal;
}

export const NOTHING: PlanTotal = { copiedGib: 0, memoryGib: 0, migrations: 0, stops: 0, steps: 0, price: 0 };

/** The steps that could be taken, in order. @param state as at the start; it is changed */
export function realise(
  state: ClusterState,
  nodes: readonly number[],
  steps: readonly OrderedStep[],
  { ignoreSoftErrors, rates }: { readonly ignoreSoftErrors: boolean; readonly rates: PriceRates },
  guard?: StepGuard,
): readonly TakenStep[] {
  const scorer = new Scorer(state, nodes);
  const taken: TakenStep[] = [];
  let total = NOTHING;
  /** Whether the step was taken. */
  const take = (step: OrderedStep): boolean => {
    const { instance, kind, target } = step;
    const bare = stepOf(state, step);
    if (target === bare.fromPrimary || target === bare.fromSecondary) return false;
    if (guard?.allows(step, ignoreSoftErrors) === false) return false;
    if (applyMove(state, instance, kind, target, ignoreSoftErrors) !== ALLOWED) return false;
    state.journal.commit();
    const touched = nodesOfStep(bare);
    scorer.refresh(touched);
    guard?.refresh(touched);
    const cost = moveCost({ start: state.snapshot }, bare);
    const record = state.snapshot.instances[instance]!;
    total = {
      copiedGib: total.copiedGib + cost.copiedMib / MIB_PER_GIB,
      memoryGib: total.memoryGib + cost.migratedMemMib / MIB_PER_GIB,
      migrations: total.migrations + cost.migrations,
      stops: total.stops + (isRunning(record) ? cost.failovers : 0),
      steps: total.steps + 1,
      price: total.price + priceOfKind(kind, unitPrices(record, rates)),
    };
    taken.push({ ...bare, score: scorer.score, isDetour: step.isDetour, total });
    return true;
  };
  let waiting: OrderedStep[] = [];
  for (const step of steps) {
    // A later step of an instance never overtakes an earlier one.
    if (waiting.some(({ instance }) => instance === step.instance) || !take(step)) {
      waiting.push(step);
      continue;
    }
    for (let isMoving = waiting.length > 0; isMoving; ) {
      const blocked = new Set<number>();
      const still = waiting.filter((one) => {
        const isTaken = !blocked.has(one.instance) && take(one);
        if (!isTaken) blocked.add(one.instance);
        return !isTaken;
      });
      isMoving = still.length < waiting.length && still.length > 0;
      waiting = still;
    }
  }
  return taken;
}
