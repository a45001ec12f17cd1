/** Every option of hdisk: its own, and those with which the programs for clusters read a cluster. */
import { HTOOLS_OPTIONS } from '../../htools/options/option-table.ts';
import type { OptionTable } from '../../kit/cli/options/option.ts';
import { DISK_OPTIONS } from './disk-options.ts';

export const HDISK_OPTIONS = { ...HTOOLS_OPTIONS, ...DISK_OPTIONS } as const satisfies OptionTable;
