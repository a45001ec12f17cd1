/** Plans made of candidates: replayed on real states, cut where they are best, and put into job sets. */
import type { Snapshot } from '../../cluster/snapshot.ts';
import { ClusterState } from '../../model/state/state.ts';
import { inJobSets } from '../../plan/jobs.ts';
import type { BalanceOptions } from '../balance/options.ts';
import { guardFor } from '../balance/steps/n1-guard.ts';
import { type CurvePoint, curveOf } from './curve.ts';
import type { OrderedStep } from './order/attempt.ts';
import { realise, type TakenStep } from './order/realise.ts';

/** What is to be balanced. */
export interface Task {
  readonly snapshot: Snapshot;
  /** Positions of the nodes of the group. */
  readonly nodes: readonly number[];
  readonly options: BalanceOptions;
}

/** All plans found, and what they offer. */
export interface Offer {
  readonly initialScore: number;
  readonly plans: readonly (readonly TakenStep[])[];
  readonly curve: readonly CurvePoint[];
}

/** The steps of a candidate as they can be taken. */
export function replay(task: Task, steps: readonly OrderedStep[]): readonly TakenStep[] {
  const { snapshot, nodes, options } = task;
  const state = new ClusterState(snapshot);
  return realise(state, nodes, steps, options, guardFor(state, nodes, options));
}

/** What plans offer. One that leaves out another's step is a plan of its own: nothing is lost. */
export const offerOf = (initialScore: number, plans: Offer['plans']): Offer => ({
  initialScore,
  plans,
  curve: curveOf(initialScore, plans),
});

/** The steps up to a point of the curve, in few job sets, with the scores in that order. */
export function stepsTo(task: Task, offer: Offer, point: CurvePoint): readonly TakenStep[] {
  if (point.plan < 0) return [];
  const steps = offer.plans[point.plan]!.slice(0, point.steps);
  return replay(task, inJobSets(task.snapshot, steps, task.nodes.length));
}
