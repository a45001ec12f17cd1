/** Differences between a ledger and a cluster or a Placement, and findings of an audit, in words. */
import type { Finding } from '../../../claims/audit/findings.ts';
import type { Difference } from '../../../claims/cluster/difference.ts';

function differenceText(difference: Difference): string {
  switch (difference.kind) {
    case 'name-missing':
      return `+ ${difference.of} ${difference.name}`;
    case 'name-extra':
      return `- ${difference.of} ${difference.name}`;
    case 'provider-missing':
      return `+ provider ${difference.name}`;
    case 'provider-extra':
      return `- provider ${difference.name}`;
    case 'provider-differs':
      return `~ provider ${difference.name}, ${difference.what}: ${difference.ledger} => ${difference.cluster}`;
    case 'consumer-missing':
      return `+ consumer ${difference.consumer}: ${difference.amounts}`;
    case 'consumer-extra':
      return `- consumer ${difference.consumer}: ${difference.amounts}`;
    case 'consumer-differs':
      return `~ consumer ${difference.consumer}, ${difference.what}: ${difference.ledger} => ${difference.cluster}`;
    case 'moving':
      return `  claimed, not moved yet: ${difference.consumer}: ${difference.cluster} => ${difference.ledger}`;
    case 'promised':
      return `  promised, not built: ${difference.consumer}: ${difference.amounts}`;
  }
}

/** One line each: `+` the other has it, `-` the ledger has it, `~` both have it and differ. */
export const differencesText = (
  differences: readonly Difference[],
  other: 'cluster' | 'Placement' = 'cluster',
): string =>
  differences.length === 0
    ? `Ledger and ${other} agree.\n`
    : differences.map((difference) => `${differenceText(difference)}\n`).join('');

/** What is wrong, with figures. One line without its end. */
export function findingText(finding: Finding): string {
  switch (finding.kind) {
    case 'sum':
      return `${finding.provider} keeps ${finding.kept} ${finding.class} as used, its allocations are ${finding.sum}`;
    case 'owner-sum':
      return `project ${finding.project} keeps ${finding.kept} ${finding.class} as used, its allocations are ${finding.sum}`;
    case 'orphan':
      return `orphan: ${finding.what}`;
    case 'generation':
      return `${finding.provider} has generation ${finding.generation}, its history ${finding.changes} changes`;
    case 'history':
      return `the history ends with ${finding.recorded} for ${finding.consumer} on ${finding.provider}, the ledger has ${finding.found}`;
    case 'tree':
      return `${finding.provider} names another root than its parent`;
    case 'damage':
      return `the database is damaged: ${finding.detail}`;
    case 'over-capacity':
      return `${finding.provider} is over capacity: ${finding.used} of ${finding.capacity} ${finding.class} used`;
    case 'unit':
      return `${finding.consumer} has ${finding.amount} ${finding.class} of ${finding.provider}, which ${finding.rule} would not allow`;
  }
}
