/**
 * Every option of the programs for clusters: parsing, `--help`, completion and man pages are made from this
 * table; program-table.ts says which program takes which, in what order. To add one: an entry in its owner's
 * file, its key in program-table.ts, `npm run docs`. Names, arguments, labels and messages of stock options
 * are a contract with scripts; the help and manual texts are ours.
 */
import { FORM_OPTIONS } from '../../kit/cli/options/form-options.ts';
import { GENERAL_OPTIONS } from '../../kit/cli/options/general-options.ts';
import type { OptionGroups, OptionTable } from '../../kit/cli/options/option.ts';
import { ALLOCATION_OPTIONS } from './allocation-options.ts';
import { EXECUTION_OPTIONS } from './execution-options.ts';
import { MAINTAIN_OPTIONS } from './maintain-options.ts';
import { REPORT_OPTIONS } from './report-options.ts';
import { BALANCE_OPTIONS, GROUP_OPTIONS, SEARCH_OPTIONS } from './search-options.ts';
import { CLUSTER_OPTIONS, LIVE_OPTIONS, SOURCE_OPTIONS } from './source-options.ts';
import { WHAT_IF_OPTIONS } from './what-if-options.ts';

export const HTOOLS_OPTIONS = {
  ...SOURCE_OPTIONS,
  ...LIVE_OPTIONS,
  ...CLUSTER_OPTIONS,
  ...WHAT_IF_OPTIONS,
  ...BALANCE_OPTIONS,
  ...SEARCH_OPTIONS,
  ...ALLOCATION_OPTIONS,
  ...GROUP_OPTIONS,
  ...MAINTAIN_OPTIONS,
  ...EXECUTION_OPTIONS,
  ...REPORT_OPTIONS,
  ...FORM_OPTIONS,
  ...GENERAL_OPTIONS,
} as const satisfies OptionTable<keyof typeof HTOOLS_GROUPS>;

/** In which groups options stand, in the order in which these are shown. */
export const HTOOLS_GROUPS = {
  input: {
    heading: 'Where the cluster comes from',
    about: 'other sources, and what to assume of the cluster',
  },
  connection: { heading: 'Connection', about: 'passwords and certificates of RAPI, waiting times' },
  load: { heading: 'Load', about: 'measured loads: files, Prometheus, monitoring daemons' },
  limits: { heading: 'Limits', about: 'what may be moved, by which rules, at what price' },
  search: { heading: 'Search', about: 'what to search for, how hard, when to stop' },
  allocation: { heading: 'New instances', about: 'size, disks and nodes of new instances' },
  questions: { heading: 'Questions', about: 'what if, why, what would this move do' },
  output: { heading: 'Output', about: 'what is shown and saved, in which form' },
  execution: { heading: 'Execution', about: 'carrying it out, going on after a stop' },
  general: { heading: 'General' },
} as const satisfies OptionGroups;
