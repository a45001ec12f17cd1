/** Looking at a placement without asking any rule. */
import type { Snapshot } from '../cluster/snapshot.ts';
import { putInstance, takeOff } from '../model/moves/apply.ts';
import type { Scorer } from '../model/score/scorer.ts';
import type { ClusterState } from '../model/state/state.ts';
import type { PlanStep } from '../plan/plan.ts';
import { nodesOfStep } from '../plan/step.ts';
import type { NamedPlacement } from '../results/parts/explanation.ts';

export const placeOf = ({ nodes }: Snapshot, primary: number, secondary: number): NamedPlacement => ({
  primary: nodes[primary]!.name,
  secondary: nodes[secondary]?.name ?? null,
});

/** What `look` finds with the instance on other nodes, whatever the rules say; all is as before then. */
export function withPlacement<T>(state: ClusterState, scorer: Scorer, step: PlanStep, look: () => T): T {
  const touched = nodesOfStep(step);
  const found = state.journal.tentatively(() => {
    takeOff(state, step.instance);
    putInstance(state, step.instance, step.toPrimary, step.toSecondary);
    scorer.refresh(touched);
    return look();
  });
  scorer.refresh(touched);
  return found;
}
