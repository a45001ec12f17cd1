/** Refusals and conflicts in words. */
import { byKind } from '../../../../kit/kinds.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import { count } from '../../../../kit/text/words.ts';
import type { UnitRule } from '../../../claims/model/inventory.ts';
import type { ClaimConflict, Holder } from '../../../claims/model/refusal.ts';
import type { refusal } from '../../../results/hclaim.ts';

export type AnyRefusal = DocumentOf<typeof refusal>;

const holderText = ({ consumer, project, used }: Holder): string =>
  `${consumer}${project === null ? '' : ` of ${project}`} (${used})`;

export const refusalText = (refusal: AnyRefusal): string => `Refused: ${reason(refusal)}`;

const reason = byKind<AnyRefusal, string>({
  'unknown-provider': ({ provider }) => `there is no provider ${provider}`,
  'unknown-class': ({ class: name }) => `there is no class ${name}`,
  'no-inventory': ({ providerName, class: name }) => `${providerName} has no ${name}`,
  unit: ({ consumer, providerName, amount, class: name, rule, limit }) =>
    `${consumer} asks ${providerName} for ${amount} ${name}, ${unitText(rule, limit)}`,
  capacity: ({ providerName, class: name, lacking, asked, used, capacity, reserved, holders }) => {
    const more = reserved > 0 ? ` (${reserved} reserved)` : '';
    const held = holders.length === 0 ? '' : `; most is held by ${holders.map(holderText).join(', ')}`;
    return `${providerName} lacks ${lacking} ${name}: ${asked} more asked, ${used} of ${capacity}${more} used${held}`;
  },
  'name-taken': ({ name }) => `there is a provider ${name} already`,
  'uuid-taken': ({ uuid }) => `there is a provider with the UUID ${uuid} already`,
  'unknown-parent': ({ parent }) => `there is no provider ${parent} to stand below`,
  circle: ({ provider, providerName, parent, parentName }) =>
    provider === parent
      ? `${providerName} cannot stand below itself`
      : `${providerName} cannot stand below ${parentName}, which stands below it`,
  'has-children': ({ providerName, children }) =>
    `${providerName} has providers below it: ${children.join(', ')}`,
  'in-use': ({ classes, providerName }) => `${classes.join(', ')} of ${providerName} is in use`,
  'unknown-trait': ({ trait }) => `there is no trait ${trait}; names of your own begin with CUSTOM_`,
  'not-empty': ({ providers, consumers }) =>
    `the ledger has ${count(providers, 'provider')} and ${count(consumers, 'consumer')} already; say --replace, or --sync to bring it in line with a cluster of Ganeti`,
  'unknown-instance': ({ instance }) => `the ledger has no instance ${instance}`,
  'unknown-node': ({ node }) => `the ledger has no node ${node}`,
  elsewhere: ({ instance, expected, nodes }) =>
    `${instance} does not run on ${expected}, from where the plan takes it, but on ${nodes.join(', ') || 'no node'}`,
  'other-copies': ({ instance, nodes }) =>
    `${instance} has disks on ${nodes.join(', ')}, too, of which the plan knows nothing`,
  'unknown-consumer': ({ consumer }) => `there is no consumer ${consumer}`,
  expired: ({ consumer }) => `the claim of ${consumer} has expired`,
});

function unitText(rule: UnitRule['rule'], limit: number): string {
  if (rule === 'min_unit') return `and ${limit} is the least that one consumer may have`;
  if (rule === 'max_unit') return `and ${limit} is the most that one consumer may have`;
  return `which is not a multiple of ${limit}`;
}

const shown = (generation: number | null): string => (generation === null ? 'none' : `${generation}`);

export const conflictText = byKind<ClaimConflict, string>({
  'consumer-generation': ({ consumer, found, expected }) =>
    `Conflict: consumer ${consumer} has generation ${shown(found)}, not ${shown(expected)}\nMaybe see who changed it (hclaim history --consumer=${consumer}), and say --generation=${shown(found)}`,
  'provider-generation': ({ provider, found, expected }) =>
    `Conflict: provider ${provider} has generation ${shown(found)}, not ${shown(expected)}\nMaybe try again: somebody changed it meanwhile`,
  busy: ({ detail }) =>
    `Conflict: others changed the same rows in every try (${detail})\nMaybe try again when they are done`,
});
