/** What is still on the nodes to be emptied once a plan was carried out, as far as it was. */
import type { Snapshot } from '../../cluster/snapshot.ts';
import { ClusterState } from '../../model/state/state.ts';
import { onOfflineNodes } from '../../planners/balance/left-behind.ts';
import type { BalanceOptions } from '../../planners/balance/options.ts';
import type { Stays } from './left-behind-text.ts';

/**
 * By positions in the cluster as it is now.
 * @param start the cluster that was planned for
 * @param planned what the plan leaves there, by positions in it
 */
export function staysOf(
  start: Snapshot,
  planned: readonly Stays[],
  now: Snapshot,
  options: BalanceOptions,
): readonly Stays[] {
  const keyOf = ({ nodes, instances }: Snapshot, node: number, instance: number): string =>
    `${nodes[node]!.name} ${instances[instance]!.name}`;
  const byPlan = new Map(planned.map((one) => [keyOf(start, one.node, one.instance), one]));
  const atStart = new Set(
    start.instances.flatMap(({ primary, secondary }, i) =>
      [primary, secondary].flatMap((n) => (n < 0 ? [] : [keyOf(start, n, i)])),
    ),
  );
  return onOfflineNodes(new ClusterState(now), options).map((one): Stays => {
    const key = keyOf(now, one.node, one.instance);
    const known = byPlan.get(key);
    if (known) return { ...known, ...one };
    return { ...one, reason: atStart.has(key) ? 'not-carried-out' : 'arrived' };
  });
}
