/** Health of a group: what work across groups heals, and must not harm. Source: docs/why/groups.md. */

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

/** Online nodes that fail N+1 in either way, each once, ascending. */
export const failingNodes = ({ overcommitted, unrestartable }: Health): number[] =>
  [...new Set([...overcommitted, ...unrestartable])].sort((a, b) => a - b);
