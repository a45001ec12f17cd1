/** What `-E` leaves on nodes to be emptied: by the plan, or once it was carried out as far as it was. */
import type { Snapshot } from '../../cluster/snapshot.ts';
import { ClusterState } from '../../model/state/state.ts';
import { onOfflineNodes } from '../../planners/balance/left-behind.ts';
import type { BalanceOptions } from '../../planners/balance/options.ts';
import { leftBehind } from '../../planners/balance/steps/why-left.ts';
import { withNodeOptions } from '../shared/cluster/load-cluster.ts';
import type { Executed } from '../shared/execute/run-work.ts';
import type { BalancedGroup } from './balance-group.ts';
import type { Balancing } from './group-task.ts';
import type { Stays } from './left-behind-text.ts';

export interface Left {
  readonly snapshot: Snapshot;
  readonly stays: readonly Stays[];
}

/** What stays; undefined = nothing is to be emptied, or no answer. @param executed undefined = not done */
export async function whatStays(
  { options, limits, snapshot, state }: Balancing,
  balanced: readonly BalancedGroup[],
  executed: Executed | undefined,
): Promise<Left | undefined> {
  if (!options.evacMode) return undefined;
  const groups = balanced.map(({ scope }) => scope.nodes);
  const planned = leftBehind(state, groups, limits).map((one) => ({
    ...one,
    endedBy: balanced.find(({ scope }) => scope.nodes.includes(one.node))?.endedBy,
  }));
  if (!executed) return { snapshot, stays: planned };
  const { readState } = await import('../shared/execute/run-work.ts');
  try {
    const now = withNodeOptions(await readState(options), options);
    return { snapshot: now, stays: staysNow(snapshot, planned, now, limits) };
  } catch (error) {
    // What went wrong first is what is told.
    if (executed.fault) return undefined;
    throw error;
  }
}

/** By positions in the cluster as it is now. @param start planned for @param planned what stays there */
function staysNow(
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
