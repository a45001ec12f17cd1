/** An evacuation to places that are given, carried out on the state, and how good it is. */
import type { EvacuationMode } from '../../../cluster/iallocator-request.ts';
import { ALLOWED } from '../../../cluster/refusal.ts';
import { applyMove } from '../../../model/moves/apply.ts';
import { scoreOf } from '../../../model/score/scorer.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import { inTurns } from '../../groups/relocate/relocation.ts';
import type { EvacuationTrace } from '../evacuation-trace.ts';
import { Evacuator } from '../evacuator.ts';
import type { Evacuation, EvacuationMove, NodePair } from '../outcome.ts';
import { movesOf } from './open-places.ts';

/** What is to be evacuated, and by which rules. */
export interface EvacuationTask {
  readonly state: ClusterState;
  readonly mode: EvacuationMode;
  readonly ignoreSoftErrors: boolean;
  /** The instances, in order, and the nodes that each may go to. */
  readonly targets: ReadonlyMap<number, readonly number[]>;
}

/** The same of one group. */
export interface GroupTask extends EvacuationTask {
  /** Positions of its nodes. */
  readonly nodes: readonly number[];
}

/** How good an evacuation of a group is: who stays, and the group's score. */
interface Merit {
  readonly left: readonly number[];
  readonly score: number;
}

/** Score gains below this are rounding. */
const SMALLEST_GAIN = 1e-9;

/** Whether `a` leaves nobody whom `b` moves, and fewer, or as many at a lower score. */
export const isBetter = (a: Merit, b: Merit): boolean =>
  a.left.every((i) => b.left.includes(i)) &&
  (a.left.length < b.left.length || a.score < b.score - SMALLEST_GAIN);

/** Of an evacuation that the state shows. */
export const meritOf = ({ state, nodes }: GroupTask, outcomes: readonly Evacuation[]): Merit => ({
  left: outcomes.flatMap((outcome) => (outcome.isMoved ? [] : [outcome.instance])),
  score: scoreOf(state, nodes),
});

const isAllowed = (
  { state, ignoreSoftErrors }: EvacuationTask,
  i: number,
  moves: readonly EvacuationMove[],
): boolean =>
  state.journal.tentatively(() =>
    moves.every(({ kind, target }) => applyMove(state, i, kind, target, ignoreSoftErrors) === ALLOWED),
  );

/**
 * Carries it out, each instance as soon as the rules let it; the outcomes are in the order in which they can
 * be made. Who has no place, or finds it taken, gets the best that is left when the others are there, as if
 * it were evacuated alone.
 */
export function carryOut(
  task: EvacuationTask,
  places: ReadonlyMap<number, NodePair>,
  trace?: EvacuationTrace,
): readonly Evacuation[] {
  const { state, mode, ignoreSoftErrors } = task;
  const evacuator = new Evacuator(state, ignoreSoftErrors, trace);
  const outcomes: Evacuation[] = [];
  const homeless = inTurns([...task.targets], ([i, targets]) => {
    const place = places.get(i);
    const moves = place && movesOf(state, i, mode, place);
    if (!moves || !isAllowed(task, i, moves)) return false;
    outcomes.push(evacuator.carryOut(i, moves, targets));
    return true;
  });
  for (const [i, targets] of homeless)
    outcomes.push(evacuator.carryOut(i, evacuator.find(i, mode, targets), targets));
  return outcomes;
}
