/** How healthy the groups are before anything is done. Source: docs/why/groups.md, "hredist". */
import { forbidsInterGroup, isAlone } from '../homes/leaving.ts';
import type { Health, SuperCluster } from '../homes/super-cluster.ts';

export interface Survey {
  readonly isForbidden: boolean;
  /** Groups that share no pool with any other: nobody can help them. */
  readonly alone: readonly number[];
  /** To be healed, unhealthy ones before weak ones, the worst first. */
  readonly sick: readonly Health[];
  /** Healthy groups that can take instances of others. */
  readonly healthy: readonly number[];
  readonly all: readonly Health[];
}

/** Groups that may take instances of others once some of the sick ones are healed. */
export const takersWith = (
  { isForbidden, healthy, alone }: Survey,
  healed: readonly number[],
): ReadonlySet<number> =>
  new Set(isForbidden ? [] : [...healthy, ...healed.filter((group) => !alone.includes(group))]);

/** @param only the one group that is to be healed; by default all that need it */
export function survey(cluster: SuperCluster, only?: number): Survey {
  const { primaries, secondaries } = cluster.state;
  const all = cluster.groups.map((group) => cluster.healthOf(group));
  const alone = cluster.groups.filter((group) => isAlone(cluster, group));
  const stranded = ({ deadNodes }: Health): number =>
    deadNodes.reduce((sum, n) => sum + primaries[n]!.length + secondaries[n]!.length, 0);
  const byNeed = (a: Health, b: Health): number =>
    stranded(b) - stranded(a) || b.failing.length - a.failing.length || a.group - b.group;
  const inState = (state: Health['state']): Health[] =>
    all.filter((health) => health.state === state).sort(byNeed);
  return {
    isForbidden: forbidsInterGroup(cluster),
    alone,
    sick: [...inState('unhealthy'), ...inState('weak')].filter(({ group }) => group === (only ?? group)),
    healthy: inState('healthy')
      .map(({ group }) => group)
      .filter((group) => !alone.includes(group)),
    all,
  };
}
