/** What `-E` leaves on nodes to be emptied, by the plan or once it was carried out, and how that is told. */

import { BackendError, Fault, InterruptedError, introduced } from '../../../kit/faults.ts';
import { wrapped } from '../../../kit/report/sentences.ts';
import { warning } from '../../../kit/report/tone.ts';
import { count } from '../../../kit/text/words.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { ClusterState } from '../../model/state/state.ts';
import { type LeftBehind, onOfflineNodes, type StayReason } from '../../planners/balance/left-behind.ts';
import type { BalanceOptions } from '../../planners/balance/options.ts';
import { leftBehind } from '../../planners/balance/steps/why-left.ts';
import type { LeftBehindFacts } from '../../results/hbal.ts';
import { withNodeOptions } from '../shared/cluster/load-cluster.ts';
import type { Executed } from '../shared/document/print-document.ts';
import type { BalancedGroup } from './balance-group.ts';
import type { Balancing } from './group-task.ts';

const REASONS: Record<StayReason, string> = {
  'other-group': 'another node group was balanced; choose its group with --group, or use --all-groups',
  template: 'hbal moves no instance of its disk template',
  'not-auto-balanced': 'it is not to be balanced automatically (auto_balance is off)',
  'left-out':
    '--select-instances, --exclude-instances, --let-rest, htools:hands-off, its storage or its two groups keep it there',
  'no-secondary': 'it has no secondary that could take over',
  options: 'the options allow no move that would take it away',
  'no-move': 'no move that the rules allow takes it away',
  'no-gain': 'no move that takes it away lowers the score',
  limit: 'it could go, but',
  'not-carried-out': 'the plan takes it away, but was not carried out to its end',
  arrived: 'it has come there since the plan was made',
};

/** Something that stays, and which limit ended the plan before it could go. */
interface Stays extends LeftBehind {
  readonly endedBy?: string | undefined;
}

const explanationOf = ({ reason, endedBy }: Stays): string =>
  reason === 'limit' ? `${REASONS.limit} ${endedBy}` : REASONS[reason];

export interface Left {
  readonly snapshot: Snapshot;
  readonly stays: readonly Stays[];
}

/**
 * What stays; undefined = nothing is to be emptied, or it is not known.
 * @param executed undefined = not done
 * @returns the fault besides where the cluster can no longer be read
 */
export async function whatStays(
  { options, limits, snapshot, state }: Balancing,
  balanced: readonly BalancedGroup[],
  executed: Executed | undefined,
): Promise<{ readonly left?: Left; readonly fault?: Fault }> {
  if (!options.evacMode) return {};
  const groups = balanced.map(({ scope }) => scope.nodes);
  const planned = leftBehind(state, groups, limits).map((one) => ({
    ...one,
    endedBy: balanced.find(({ scope }) => scope.nodes.includes(one.node))?.endedBy,
  }));
  if (!executed) return { left: { snapshot, stays: planned } };
  if (executed.fault instanceof InterruptedError) return {};
  const [{ readState }, { Patience }] = await Promise.all([
    import('../shared/execute/run-work.ts'),
    import('../../ganeti/execution/master-line.ts'),
  ]);
  // A master that is away has been waited for, or somebody does not want to wait.
  const isOver = executed.fault instanceof BackendError || executed.facts?.outcome === 'stopped';
  try {
    const fresh = await readState(options, isOver ? new Patience(0) : undefined);
    const now = withNodeOptions(fresh, options);
    return { left: { snapshot: now, stays: staysNow(snapshot, planned, now, limits) } };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { fault: introduced('what is left behind is not known', error) };
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

export function leftBehindText({ nodes, instances }: Snapshot, found: readonly Stays[]): string {
  const lines: string[] = [];
  for (const [at, one] of found.entries()) {
    const { node, instance, role } = one;
    if (found[at - 1]?.node !== node) {
      const those = found.filter((other) => other.node === node).length;
      const stay = count(those, 'instance stays', 'instances stay');
      lines.push(warning(`${nodes[node]!.name} is not empty: ${stay}`));
    }
    lines.push(wrapped('  ', `${instances[instance]!.name} (${role}): ${explanationOf(one)}`));
  }
  return lines.join('');
}

export const leftBehindJson = ({ nodes, instances }: Snapshot, found: readonly Stays[]): LeftBehindFacts[] =>
  found.map((one) => ({
    node: nodes[one.node]!.name,
    instance: instances[one.instance]!.name,
    role: one.role,
    reason: one.reason,
    explanation: explanationOf(one),
  }));
