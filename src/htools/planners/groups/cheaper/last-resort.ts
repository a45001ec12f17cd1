/** Moves to groups of last resort: a search may take no more of them than the plan that it began with. */
import type { SuperCluster } from '../homes/super-cluster.ts';
import { LAST_RESORT, tierOf } from '../homes/targets.ts';
import { isWithin, type Relocation } from '../relocate/relocation.ts';

export const lastResorts = (cluster: SuperCluster, relocations: readonly Relocation[]): number =>
  relocations.filter((one) => !isWithin(one) && tierOf(cluster, one.to.group) === LAST_RESORT).length;
