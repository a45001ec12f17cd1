/**
 * The ways from one home to another: lists of moves as hbal has them, the cheapest first. Source:
 * gnt-instance(8), replace-disks, migrate, failover.
 *
 * A disk can be replaced only from a primary that can be reached, and an instance changes over only to a
 * secondary that is online. Which of several ways is open depends on what the nodes that are left have free:
 * the rules of a move look at the node that keeps a copy for a while, so a full primary may be left by way of
 * its secondary, and the other way round.
 */
import { NO_NODE } from '../../../cluster/snapshot.ts';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  type MoveKind,
  moveBetween,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../model/moves/kinds.ts';
import { type ClusterState, HAS_SECONDARY } from '../../../model/state/state.ts';
import type { Home } from './home.ts';

/** Kinds of move and their targets, in order. */
export type Itinerary = readonly (readonly [MoveKind, number])[];

/** Ways of a DRBD instance to two new nodes. */
const apart = ({ primary: newP, secondary: newS }: Home): Itinerary[] => [
  [
    [REPLACE_SECONDARY, newP],
    [FAILOVER_AND_REPLACE, newS],
  ],
  [
    [REPLACE_AND_FAILOVER, newP],
    [REPLACE_SECONDARY, newS],
  ],
  [
    [FAILOVER_AND_REPLACE, newP],
    [FAILOVER_AND_REPLACE, newS],
  ],
  [
    [REPLACE_SECONDARY, newS],
    [REPLACE_PRIMARY, newP],
  ],
  [
    [FAILOVER_AND_REPLACE, newS],
    [REPLACE_PRIMARY, newP],
  ],
];

const NEEDS_PRIMARY: ReadonlySet<MoveKind> = new Set([REPLACE_SECONDARY, REPLACE_AND_FAILOVER]);
const NEEDS_SECONDARY: ReadonlySet<MoveKind> = new Set([FAILOVER, FAILOVER_AND_REPLACE, REPLACE_PRIMARY]);

/** Ways that Ganeti can take by the nodes that are there; whether rules allow them, relocate tries. */
export function itineraries(state: ClusterState, i: number, to: Home): readonly Itinerary[] {
  if (!(state.flags[i]! & HAS_SECONDARY)) return [[[FAILOVER_TO_ANY, to.primary]]];
  const p = state.primary[i]!;
  const s = state.secondary[i]!;
  const only = moveBetween(p, s, to.primary, to.secondary, NO_NODE);
  const canReplace = state.isReachable[p];
  const canChangeOver = !state.isOffline[s];
  return (only ? [[only]] : apart(to)).filter(([first]) => {
    const kind = first![0];
    return (canReplace || !NEEDS_PRIMARY.has(kind)) && (canChangeOver || !NEEDS_SECONDARY.has(kind));
  });
}
