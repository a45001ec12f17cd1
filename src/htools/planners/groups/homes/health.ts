/** Health of a group: what work across groups heals, and must not harm. Source: docs/why/groups.md. */
import type { SharedStorageN1 } from '../../../model/redundancy/shared/shared-storage.ts';
import * as F from '../../../model/state/node-fields.ts';
import type { ClusterState } from '../../../model/state/state.ts';

/**
 * unhealthy: an offline node still has instances. weak: an online node fails N+1, by DRBD reservations or
 * because its instances could not all start again elsewhere in the group. healthy: neither.
 */
export type HealthState = 'unhealthy' | 'weak' | 'healthy';

export interface Health {
  readonly group: number;
  readonly state: HealthState;
  /** Offline nodes with real instances, as primary or secondary. */
  readonly deadNodes: readonly number[];
  /** Online nodes that could not take over from a failed peer. */
  readonly overcommitted: readonly number[];
  /** Online nodes whose instances could not all start again elsewhere. */
  readonly unrestartable: readonly number[];
}

const isFailing = (state: ClusterState, node: number): boolean =>
  state.nodeFields[node * F.NODE_STRIDE + F.FAILS_N1] === 1;

/** @param nodes all nodes of the group; @param n1 up to date for them */
export function healthOf(
  state: ClusterState,
  n1: SharedStorageN1,
  group: number,
  nodes: readonly number[],
): Health {
  const deadNodes = nodes.filter(
    (n) => state.isOffline[n] && state.primaries[n]!.length + state.secondaries[n]!.length > 0,
  );
  const online = nodes.filter((n) => !state.isOffline[n]);
  const overcommitted = online.filter((n) => isFailing(state, n));
  const unrestartable = online.filter((n) => n1.verdictOf(n) !== 'yes');
  const isWeak = overcommitted.length + unrestartable.length > 0;
  return {
    group,
    state: deadNodes.length > 0 ? 'unhealthy' : isWeak ? 'weak' : 'healthy',
    deadNodes,
    overcommitted,
    unrestartable,
  };
}

/**
 * How many online nodes of a group fail N+1 in either way with the state as it is now, a trial; more than
 * `most` are not counted to the end.
 * @param touched nodes that the trial changed; @param n1 as before it
 */
export function failingAfter(
  state: ClusterState,
  n1: SharedStorageN1,
  nodes: readonly number[],
  touched: readonly number[],
  most: number,
): number {
  const verdictOf = n1.verdictsAfter(touched);
  let failing = 0;
  for (const n of nodes) {
    if (state.isOffline[n] || !(isFailing(state, n) || verdictOf(n) !== 'yes')) continue;
    if (++failing > most) break;
  }
  return failing;
}

/** Online nodes that fail N+1 in either way, each once, ascending. */
export const failingNodes = (health: Health): number[] =>
  [...new Set([...health.overcommitted, ...health.unrestartable])].sort((a, b) => a - b);

/** Worst first: instances on offline nodes, then nodes that fail N+1, then the order of the snapshot. */
export function byNeed(state: ClusterState): (a: Health, b: Health) => number {
  const stranded = ({ deadNodes }: Health): number =>
    deadNodes.reduce((sum, n) => sum + state.primaries[n]!.length + state.secondaries[n]!.length, 0);
  return (a, b) =>
    stranded(b) - stranded(a) || failingNodes(b).length - failingNodes(a).length || a.group - b.group;
}
