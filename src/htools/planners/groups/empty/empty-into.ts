/** Emptying a group whose instances belong where somebody else says. Source: docs/why/binding.md. */
import { GroupRules, type OpenGroups } from '../homes/leaving.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { healthyGroups } from './compress.ts';
import { type Emptied, emptyOf, type NotEmptied, residentsOf } from './emptying.ts';

/** Where an instance has to go: position of a group; undefined: anywhere. */
type Destination = (instance: number) => number | undefined;

class RulesWithDestination extends GroupRules {
  private readonly destination: Destination;

  constructor(cluster: SuperCluster, destination: Destination) {
    super(cluster);
    this.destination = destination;
  }

  override of(i: number): OpenGroups {
    const found = super.of(i);
    const wanted = this.destination(i);
    return wanted === undefined ? found : { ...found, open: found.open.filter((group) => group === wanted) };
  }
}

/** Whether all instances can move where they have to, healthy groups staying so. The state is as before. */
export function emptyInto(
  cluster: SuperCluster,
  group: number,
  destination: Destination,
): Emptied | NotEmptied {
  const healthy = healthyGroups(cluster);
  const context = {
    cluster,
    rules: new RulesWithDestination(cluster, destination),
    isTarget: (other: number) => other !== group && healthy.has(other),
  };
  const mark = cluster.mark();
  const outcome = emptyOf(context, residentsOf(cluster, group));
  cluster.rollback(mark);
  return outcome;
}
