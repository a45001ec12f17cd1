/** Playing one placement through: the moves that lead to it, and whether the target group stays healthy. */
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { removeSecondary } from '../../../model/moves/transitions.ts';
import { type Home, nodesIn, nodesOf, type Relocation, relocate } from '../relocate/relocation.ts';
import type { SuperCluster } from './super-cluster.ts';

/** Why a placement is not taken. */
interface Obstacle {
  /** way: no way leads there as the nodes that are left stand now; n1: a node of the group would fail. */
  readonly kind: 'way' | 'n1';
  /** Holds whatever else is done but emptying the target. */
  readonly isProven: boolean;
  /** Holds for every other secondary as well. */
  readonly isByPrimary: boolean;
}

const WAY: Obstacle = { kind: 'way', isProven: false, isByPrimary: false };

export const isObstacle = (result: Relocation | Obstacle): result is Obstacle => 'isByPrimary' in result;

/** Whether the node would fail with its primary alone, so that another secondary is no help. */
function failsByPrimary({ state, n1 }: SuperCluster, i: number, home: Home, failing: number): boolean {
  if (home.secondary === NO_NODE) return true;
  if (failing === home.primary) return false;
  removeSecondary(state, i, home.secondary, home.primary);
  return n1.verdictNow(failing) === 'no';
}

/**
 * Moves the instance to this home if the group stays healthy there; the state is as before otherwise. On
 * success the cluster's verdicts and scores are up to date for the new home; those of the old one only when
 * asked.
 */
export function tryHome(
  cluster: SuperCluster,
  i: number,
  home: Home,
  refreshesOld: boolean,
): Relocation | Obstacle {
  const { state, n1 } = cluster;
  const mark = state.journal.mark();
  const moved = relocate(state, i, home);
  if (!moved) return WAY;
  const arrived = nodesIn([home]);
  if (arrived.some((n) => cluster.isOvercommitted(n))) {
    state.journal.rollback(mark);
    return { kind: 'n1', isProven: true, isByPrimary: false };
  }
  const failure = n1.newlyFailing(arrived);
  if (failure) {
    const isByPrimary = failsByPrimary(cluster, i, home, failure.node);
    state.journal.rollback(mark);
    return { kind: 'n1', isProven: failure.verdict === 'no', isByPrimary };
  }
  cluster.refresh(refreshesOld ? nodesOf(moved) : arrived);
  return moved;
}

/** Moves an instance within its group as the rules allow, or to a healthy group that stays so. */
export function moveTo(cluster: SuperCluster, i: number, home: Home): Relocation | undefined {
  if (home.group === cluster.groupOf(i)) return cluster.move(i, home);
  if (!cluster.isHealthy(home.group)) return undefined;
  const moved = tryHome(cluster, i, home, true);
  return isObstacle(moved) ? undefined : moved;
}
