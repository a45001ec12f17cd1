/**
 * Homes in other groups for instances that their own group cannot keep, one after another, without making a group unhealthy.
 * Source: docs/design/groups.md, "Rules for any move between groups".
 */

import type { Relocation } from '../relocate/relocation.ts';
import { findHome } from './homes.ts';
import { GroupRules, type Stranded, stayRule, strandedBy } from './leaving.ts';
import type { SuperCluster } from './super-cluster.ts';
import { forbidsInterGroup } from './targets.ts';

/** What became of one instance. */
export type Refuge =
  | { readonly kind: 'moved'; readonly relocation: Relocation }
  | { readonly kind: 'stranded'; readonly stranded: Stranded };

/**
 * Moves each instance to the best home in another group; those that find none stay. Undefined, and nothing moved, where the
 * cluster forbids moves between groups.
 */
export function findRefuges(cluster: SuperCluster, instances: readonly number[]): Refuge[] | undefined {
  if (forbidsInterGroup(cluster)) return undefined;
  const rules = new GroupRules(cluster);
  return instances.map((i): Refuge => {
    const relocation =
      stayRule(cluster, i) === undefined
        ? findHome(cluster, i, rules.of(i).open, { strategy: 'standard', refreshesOld: true })
        : undefined;
    return relocation
      ? { kind: 'moved', relocation }
      : { kind: 'stranded', stranded: strandedBy(cluster, rules, i, () => true) };
  });
}
