/** An evacuation to places that are given, carried out on the state, and how good it is. */
import type { EvacuationMode } from '../../../cluster/iallocator-request.ts';
import { ALLOWED } from '../../../cluster/refusal.ts';
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { applyMove } from '../../../model/moves/apply.ts';
import { FAILOVER, FAILOVER_TO_ANY, REPLACE_SECONDARY } from '../../../model/moves/kinds.ts';
import { migrationRefusal } from '../../../model/rules/admission.ts';
import { scoreOf } from '../../../model/score/scorer.ts';
import { type ClusterState, MIRROR_EXTERNAL, MIRROR_INTERNAL } from '../../../model/state/state.ts';
import { inTurns } from '../../groups/relocate/relocation.ts';
import type { EvacuationTrace } from '../evacuation-trace.ts';
import { Evacuator, unreachableNode } from '../evacuator.ts';
import type { Evacuation, EvacuationMove, NodePair } from '../outcome.ts';
import { movesTo, PairRelocation } from '../pair-relocation.ts';

export interface OpenPlaces {
  readonly primaries: readonly number[];
  readonly secondaries: readonly number[];
  /** Whether the moves that lead there leave out the soft rules. */
  readonly isForced: boolean;
}

/** Of one instance before anything moves; undefined where it cannot move. @param targets that it may go to */
export function openPlaces(
  state: ClusterState,
  i: number,
  mode: EvacuationMode,
  targets: readonly number[],
  groupNodes: readonly number[],
  ignoreSoftErrors: boolean,
): OpenPlaces | undefined {
  const p = state.primary[i]!;
  const s = state.secondary[i]!;
  const isForced = (...left: readonly number[]): boolean =>
    ignoreSoftErrors || left.every((n) => state.isOffline[n] === 1);
  if (state.mirroring[i] === MIRROR_EXTERNAL) {
    if (mode === 'secondary-only') return undefined;
    const primaries = targets.filter((n) => migrationRefusal(state, p, n) === ALLOWED);
    return { primaries, secondaries: [], isForced: isForced(p) };
  }
  if (
    state.mirroring[i] !== MIRROR_INTERNAL ||
    s === NO_NODE ||
    unreachableNode(state, i, mode) !== undefined
  )
    return undefined;
  if (mode === 'primary-only') return { primaries: [s], secondaries: [p], isForced: isForced(p) };
  if (mode === 'secondary-only') return { primaries: [p], secondaries: targets, isForced: isForced(s) };
  // Room gets less while others arrive: a primary that cannot be reached now cannot be reached later.
  const relocation = new PairRelocation(state, groupNodes, ignoreSoftErrors);
  const primaries = targets.filter((n) => relocation.reach(i, n) === undefined);
  return { primaries, secondaries: targets, isForced: isForced(p, s) };
}

/** The moves that lead an instance from where it has to leave to where it is to be. */
function movesOf(
  state: ClusterState,
  i: number,
  mode: EvacuationMode,
  place: NodePair,
): readonly EvacuationMove[] {
  if (state.mirroring[i] === MIRROR_EXTERNAL) return [{ kind: FAILOVER_TO_ANY, target: place.primary }];
  if (mode === 'primary-only') return [{ kind: FAILOVER, target: NO_NODE }];
  if (mode === 'secondary-only') return [{ kind: REPLACE_SECONDARY, target: place.secondary }];
  return movesTo(state, i, place);
}

export interface EvacuationTask {
  readonly state: ClusterState;
  readonly mode: EvacuationMode;
  readonly ignoreSoftErrors: boolean;
  /** The instances, in order, and the nodes that each may go to. */
  readonly targets: ReadonlyMap<number, readonly number[]>;
}

export interface GroupTask extends EvacuationTask {
  /** Positions of its nodes. */
  readonly nodes: readonly number[];
}

/** Score gains below this are rounding. */
const SMALLEST_GAIN = 1e-9;

/** How good an evacuation of a group is that the state shows: who stays, and the group's score. */
export const meritOf = ({ state, nodes }: GroupTask, outcomes: readonly Evacuation[]) => ({
  left: outcomes.flatMap((outcome) => (outcome.isMoved ? [] : [outcome.instance])),
  score: scoreOf(state, nodes),
});

type Merit = ReturnType<typeof meritOf>;

/** Whether `a` leaves nobody whom `b` moves, and fewer, or as many at a lower score. */
export const isBetter = (a: Merit, b: Merit): boolean =>
  a.left.every((i) => b.left.includes(i)) &&
  (a.left.length < b.left.length || a.score < b.score - SMALLEST_GAIN);

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
 * be made. Who has no place, or finds it taken, is evacuated as if alone once the others are there.
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
