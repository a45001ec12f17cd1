/** Kinds of move to a target, by options and nodes' state alone. Source: hbal(1); stock possibleMoves. */
import { NO_NODE } from '../../cluster/snapshot.ts';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  type Move,
  type MoveKind,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../model/moves/kinds.ts';
import {
  type ClusterState,
  IS_AUTO_BALANCED,
  IS_MOVABLE,
  MIRROR_EXTERNAL,
  MIRROR_INTERNAL,
} from '../../model/state/state.ts';
import type { BalanceOptions } from './options.ts';

/** Whether the secondary may take over: it is online and primaries may change. DRBD only. */
export function mayFailOver(state: ClusterState, i: number, options: BalanceOptions): boolean {
  return (
    options.instanceMoves &&
    state.mirroring[i] === MIRROR_INTERNAL &&
    state.isOffline[state.secondary[i]!] === 0
  );
}

/** Kinds of move with a target, in visiting order. */
export function kindsWithTarget(
  state: ClusterState,
  i: number,
  options: BalanceOptions,
): readonly MoveKind[] {
  const kinds = kindsAllowed(state, i, options);
  return options.isForExecution && !state.isReachable[state.primary[i]!]
    ? kinds.filter((kind) => kind !== REPLACE_SECONDARY && kind !== REPLACE_AND_FAILOVER)
    : kinds;
}

function kindsAllowed(state: ClusterState, i: number, options: BalanceOptions): readonly MoveKind[] {
  const { diskMoves, instanceMoves } = options;
  if (state.mirroring[i] === MIRROR_EXTERNAL) return instanceMoves ? [FAILOVER_TO_ANY] : [];
  if (state.mirroring[i] !== MIRROR_INTERNAL || !diskMoves) return [];
  if (!instanceMoves) return [REPLACE_SECONDARY];
  if (options.restrictedMigration && state.isOffline[state.primary[i]!] === 0) return [REPLACE_SECONDARY];
  if (!mayFailOver(state, i, options)) return [REPLACE_SECONDARY, REPLACE_AND_FAILOVER];
  return options.restrictedMigration
    ? [REPLACE_SECONDARY, REPLACE_AND_FAILOVER, FAILOVER_AND_REPLACE]
    : [REPLACE_SECONDARY, REPLACE_AND_FAILOVER, REPLACE_PRIMARY, FAILOVER_AND_REPLACE];
}

/** All moves of an instance to the given nodes, failover first. */
export function movesOf(
  state: ClusterState,
  i: number,
  targets: Iterable<number>,
  options: BalanceOptions,
): Move[] {
  const moves: Move[] = [];
  if (mayFailOver(state, i, options)) moves.push({ instance: i, kind: FAILOVER, target: -1 });
  const kinds = kindsWithTarget(state, i, options);
  for (const target of targets) {
    if (target === state.primary[i] || target === state.secondary[i]) continue;
    for (const kind of kinds) moves.push({ instance: i, kind, target });
  }
  return moves;
}

/** Whether the balancer looks at the instance at all now. */
export function isCandidate(state: ClusterState, i: number, options: BalanceOptions): boolean {
  const wanted = IS_MOVABLE | IS_AUTO_BALANCED;
  if ((state.flags[i]! & wanted) !== wanted) return false;
  // A mirror without its other half, where the stock programs break down: no kind of move begins with that.
  if (state.mirroring[i] === MIRROR_INTERNAL && state.secondary[i] === NO_NODE) return false;
  if (!options.evacuationOnly && !state.placement.isSticky(i)) return true;
  if (state.isOffline[state.primary[i]!]) return true;
  return state.mirroring[i] === MIRROR_INTERNAL && state.isOffline[state.secondary[i]!] === 1;
}
