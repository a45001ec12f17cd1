/**
 * Every option of every program, defined once: parsing, `--help`, `--help-completion`, shell completion and the man pages
 * are made from this table. Which program takes which option, and in what order, stands in program-table.ts.
 *
 * To add an option: an entry in the file of its owner (`isAddition` unless the stock program has it), its key in the lists of
 * program-table.ts, then `npm run docs`. A program finds the value under the same key in its options. The names, arguments, labels and
 * messages of the options that the stock programs have are a contract with scripts; the help and manual texts are ours.
 */

import { ALLOCATION_OPTIONS } from './owners/allocation-options.ts';
import { BALANCE_OPTIONS } from './owners/balance-options.ts';
import { CLUSTER_OPTIONS } from './owners/cluster-options.ts';
import { EXECUTION_OPTIONS } from './owners/execution-options.ts';
import { GENERAL_OPTIONS } from './owners/general-options.ts';
import { GROUP_OPTIONS } from './owners/group-options.ts';
import { LIVE_OPTIONS } from './owners/live-options.ts';
import { MAINTAIN_OPTIONS } from './owners/maintain-options.ts';
import type { OptionDefinition } from './owners/option.ts';
import { PLAN_OPTIONS } from './owners/plan-options.ts';
import { REPORT_OPTIONS } from './owners/report-options.ts';
import { SCAN_OPTIONS } from './owners/scan-options.ts';
import { SEARCH_OPTIONS } from './owners/search-options.ts';
import { SOURCE_OPTIONS } from './owners/source-options.ts';
import { WHAT_IF_OPTIONS } from './owners/what-if-options.ts';
import { BINDING_OPTIONS } from './wings/binding-options.ts';
import { CANDIDATE_OPTIONS } from './wings/candidate-options.ts';
import { CLAIM_OPTIONS } from './wings/claim-options.ts';
import { DISK_OPTIONS } from './wings/disk-options.ts';
import { SERVICE_OPTIONS } from './wings/service-options.ts';

export const OPTIONS = {
  ...SOURCE_OPTIONS,
  ...LIVE_OPTIONS,
  ...CLUSTER_OPTIONS,
  ...WHAT_IF_OPTIONS,
  ...BALANCE_OPTIONS,
  ...SEARCH_OPTIONS,
  ...ALLOCATION_OPTIONS,
  ...GROUP_OPTIONS,
  ...MAINTAIN_OPTIONS,
  ...PLAN_OPTIONS,
  ...CLAIM_OPTIONS,
  ...EXECUTION_OPTIONS,
  ...REPORT_OPTIONS,
  ...SCAN_OPTIONS,
  ...CANDIDATE_OPTIONS,
  ...SERVICE_OPTIONS,
  ...BINDING_OPTIONS,
  ...DISK_OPTIONS,
  ...GENERAL_OPTIONS,
} as const satisfies Record<string, OptionDefinition>;

/** Key of an option in OPTIONS and of its value in the options of a program. */
export type OptionKey = keyof typeof OPTIONS;
