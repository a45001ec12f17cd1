/** New instances, and how many of them fit. */
import { integer, listed, optionTable, WRITTEN_FILE } from '../../kit/cli/options/option-table.ts';
import { MAX_COUNT } from '../../kit/ranges.ts';
import { DISK_TEMPLATES } from '../cluster/templates.ts';

export const ALLOCATION_OPTIONS = optionTable('allocation', {
  allowIntergroup: {
    help: 'let evacuated instances go to other groups when their own has no room',
    manual: `Lets the instances of a *node-evacuate* request go to other groups when no node of their own takes them, as the request itself may
(*allow_intergroup*). The tag *htools:nointergroup* on an instance or on the cluster forbids this.`,
  },
  noCapacityChecks: {
    group: 'limits',
    help: 'leave out the checks of the whole group (global N+1)',
    manual: `Leaves out the global N+1 check: whether all instances of any one node would find a place on the others.`,
  },
  diskTemplate: {
    metavar: 'TEMPLATE',
    choices: DISK_TEMPLATES,
    unknownChoice: (value) => `Invalid string value for type DiskTemplate: ${JSON.stringify(value)}`,
    isEveryday: true,
    help: 'disk template of the new instances',
    manual: `Disk template of the new instances. Without it, the first one that the cluster's policy allows.`,
  },
  storagePool: {
    metavar: 'TYPE/POOL',
    completion: 'none',
    help: 'storage pool of the new instances, where the cluster names pools',
    manual: `Storage pool of the new instances, for example *external/nas*. Without it, the one that their disk template implies. It has
no effect on a cluster that states no storage.`,
  },
  spindleUse: {
    ...integer('SPINDLES', {
      atLeast: 0,
      atMost: MAX_COUNT,
      fault: 'Invalid value of the spindle-use (expected >= 0)',
    }),
    unit: 'spindles',
    label: 'parsing spindle-use',
    // Stock announces a float here and accepts whole numbers only.
    completion: 'float',
    help: 'spindles that each new instance uses, instead of the policy',
    manual: `Spindles that each new instance uses: a whole number, at least 0. Overrides the cluster's policy.`,
  },
  independentGroups: {
    help: 'let each group fill up, whatever state the others are in',
    manual: `Treats each group separately: one that fails the N+1 check does not stop allocation in the others.`,
  },
  acceptExistingErrors: {
    help: 'accept nodes that fail N+1 already, but add no new ones',
    manual: `Accepts nodes that fail the N+1 check at the start, as long as no further node begins to fail it.`,
  },
  standardAlloc: {
    kind: 'size',
    metavar: 'STDSPEC',
    label: 'standard',
    isEveryday: true,
    help: 'size of an instance: disk,memory,cpus',
    manual: `Size of the instances of the standard allocation: *disk*,*memory*,*cpus*[,*spindles*]. Disk and memory are in MiB, or have a unit:
*m*, *g*, *t* (or *MiB*, *GiB*, *TiB*) count by 1024; *M*, *G*, *T* (or *MB*, *GB*, *TB*) count by 1000.`,
  },
  tieredAlloc: {
    kind: 'size',
    metavar: 'TSPEC',
    label: 'tiered',
    isEveryday: true,
    help: 'size that tiered allocation starts from',
    manual: `Size of the first, largest instances of the tiered allocation, written as for *--standard-alloc*. When no more of them fit, the resource
that is short is made smaller.`,
  },
  restrictAllocationTo: {
    ...listed('NODE,...'),
    completion: 'manynodes',
    help: 'place new instances only on these nodes (separated by commas)',
    manual: `Places new instances only on these nodes. Overrides what the request itself says.`,
  },
  afterBalancing: {
    isEveryday: true,
    help: 'count what fits once each group is balanced as hbal would',
    manual: `Balances each group first, as *hbal*(1) does, and counts what fits then; says what the balancing takes. With *--search=deep* by the deep search,
whose plans even the nodes out further.`,
  },
  explain: {
    group: 'questions',
    isEveryday: true,
    help: 'what stops the next instance, what lets it in',
    manual: `Says, below the report, what stops the next standard instance: for each rule how many nodes refuse because of it, and how much
is missing on the best of them. Then it says what would let the instance in: more of a resource on some node, or one more node, with the number
of instances that would then fit besides: as many more as a run with these words for *--what-if* counts. On very large clusters they are not counted. Last comes a chart of how many instances fit of the standard size, of twice that size, and so
on, each size alone. With *--machine-readable* all this goes to standard error.`,
  },
  explainFile: {
    name: 'explain',
    ...WRITTEN_FILE,
    isWritten: 'if-possible',
    group: 'questions',
    isEveryday: true,
    help: 'write to FILE why each node was taken or not',
    manual: `Writes the full account of the answer to _FILE_, a JSON document. For an allocation: every node that was tried as primary, the rule that
refused it with what was needed and what was available, or its best score; and which nodes were refused as secondary. For instances that are to
leave their nodes: their moves, or each node that was tried with what it lacks, and the answers of other groups.`,
  },
});
