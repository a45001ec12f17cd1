/** Moves that would have gained more than what was done, and that a rule forbade. */
import type { Snapshot } from '../cluster/snapshot.ts';
import { MOVE_KIND_NAMES } from '../model/moves/kinds.ts';
import type { ClusterState } from '../model/state/state.ts';
import { moveNotation } from '../plan/commands.ts';
import type { PlanStep } from '../plan/plan.ts';
import { stepOf } from '../plan/step.ts';
import type { N1Guard } from '../planners/balance/steps/n1-guard.ts';
import type { CutOuts } from './cut-out.ts';
import type { LiftedScan } from './lifted-scan.ts';
import { type Lifted, liftsOfMove } from './lifts.ts';
import { refusalOfMove } from './move-refusal.ts';
import { placeOf } from './placement.ts';
import type { Candidate, RefusedCandidate, RuleRefusal } from './record.ts';

/** A move as facts. @param score after it */
export const candidateFacts = (
  snapshot: Snapshot,
  step: PlanStep,
  scoreBefore: number,
  score: number,
): Candidate => ({
  instance: snapshot.instances[step.instance]!.name,
  move: MOVE_KIND_NAMES[step.kind],
  notation: moveNotation(snapshot, step),
  from: placeOf(snapshot, step.fromPrimary, step.fromSecondary),
  to: placeOf(snapshot, step.toPrimary, step.toSecondary),
  score,
  gain: scoreBefore - score,
});

/** What a look for forbidden moves needs. */
export interface Look {
  readonly state: ClusterState;
  readonly scan: LiftedScan;
  readonly cutOuts: CutOuts;
  readonly guard: N1Guard | undefined;
  readonly ignoreSoftErrors: boolean;
  /** Instances to report at most. */
  readonly most: number;
}

/** What the guard of N+1 with shared storage refuses no rule of a node does. */
export function guardRefusal(look: Look, step: PlanStep): RuleRefusal | undefined {
  if (!look.guard || look.guard.allows(step, look.ignoreSoftErrors)) return undefined;
  const node = look.state.snapshot.nodes[step.toPrimary]!.name;
  return { rule: 'n1-guard', mode: 'FailN1', node, role: 'primary' };
}

/** Forbidden moves below a score, the best of each instance. @param scoreBefore score of the state */
export function refusedBelow(look: Look, scoreBefore: number, ceiling: number): RefusedCandidate[] {
  const { state, scan, cutOuts, ignoreSoftErrors } = look;
  const seen = new Set<number>();
  const found: RefusedCandidate[] = [];
  for (const move of scan.below(ceiling)) {
    if (found.length >= look.most) break;
    if (seen.has(move.instance)) continue;
    const refusal = refusalOfMove(state, move, ignoreSoftErrors);
    const step = stepOf(state, move);
    const guarded = refusal ?? guardRefusal(look, step);
    if (!guarded) continue;
    const score = scan.exactScore(move);
    if (!(score < ceiling)) continue;
    seen.add(move.instance);
    const lifted: Lifted = refusal
      ? liftsOfMove(cutOuts.around(move), ignoreSoftErrors, refusal)
      : { refusals: [guarded], lift: null };
    found.push({ ...candidateFacts(state.snapshot, step, scoreBefore, score), ...lifted });
  }
  return found.sort((a, b) => a.score - b.score);
}
