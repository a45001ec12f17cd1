/** How healthy the groups are before anything is done. Source: docs/why/groups.md, "hredist". */
import { byNeed, type Health } from '../homes/health.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { forbidsInterGroup, neighbours } from '../homes/targets.ts';

export interface Survey {
  /** The cluster's tag forbids moves between groups. */
  readonly isForbidden: boolean;
  /** Groups that share no pool with any other: nobody can help them. */
  readonly alone: readonly number[];
  /** To be healed, unhealthy ones before weak ones, the worst first. */
  readonly sick: readonly Health[];
  /** Healthy groups that can take instances of others. */
  readonly healthy: readonly number[];
  readonly all: readonly Health[];
  /** Groups that take no part, as the operator said. */
  readonly leftOut: readonly number[];
}

/** @param only the one group that is to be healed; by default all that need it */
export function survey(cluster: SuperCluster, only?: number): Survey {
  const all = cluster.groups.map((group) => cluster.healthOf(group));
  const near = neighbours(cluster);
  const alone = cluster.groups.filter((group) => near[group]!.size === 0);
  const need = byNeed(cluster.state);
  const inState = (state: Health['state']): Health[] =>
    all.filter((health) => health.state === state).sort(need);
  const isWanted = ({ group }: Health): boolean => only === undefined || group === only;
  return {
    isForbidden: forbidsInterGroup(cluster),
    alone,
    sick: [...inState('unhealthy'), ...inState('weak')].filter(isWanted),
    healthy: inState('healthy')
      .map(({ group }) => group)
      .filter((group) => !alone.includes(group)),
    all,
    leftOut: cluster.leftOut,
  };
}
