/** What is taken to be so of the cluster, whatever the source says. */

import type { OptionDefinition } from '../../kit/cli/options/option.ts';
import { MAX_MIB, MAX_RATIO } from '../../kit/ranges.ts';

export const CLUSTER_OPTIONS = {
  offline: {
    name: 'offline',
    short: 'O',
    kind: 'repeated',
    argument: 'required',
    metavar: 'NODE',
    completion: 'onenode',
    group: 'input',
    help: 'treat NODE as offline (may be repeated)',
    manual: `Treats _NODE_ as offline: it gets nothing new, and its instances should leave. May be given several times. A name may be shortened
as long as it is unambiguous.`,
  },
  staticKvmNodeMemory: {
    name: 'static-kvm-node-memory',
    kind: 'integer',
    argument: 'required',
    metavar: 'N',
    default: 4096,
    unit: 'MiB',
    range: { atLeast: 0, atMost: MAX_MIB },
    label: 'static node memory',
    completion: 'integer',
    group: 'input',
    help: 'memory in MiB that a KVM node keeps; 0 takes what it reports',
    manual: `Memory in MiB that a node under KVM keeps for itself. The figure that such a node reports grows with its instances and is of little use;
*0* uses it nevertheless. Matters only for input that names the hypervisor.`,
  },
  exclusionTags: {
    name: 'exclusion-tags',
    kind: 'names',
    argument: 'required',
    metavar: 'TAG,...',
    completion: 'string',
    group: 'input',
    help: 'keep instances that share a tag with one of these prefixes on different nodes',
    manual: `Instances that share a tag starting with one of these prefixes (and a colon) should not have the same primary node. They are added
to the prefixes that the cluster's tags *htools:iextags:*_PREFIX_ name.`,
  },
  maxCpu: {
    name: 'max-cpu',
    kind: 'float',
    argument: 'required',
    metavar: 'RATIO',
    unit: 'virtual cpus per cpu',
    range: { above: 0, atMost: MAX_RATIO, fault: 'Invalid value of the max-cpu ratio, expected >0' },
    label: 'parsing max-cpu',
    completion: 'float',
    group: 'search',
    help: 'virtual cpus allowed per physical cpu, instead of the policy',
    manual: `Virtual cpus allowed per physical cpu, more than 0. Overrides the group's policy.`,
  },
  minDisk: {
    name: 'min-disk',
    kind: 'float',
    argument: 'required',
    metavar: 'RATIO',
    default: 0,
    range: { atLeast: 0, atMost: 1, remedy: 'give a share from 0 to 1: 0.2 for 20 %' },
    label: 'min free disk space',
    completion: 'float',
    group: 'search',
    help: 'share of its disk, from 0 to 1, that every node keeps free',
    manual: `Share of its disk, from 0 to 1, that every node keeps free.`,
  },
} as const satisfies Record<string, OptionDefinition>;
