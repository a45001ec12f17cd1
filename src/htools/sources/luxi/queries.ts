/** What is asked of a master daemon to know its cluster, in stock order; networks come last. */

/** Fields of no released Ganeti; a cluster that does not know them says so in each cell, and answers. */
const NODE_STORAGE = ['storage_pools'] as const;
const INSTANCE_STORAGE = ['storage_type', 'storage_pool'] as const;

export const NODE_FIELDS: readonly string[] = [
  ...['name', 'mtotal', 'mnode', 'mfree', 'dtotal', 'dfree', 'ctotal', 'cnos'],
  ...['offline', 'drained', 'vm_capable', 'ndp/spindle_count', 'group.uuid', 'tags'],
  ...['ndp/exclusive_storage', 'sptotal', 'spfree', 'ndp/cpu_speed'],
  ...NODE_STORAGE,
];

export const INSTANCE_FIELDS: readonly string[] = [
  ...['name', 'disk_usage', 'be/memory', 'be/vcpus', 'status', 'pnode', 'snodes', 'tags'],
  ...['be/auto_balance', 'disk_template', 'be/spindle_use', 'disk.sizes', 'disk.spindles', 'forthcoming'],
  ...INSTANCE_STORAGE,
  // Not asked by the stock programs, which carry out nothing that takes so long.
  'uuid',
];

/** Not asked by the stock programs: no question about groups or instances says who is connected where. */
export const NETWORK_FIELDS: readonly string[] = ['name', 'uuid', 'group_list', 'inst_list'];

export const GROUP_FIELDS: readonly string[] = ['uuid', 'name', 'alloc_policy', 'ipolicy', 'tags'];
