/** Why instances could not be evacuated, in the words of the stock hail (byte contract). */
import { FAIL_MODES } from '../../cluster/refusal.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { EvacuationFailure, PairStep } from '../../planners/evacuate/outcome.ts';
import { searchText } from './allocation-text.ts';

const STEP_TEXTS: Record<PairStep, string> = {
  'leave-offline-primary': 'Failing over to the secondary',
  'reach-new-primary': 'Changing secondary to new primary',
  'become-primary': 'Failing over to new primary',
  'reach-new-secondary': 'Changing secondary to final secondary',
};

/** @param instance name of the instance */
export function evacuationFailureText(
  snapshot: Snapshot,
  instance: string,
  failure: EvacuationFailure,
): string {
  switch (failure.kind) {
    case 'unmovable':
      return `Instances of type ${failure.template} cannot be relocated`;
    case 'no-secondary':
      return `Instances with disk template '${failure.template}' can't execute change secondary`;
    case 'unreachable':
      return `Node ${snapshot.nodes[failure.node]!.name} is offline: its disks can be neither copied nor taken over`;
    case 'check-refused':
      return `Left where it is, since its moves break a rule when replayed: ${failure.reason}`;
    case 'failover-refused':
      return FAIL_MODES[failure.code]!;
    case 'no-target': {
      const refusals = failure.refusals.map(
        ({ node, code }) => ` Node ${snapshot.nodes[node]!.name} failed: ${FAIL_MODES[code]};`,
      );
      return `Can't find any good node: ${refusals.join('')}`;
    }
    case 'no-pair': {
      const { last } = failure;
      const reason = last
        ? `Allocation failed: ${STEP_TEXTS[last.step]}: ${FAIL_MODES[last.code]}`
        : 'no nodes available';
      return `Can't find any good nodes for relocation: ${reason}`;
    }
    case 'no-group':
      return searchText(snapshot, instance, failure.search, failure.allowed);
  }
}
