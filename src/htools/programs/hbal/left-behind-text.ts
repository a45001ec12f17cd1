/** What `hbal -E` could not take off: lines for standard error, and the document's member. */
import { warning } from '../../../kit/report/tone.ts';
import { wrapped } from '../../../kit/report/wrap.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { LeftBehind, StayReason } from '../../planners/balance/left-behind.ts';
import type { hbalLeftBehind } from '../../results/hbal.ts';

const REASONS: Record<StayReason, string> = {
  'other-group': 'another node group was balanced; choose its group with --group, or use --all-groups',
  template: 'hbal moves no instance of its disk template',
  'not-auto-balanced': 'it is not to be balanced automatically (auto_balance is off)',
  'left-out': '--select-instances, --exclude-instances, its storage or its two groups keep it there',
  'no-secondary': 'it has no secondary that could take over',
  options: 'the options allow no move that would take it away',
  'no-move': 'no move that the rules allow takes it away',
  'no-gain': 'no move that takes it away lowers the score',
  limit: 'it could go, but',
  'not-carried-out': 'the plan takes it away, but was not carried out to its end',
  arrived: 'it has come there since the plan was made',
};

/** Something that stays, and which limit ended the plan before it could go. */
export interface Stays extends LeftBehind {
  readonly endedBy?: string | undefined;
}

const explanationOf = ({ reason, endedBy }: Stays): string =>
  reason === 'limit' ? `${REASONS.limit} ${endedBy}` : REASONS[reason];

/** One line a node and one an instance; empty when nothing stays. */
export function leftBehindText({ nodes, instances }: Snapshot, found: readonly Stays[]): string {
  const lines: string[] = [];
  for (const [at, one] of found.entries()) {
    const { node, instance, role } = one;
    if (found[at - 1]?.node !== node) {
      const count = found.filter((other) => other.node === node).length;
      lines.push(
        warning(
          `${nodes[node]!.name} is not empty: ${count} ${count === 1 ? 'instance stays' : 'instances stay'}`,
        ),
      );
    }
    lines.push(wrapped('  ', `${instances[instance]!.name} (${role}): ${explanationOf(one)}`));
  }
  return lines.join('');
}

export const leftBehindJson = (
  { nodes, instances }: Snapshot,
  found: readonly Stays[],
): DocumentOf<typeof hbalLeftBehind>[] =>
  found.map((one) => ({
    node: nodes[one.node]!.name,
    instance: instances[one.instance]!.name,
    role: one.role,
    reason: one.reason,
    explanation: explanationOf(one),
  }));
