/** What `-E` leaves on nodes to be emptied, by the plan or once it was carried out, and how that is told. */
import { BackendError, Fault, InterruptedError, introduced } from '../../../kit/faults.ts';
import { printErr } from '../../../kit/report/output.ts';
import { wrapped } from '../../../kit/report/sentences.ts';
import { warning } from '../../../kit/report/tone.ts';
import { count } from '../../../kit/text/words.ts';
import { nodesAt } from '../../cluster/names.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { ClusterState } from '../../model/state/state.ts';
import type { BalanceOptions } from '../../planners/balance/options.ts';
import {
  type LeftBehind,
  leftBehind,
  onOfflineNodes,
  type StayReason,
} from '../../planners/balance/steps/left-behind.ts';
import { StopRule } from '../../planners/balance/stop-rule.ts';
import type { LeftBehindFacts } from '../../results/hbal.ts';
import { searchOf } from '../shared/balance/search-limits.ts';
import { withNodeOptions } from '../shared/cluster/load-cluster.ts';
import type { Executed } from '../shared/document/print-document.ts';
import { LEFT_OUT_BY } from '../shared/questions/words.ts';
import type { BalancedGroup } from './balance-group.ts';
import type { Balancing } from './group-task.ts';

const REASONS: Record<StayReason, string> = {
  'other-group': 'another node group was balanced; choose its group with --group, or use --all-groups',
  template: 'hbal moves no instance of its disk template',
  'not-auto-balanced': 'it is not to be balanced automatically (auto_balance is off)',
  'left-out': `${LEFT_OUT_BY} there`,
  'no-secondary': 'it has no secondary that could take over',
  options: 'the options allow no move that would take it away',
  'no-move': 'no move that the rules allow takes it away',
  'no-gain': 'no move that takes it away lowers the score',
  limit: 'it could go, but',
  'not-carried-out': 'the plan takes it away, but was not carried out to its end',
  arrived: 'it has come there since the plan was made',
};

/** What ended the plan before it could go, to follow "but". */
function endOf({ options, limits, optimum, plan }: BalancedGroup): string {
  const { maxLength, budget, minScore, minGain } = options;
  if (limits.maxSteps >= 0 && plan.steps.length >= limits.maxSteps)
    return `--max-length=${maxLength} allows no more moves`;
  if (budget.length > 0) return `--budget=${budget.join(' --budget=')} leaves it out`;
  if (!new StopRule(optimum, { ...limits, maxSteps: -1 }).mayGoOn(0, plan.finalScore))
    return `--min-score=${minScore} is reached without it`;
  return searchOf(options) === 'deep'
    ? 'it is not worth its price: --budget=best, or another --budget, asks for more'
    : `it gains less than --min-gain=${minGain}`;
}

/** @param balanced group of the node, where it is one of those */
function factsOf(
  { nodes, instances }: Snapshot,
  { node, instance, role, reason }: LeftBehind,
  balanced?: BalancedGroup,
): LeftBehindFacts {
  return {
    node: nodes[node]!.name,
    instance: instances[instance]!.name,
    role,
    reason,
    explanation: reason === 'limit' ? `${REASONS.limit} ${endOf(balanced!)}` : REASONS[reason],
  };
}

/**
 * Tells what stays; nothing where that is not known.
 * @param executed undefined = not done
 * @returns the fault besides where the cluster can no longer be read
 */
export async function tellWhatStays(
  { options, limits, snapshot, state }: Balancing,
  balanced: readonly BalancedGroup[],
  executed: Executed | undefined,
): Promise<{ readonly left?: readonly LeftBehindFacts[]; readonly fault?: Fault }> {
  if (executed?.fault instanceof InterruptedError) return {};
  const groups = balanced.map(({ scope }) => scope.nodes);
  const planned = leftBehind(state, groups, limits).map((one) =>
    factsOf(
      snapshot,
      one,
      balanced.find(({ scope }) => scope.nodes.includes(one.node)),
    ),
  );
  try {
    const left = executed ? await staysNow(snapshot, planned, options, limits, executed) : planned;
    printErr(leftBehindText(left));
    return { left };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { fault: introduced('what is left behind is not known', error) };
  }
}

/** In the cluster as it is now. @param start planned for @param planned what stays there */
async function staysNow(
  start: Snapshot,
  planned: readonly LeftBehindFacts[],
  options: Balancing['options'],
  limits: BalanceOptions,
  { facts, fault }: Executed,
): Promise<readonly LeftBehindFacts[]> {
  const [{ readState }, { Patience }] = await Promise.all([
    import('../shared/execute/run-work.ts'),
    import('../../ganeti/execution/master-line.ts'),
  ]);
  // A master that is away has been waited for, or somebody does not want to wait.
  const isOver = fault instanceof BackendError || facts?.outcome === 'stopped';
  const now = withNodeOptions(await readState(options, isOver ? new Patience(0) : undefined), options);
  const keyOf = (node: string, instance: string): string => `${node} ${instance}`;
  const byPlan = new Map(planned.map((one) => [keyOf(one.node, one.instance), one]));
  const atStart = new Set(
    start.instances.flatMap(({ name, primary, secondary }) =>
      nodesAt(start.nodes, primary, secondary).map((node) => keyOf(node.name, name)),
    ),
  );
  return onOfflineNodes(new ClusterState(now), limits).map((one): LeftBehindFacts => {
    const key = keyOf(now.nodes[one.node]!.name, now.instances[one.instance]!.name);
    const known = byPlan.get(key);
    if (known) return { ...known, role: one.role };
    return factsOf(now, { ...one, reason: atStart.has(key) ? 'not-carried-out' : 'arrived' });
  });
}

function leftBehindText(left: readonly LeftBehindFacts[]): string {
  const lines: string[] = [];
  for (const [at, { node, instance, role, explanation }] of left.entries()) {
    if (left[at - 1]?.node !== node) {
      const those = left.filter((other) => other.node === node).length;
      lines.push(warning(`${node} is not empty: ${count(those, 'instance stays', 'instances stay')}`));
    }
    lines.push(wrapped('  ', `${instance} (${role}): ${explanation}`));
  }
  return lines.join('');
}
