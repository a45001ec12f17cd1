/** Every option of hdisk: its own, and those with which the programs for clusters read a cluster. */
import { HTOOLS_GROUPS, HTOOLS_OPTIONS } from '../../htools/options/option-table.ts';
import type { OptionGroups, OptionTable } from '../../kit/cli/options/option.ts';
import { DISK_OPTIONS } from './disk-options.ts';

export const HDISK_OPTIONS = { ...HTOOLS_OPTIONS, ...DISK_OPTIONS } as const satisfies OptionTable<
  keyof typeof DISK_GROUPS
>;

const { input, ...others } = HTOOLS_GROUPS;

export const DISK_GROUPS = {
  input,
  pools: { heading: 'Pools and volumes', about: 'storage pools from layouts, metadata of volumes' },
  ...others,
} as const satisfies OptionGroups;
