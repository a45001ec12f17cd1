/** Refusals and conflicts in words. */
import type { ProviderRefusal } from '../../../claims/changes/provider-write.ts';
import type { ImportRefusal } from '../../../claims/cluster/import.ts';
import type { ClaimConflict, Holder } from '../../../claims/model/refusal.ts';
import type { MoveRefusal } from '../../../claims/moves/claim-moves.ts';

export type AnyRefusal =
  | MoveRefusal
  | ProviderRefusal
  | ImportRefusal
  | { readonly kind: 'unknown-consumer'; readonly consumer: string }
  | { readonly kind: 'expired'; readonly consumer: string };

const holderText = ({ consumer, project, used }: Holder): string =>
  `${consumer}${project === null ? '' : ` of ${project}`} (${used})`;

/** Why not, with figures. One line. */
export const refusalText = (refusal: AnyRefusal): string => `Refused: ${reason(refusal)}`;

function reason(refusal: AnyRefusal): string {
  switch (refusal.kind) {
    case 'unknown-provider':
      return `there is no provider ${refusal.provider}`;
    case 'unknown-class':
      return `there is no class ${refusal.class}`;
    case 'no-inventory':
      return `${refusal.providerName} has no ${refusal.class}`;
    case 'unit':
      return `${refusal.consumer} asks ${refusal.providerName} for ${refusal.amount} ${refusal.class}, ${unitText(refusal.rule, refusal.limit)}`;
    case 'capacity': {
      const { providerName, class: name, lacking, asked, used, capacity, reserved, holders } = refusal;
      const more = reserved > 0 ? ` (${reserved} reserved)` : '';
      const held = holders.length === 0 ? '' : `; most is held by ${holders.map(holderText).join(', ')}`;
      return `${providerName} lacks ${lacking} ${name}: ${asked} more asked, ${used} of ${capacity}${more} used${held}`;
    }
    case 'name-taken':
      return `there is a provider ${refusal.name} already`;
    case 'uuid-taken':
      return `there is a provider with the UUID ${refusal.uuid} already`;
    case 'unknown-parent':
      return `there is no provider ${refusal.parent} to stand below`;
    case 'circle':
      return `${refusal.provider} cannot stand below ${refusal.parent}, which stands below it`;
    case 'has-children':
      return `${refusal.provider} has providers below it: ${refusal.children.join(', ')}`;
    case 'in-use':
      return `${refusal.classes.join(', ')} of ${refusal.provider} is in use`;
    case 'unknown-trait':
      return `there is no trait ${refusal.trait}; names of your own begin with CUSTOM_`;
    case 'not-empty':
      return `the ledger has ${refusal.providers} providers and ${refusal.consumers} consumers already; say --sync to bring it in line with the cluster, or --replace`;
    case 'unknown-instance':
      return `the ledger has no instance ${refusal.instance}`;
    case 'unknown-node':
      return `the ledger has no node ${refusal.node}`;
    case 'elsewhere':
      return `${refusal.instance} is not on ${refusal.expected}, from where the plan takes it, but on ${refusal.nodes.join(', ')}`;
    case 'unknown-consumer':
      return `there is no consumer ${refusal.consumer}`;
    case 'expired':
      return `the claim of ${refusal.consumer} has expired`;
  }
}

function unitText(rule: 'min_unit' | 'max_unit' | 'step_size', limit: number): string {
  if (rule === 'min_unit') return `and ${limit} is the least that one consumer may have`;
  if (rule === 'max_unit') return `and ${limit} is the most that one consumer may have`;
  return `which is not a multiple of ${limit}`;
}

/** What came in between. One line. */
export function conflictText(conflict: ClaimConflict): string {
  const shown = (generation: number | null): string => (generation === null ? 'none' : `${generation}`);
  switch (conflict.kind) {
    case 'consumer-generation':
      return `Conflict: consumer ${conflict.consumer} has generation ${shown(conflict.found)}, not ${shown(conflict.expected)}`;
    case 'provider-generation':
      return `Conflict: provider ${conflict.provider} has generation ${shown(conflict.found)}, not ${shown(conflict.expected)}`;
    case 'busy':
      return `Conflict: others changed the same rows in every try (${conflict.detail})`;
  }
}
