/**
 * Trying and applying a move: legality of each transition in stock's order, then the effect on the state.
 *
 * A move is a short list of transitions, written down here once. What fails half-way is rolled back, so a
 * refused move leaves the state as it was. Source: stock applyMoveEx; hbal(1) on the kinds of move.
 */
import { ALLOWED, type FailCode } from '../../cluster/refusal.ts';
import {
  migrationRefusal,
  primaryRefusal,
  primaryRoomRefusal,
  secondaryRefusal,
} from '../rules/admission.ts';
import type { ClusterState } from '../state/state.ts';
import {
  FAILOVER,
  FAILOVER_TO_ANY,
  type MoveKind,
  placementAfter,
  REPLACE_AND_FAILOVER,
  REPLACE_SECONDARY,
} from './kinds.ts';
import { addPrimary, addSecondary, removePrimary, removeSecondary } from './transitions.ts';

/**
 * Told of the refusal that ends a move, while the state is as it was for the rule that said no.
 * @param primary of which the node was to be secondary; the node itself where it was to be primary
 */
type RefusalWatch = (node: number, role: 'primary' | 'secondary', primary: number, code: FailCode) => void;

function tryPrimary(
  state: ClusterState,
  i: number,
  node: number,
  location: number,
  ignoreSoftErrors: boolean,
  watch?: RefusalWatch,
): FailCode {
  const refusal = primaryRefusal(state, i, node, ignoreSoftErrors);
  if (refusal === ALLOWED) addPrimary(state, i, node, location);
  else watch?.(node, 'primary', node, refusal);
  return refusal;
}

function trySecondary(
  state: ClusterState,
  i: number,
  node: number,
  primary: number,
  ignoreDisk: boolean,
  ignoreSoftErrors: boolean,
  watch?: RefusalWatch,
): FailCode {
  const refusal = secondaryRefusal(state, i, node, primary, ignoreDisk, ignoreSoftErrors);
  if (refusal === ALLOWED) addSecondary(state, i, node, primary);
  else watch?.(node, 'secondary', primary, refusal);
  return refusal;
}

/** Whether the tags of the nodes let it migrate. */
function tryMigration(state: ClusterState, from: number, to: number, watch?: RefusalWatch): FailCode {
  const refusal = migrationRefusal(state, from, to);
  if (refusal !== ALLOWED) watch?.(to, 'primary', from, refusal);
  return refusal;
}

/** A primary that stays is asked the hard rules only. */
function keepPrimary(state: ClusterState, i: number, node: number, watch?: RefusalWatch): FailCode {
  const refusal = primaryRoomRefusal(state, i, node, true);
  if (refusal !== ALLOWED) watch?.(node, 'primary', node, refusal);
  return refusal;
}

function place(state: ClusterState, i: number, primary: number, secondary: number, location: number): void {
  state.journal.savePlacement(i);
  state.primary[i] = primary;
  state.secondary[i] = secondary;
  state.locationScore[i] = location;
}

/**
 * All kinds that change the primary of a mirrored instance, which keeps one of its nodes in the pair.
 * @param forcesPrimary the new primary, and one on the way to it, are asked the hard rules only
 * @param forcesSecondary the same for the new secondary
 * @param keepsDisk whether the new secondary has the disks already, so that their room is not asked for
 */
function moveMirrored(
  state: ClusterState,
  i: number,
  [primary, secondary]: readonly [number, number],
  forcesPrimary: boolean,
  forcesSecondary: boolean,
  keepsDisk: boolean,
  watch?: RefusalWatch,
): FailCode {
  const p = state.primary[i]!;
  const s = state.secondary[i]!;
  const location = state.commonLocations(primary, secondary);
  // The secondary must be able to carry the instance while its disks are copied to a new primary.
  const isCarried = secondary === s;
  const migration = isCarried
    ? tryMigration(state, p, s, watch) || tryMigration(state, s, primary, watch)
    : tryMigration(state, p, primary, watch);
  if (migration !== ALLOWED) return migration;
  takeOff(state, i);
  if (isCarried) {
    const carrying = tryPrimary(state, i, s, location, forcesPrimary, watch);
    if (carrying !== ALLOWED) return carrying;
    removePrimary(state, i, s, location);
  }
  const result =
    tryPrimary(state, i, primary, location, forcesPrimary, watch) ||
    trySecondary(state, i, secondary, primary, keepsDisk, forcesSecondary, watch);
  if (result === ALLOWED) place(state, i, primary, secondary, location);
  return result;
}

function failoverToAny(
  state: ClusterState,
  i: number,
  target: number,
  ignoreSoftErrors: boolean,
  watch?: RefusalWatch,
): FailCode {
  const p = state.primary[i]!;
  const location = state.locationScore[i]!;
  const refusal =
    tryMigration(state, p, target, watch) ||
    tryPrimary(state, i, target, location, state.isOffline[p] === 1 || ignoreSoftErrors, watch);
  if (refusal !== ALLOWED) return refusal;
  removePrimary(state, i, p, location);
  place(state, i, target, state.secondary[i]!, location);
  return ALLOWED;
}

function replaceSecondary(
  state: ClusterState,
  i: number,
  target: number,
  ignoreSoftErrors: boolean,
  watch?: RefusalWatch,
): FailCode {
  const p = state.primary[i]!;
  const s = state.secondary[i]!;
  const location = state.commonLocations(p, target);
  const ignoresForSecondary = state.isOffline[s] === 1 || ignoreSoftErrors;
  takeOff(state, i);
  const result =
    trySecondary(state, i, target, p, false, ignoresForSecondary, watch) || keepPrimary(state, i, p, watch);
  if (result !== ALLOWED) return result;
  addPrimary(state, i, p, location);
  place(state, i, p, target, location);
  return ALLOWED;
}

function run(
  state: ClusterState,
  i: number,
  kind: MoveKind,
  target: number,
  ignoreSoftErrors: boolean,
  watch?: RefusalWatch,
): FailCode {
  if (kind === FAILOVER_TO_ANY) return failoverToAny(state, i, target, ignoreSoftErrors, watch);
  if (kind === REPLACE_SECONDARY) return replaceSecondary(state, i, target, ignoreSoftErrors, watch);
  const p = state.primary[i]!;
  const s = state.secondary[i]!;
  const isFromOffline = state.isOffline[p] === 1;
  const isBySecondary = kind === REPLACE_AND_FAILOVER;
  const forcesPrimary = ignoreSoftErrors || (isFromOffline && !isBySecondary);
  const forcesSecondary = isBySecondary ? ignoreSoftErrors || state.isOffline[s] === 1 : forcesPrimary;
  const to = placementAfter(kind, p, s, target);
  return moveMirrored(
    state,
    i,
    to,
    forcesPrimary,
    forcesSecondary,
    kind === FAILOVER && isFromOffline,
    watch,
  );
}

/**
 * Applies a move if the rules allow it; otherwise says why not and leaves the state alone.
 * @param target ignored by FAILOVER
 * @param ignoreSoftErrors leave out the soft rules; moves off offline nodes do so anyway
 * @param watch is told of the rule that says no
 */
export function applyMove(
  state: ClusterState,
  i: number,
  kind: MoveKind,
  target: number,
  ignoreSoftErrors: boolean,
  watch?: RefusalWatch,
): FailCode {
  const mark = state.journal.mark();
  const refusal = run(state, i, kind, target, ignoreSoftErrors, watch);
  if (refusal !== ALLOWED) state.journal.rollback(mark);
  return refusal;
}

/** Takes an instance off its nodes. It is nowhere until the journal, or who puts it somewhere, ends that. */
export function takeOff(state: ClusterState, i: number): void {
  const p = state.primary[i]!;
  const s = state.secondary[i]!;
  removePrimary(state, i, p, state.locationScore[i]!);
  if (s >= 0 && !state.keepsSecondary(i)) removeSecondary(state, i, s, p);
}

/** Puts an instance from no node somewhere, whatever rules say. @param secondary negative for none */
export function putInstance(state: ClusterState, i: number, primary: number, secondary: number): void {
  const stays = state.keepsSecondary(i);
  const location = stays ? state.locationScore[i]! : state.commonLocations(primary, secondary);
  addPrimary(state, i, primary, location);
  if (secondary >= 0 && !stays) addSecondary(state, i, secondary, primary);
  place(state, i, primary, stays ? state.secondary[i]! : secondary, location);
}

/** Places a new instance (from addInstance); `secondary` < 0 = none. State unchanged when refused. */
export function placeInstance(
  state: ClusterState,
  i: number,
  primary: number,
  secondary: number,
  ignoreSoftErrors: boolean,
): FailCode {
  const mark = state.journal.mark();
  const location = state.commonLocations(primary, secondary);
  const refusal =
    tryPrimary(state, i, primary, location, ignoreSoftErrors) ||
    (secondary >= 0 ? trySecondary(state, i, secondary, primary, false, false) : ALLOWED);
  if (refusal === ALLOWED) place(state, i, primary, secondary, location);
  else state.journal.rollback(mark);
  return refusal;
}
