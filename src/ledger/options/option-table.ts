/**
 * Every option of the programs for ledgers: our own, and those with which the programs for clusters read a
 * cluster.
 */
import { HTOOLS_GROUPS, HTOOLS_OPTIONS } from '../../htools/options/option-table.ts';
import type { OptionTable } from '../../kit/cli/options/option.ts';
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
} as const satisfies OptionTable;

const { input, search, ...others } = HTOOLS_GROUPS;

export const LEDGER_GROUPS = {
  input,
  search,
  ledger: { help: 'Ledger', manual: 'The ledger and its changes' },
  binding: { help: 'Pods and bindings', manual: 'Pods and bindings' },
  ...others,
};
