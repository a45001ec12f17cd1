/**
 * Where instances that have to leave their nodes may go at all, and as what: by the mode of the request, the
 * nodes to be left, and the moves that lead there. What room there is, the search asks itself.
 */
import type { EvacuationMode } from '../../../cluster/iallocator-request.ts';
import { ALLOWED } from '../../../cluster/refusal.ts';
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { FAILOVER, FAILOVER_TO_ANY, REPLACE_SECONDARY } from '../../../model/moves/kinds.ts';
import { migrationRefusal } from '../../../model/rules/migration.ts';
import { type ClusterState, MIRROR_EXTERNAL, MIRROR_INTERNAL } from '../../../model/state/state.ts';
import { unreachableNode } from '../evacuator.ts';
import type { EvacuationMove, NodePair } from '../outcome.ts';
import { movesTo, PairRelocation } from '../pair-relocation.ts';

/** What an instance may become when it leaves. */
export interface OpenPlaces {
  readonly primaries: readonly number[];
  readonly secondaries: readonly number[];
  /** Whether the moves that lead there leave out the soft rules. */
  readonly isForced: boolean;
}

/**
 * For one instance, on the state before anything moves; undefined where it cannot move.
 * @param targets nodes that it may go to
 * @param groupNodes nodes of its group
 */
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
export function movesOf(
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
