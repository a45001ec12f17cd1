/** Every option of the programs for ledgers: our own, and those that say how a cluster is read. */
import { HTOOLS_GROUPS, HTOOLS_OPTIONS } from '../../htools/options/option-table.ts';
import type { OptionGroups, OptionTable } from '../../kit/cli/options/option.ts';
import { BINDING_OPTIONS } from './binding-options.ts';
import { CANDIDATE_OPTIONS } from './candidate-options.ts';
import { CLAIM_OPTIONS } from './claim-options.ts';
import { SERVICE_OPTIONS } from './service-options.ts';

export const LEDGER_OPTIONS = {
  ...HTOOLS_OPTIONS,
  ...CLAIM_OPTIONS,
  ...CANDIDATE_OPTIONS,
  ...SERVICE_OPTIONS,
  ...BINDING_OPTIONS,
} as const satisfies OptionTable<keyof typeof LEDGER_GROUPS>;

export const LEDGER_GROUPS = {
  ledger: { heading: 'The ledger and its changes', about: 'consumers, amounts, providers, history' },
  pods: { heading: 'Pods and bindings', about: 'pods, their limits, requests and bindings' },
  access: { heading: 'Access', about: 'tokens, Keystone, certificates' },
  service: { heading: 'Service', about: 'address, limits, threads, log' },
  ...HTOOLS_GROUPS,
} as const satisfies OptionGroups;
