/** Why something cannot be done: an expected failure, returned and counted, never thrown. */

/** Stock's failure modes in their order; names are output of hail and hspace. 0 means "allowed". */
export const FAIL_MODES = [
  'Allowed',
  'FailMem',
  'FailDisk',
  'FailCPU',
  'FailN1',
  'FailTags',
  'FailMig',
  'FailDiskCount',
  'FailSpindles',
  'FailInternal',
] as const;

export type FailModeName = Exclude<(typeof FAIL_MODES)[number], 'Allowed'>;

export const ALLOWED = 0;
export const FAIL_MEM = 1;
export const FAIL_DISK = 2;
export const FAIL_CPU = 3;
export const FAIL_N1 = 4;
export const FAIL_TAGS = 5;
export const FAIL_MIG = 6;
export const FAIL_DISK_COUNT = 7;
export const FAIL_SPINDLES = 8;
export const FAIL_INTERNAL = 9;

/** A code of FAIL_MODES; 0 is "allowed". */
export type FailCode = number;
