/** Moves as steps of a plan: with the nodes that they lead from and to. */
import { type Move, placementAfter } from '../model/moves/kinds.ts';
import type { Scope } from '../model/state/scope.ts';
import type { ClusterState } from '../model/state/state.ts';
import type { PlanStep } from './plan.ts';

/** A move of an instance that has not moved yet. @param score of the group after it; NaN = not known yet */
export const stepOf = (state: ClusterState, move: Move, score = Number.NaN): PlanStep =>
  stepFrom(move, state.primary[move.instance]!, state.secondary[move.instance]!, score);

/** Moves of an instance one after the other, from these nodes on; scores are not followed. */
export function stepsFrom(moves: readonly Move[], primary: number, secondary: number): PlanStep[] {
  let [p, s] = [primary, secondary];
  return moves.map((move) => {
    const step = stepFrom(move, p, s, 0);
    [p, s] = [step.toPrimary, step.toSecondary];
    return step;
  });
}

/** The same for an instance that is taken to be on these nodes. */
function stepFrom(
  { instance, kind, target }: Move,
  fromPrimary: number,
  fromSecondary: number,
  score: number,
): PlanStep {
  const [toPrimary, toSecondary] = placementAfter(kind, fromPrimary, fromSecondary, target);
  return { instance, kind, target, fromPrimary, fromSecondary, toPrimary, toSecondary, score };
}

/** Nodes whose figures a step changes, each once. */
export const nodesOfStep = ({ fromPrimary, fromSecondary, toPrimary, toSecondary }: PlanStep): number[] =>
  [...new Set([fromPrimary, fromSecondary, toPrimary, toSecondary])].filter((n) => n >= 0);

/** A step on a part of a cluster, as one on the whole. @param inCluster the part's nodes and instances */
export function onCluster<Step extends PlanStep>(step: Step, { nodes, instances }: Scope): Step {
  const node = (n: number): number => (n < 0 ? n : nodes[n]!);
  return {
    ...step,
    instance: instances[step.instance]!,
    target: node(step.target),
    fromPrimary: node(step.fromPrimary),
    fromSecondary: node(step.fromSecondary),
    toPrimary: node(step.toPrimary),
    toSecondary: node(step.toSecondary),
  };
}
