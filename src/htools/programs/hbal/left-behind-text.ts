/**
 * What `hbal -E` could not take off the nodes to be emptied: lines for standard error, and the member of the
 * document.
 */

import { warning } from '../../../kit/report/tone.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { LeftBehind, StayReason } from '../../planners/balance/left-behind.ts';
import type { hbalLeftBehind } from '../../results/hbal.ts';

/** Exit status of `-E` when something stays; the steps that were found are right all the same. */
export const EXIT_LEFT_BEHIND = 3;

const REASONS: Record<StayReason, string> = {
  'other-group': 'another node group was balanced; choose its group with --group, or use --all-groups',
  template: 'hbal moves no instance of its disk template',
  'not-auto-balanced': 'it is not to be balanced automatically (auto_balance is off)',
  'left-out': '--select-instances, --exclude-instances, its storage or its two groups keep it there',
  'no-secondary': 'it has no secondary that could take over',
  options: 'the options allow no move that would take it away',
  'no-move': 'no move that the rules allow takes it away and lowers the score',
};

/** One line a node and one an instance; empty when nothing stays. */
export function leftBehindText({ nodes, instances }: Snapshot, found: readonly LeftBehind[]): string {
  const lines: string[] = [];
  for (const [at, { node, instance, role, reason }] of found.entries()) {
    if (found[at - 1]?.node !== node) {
      const count = found.filter((one) => one.node === node).length;
      lines.push(
        warning(
          `${nodes[node]!.name} is not empty: ${count} ${count === 1 ? 'instance stays' : 'instances stay'}`,
        ),
      );
    }
    lines.push(`  ${instances[instance]!.name} (${role}): ${REASONS[reason]}\n`);
  }
  return lines.join('');
}

export const leftBehindJson = (
  { nodes, instances }: Snapshot,
  found: readonly LeftBehind[],
): DocumentOf<typeof hbalLeftBehind>[] =>
  found.map(({ node, instance, role, reason }) => ({
    node: nodes[node]!.name,
    instance: instances[instance]!.name,
    role,
    reason,
    explanation: REASONS[reason],
  }));
