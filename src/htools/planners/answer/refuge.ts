/**
 * Homes in other groups for instances that their own group cannot keep, one after another, without making a
 * group unhealthy. Healthy groups come first: in one that fails N+1 already, an arrival might have nowhere to
 * start again. Source: docs/why/groups.md.
 */
import { findHome } from '../groups/homes/homes.ts';
import { GroupRules, stayRule } from '../groups/homes/leaving.ts';
import type { SuperCluster } from '../groups/homes/super-cluster.ts';
import { forbidsInterGroup } from '../groups/homes/targets.ts';
import { type Stranded, strandedBy } from '../groups/refusals/refusals.ts';
import type { Relocation } from '../groups/relocate/relocation.ts';

/** What became of one instance. */
type Refuge =
  | { readonly kind: 'moved'; readonly relocation: Relocation }
  | { readonly kind: 'stranded'; readonly stranded: Stranded };

function refugeOf(cluster: SuperCluster, rules: GroupRules, i: number): Relocation | undefined {
  if (stayRule(cluster, i) !== undefined) return undefined;
  const own = cluster.groupOf(i);
  const open = rules.of(i).open.filter((group) => group !== own);
  const healthy = open.filter((group) => cluster.isHealthy(group));
  const others = open.filter((group) => !healthy.includes(group));
  for (const groups of [healthy, others]) {
    const found = findHome(cluster, i, groups, { strategy: 'standard', refreshesOld: true });
    if (found.kind === 'found') return found.relocation;
  }
  return undefined;
}

/** Moves each instance to its best home in another group, if any; undefined where that is forbidden. */
export function findRefuges(cluster: SuperCluster, instances: readonly number[]): Refuge[] | undefined {
  if (forbidsInterGroup(cluster)) return undefined;
  const rules = new GroupRules(cluster);
  return instances.map((i): Refuge => {
    const own = cluster.groupOf(i);
    const relocation = refugeOf(cluster, rules, i);
    return relocation
      ? { kind: 'moved', relocation }
      : { kind: 'stranded', stranded: strandedBy(cluster, rules, i, (group) => group !== own) };
  });
}
