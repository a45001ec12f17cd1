/**
 * Places of a node's changeable figures in ClusterState.nodeFields: `fields[node * NODE_STRIDE + FIELD]`.
 *
 * They lie side by side so that saving or restoring a node is one small copy. Memory and disk in MiB.
 * "Forthcoming" twins count instances that are reserved but not yet created as well.
 */

/** Free memory by our records, less what the node misses (stock: unallocated memory). */
export const FREE_MEM = 0;
/** Memory of the primaries that use any. */
export const INSTANCE_MEM = 1;
export const FREE_MEM_FORTHCOMING = 2;
export const FREE_DISK = 3;
export const FREE_DISK_FORTHCOMING = 4;
/** Virtual cpus in use, those of the node's own system included. */
export const USED_CPU = 5;
export const USED_CPU_FORTHCOMING = 6;
export const FREE_SPINDLES = 7;
export const FREE_SPINDLES_FORTHCOMING = 8;
export const INSTANCE_SPINDLES = 9;
export const INSTANCE_SPINDLES_FORTHCOMING = 10;
/** Memory that the worst single failure of a peer would need here. */
export const RESERVED_MEM = 11;
/** 1 when the node could not take that over, else 0. */
export const FAILS_N1 = 12;
/** Number of primaries and secondaries, forthcoming ones left out. */
export const PRIMARY_COUNT = 13;
export const SECONDARY_COUNT = 14;
export const LOAD_CPU = 15;
export const LOAD_MEM = 16;
export const LOAD_DISK = 17;
export const LOAD_NET = 18;
/** Common-failure and unmet-location counts of the primaries. */
export const LOCATION_SCORE = 19;
/** Primaries beyond the first for each exclusion tag. */
export const TAG_CONFLICTS = 20;

export const NODE_STRIDE = 21;
