/** What is taken to be so of the cluster, whatever the source says. */
import { float, integer, listed, optionTable, repeated } from '../../kit/cli/options/option-table.ts';
import { MAX_MIB, MAX_RATIO } from '../../kit/ranges.ts';

export const CLUSTER_OPTIONS = optionTable('input', {
  offline: {
    short: 'O',
    ...repeated('NODE'),
    completion: 'onenode',
    help: 'treat NODE as offline (may be repeated)',
    manual: `Treats _NODE_ as offline: it gets nothing new, and its instances should leave. May be given several times. A name may be shortened
as long as it is unambiguous.`,
  },
  staticKvmNodeMemory: {
    ...integer('N', { atLeast: 0, atMost: MAX_MIB }),
    default: 4096,
    unit: 'MiB',
    label: 'static node memory',
    help: 'memory in MiB that a KVM node keeps; 0 takes what it reports',
    manual: `Memory in MiB that a node under KVM keeps for itself. The figure that such a node reports grows with its instances and is of little use;
*0* uses it nevertheless. Matters only for input that names the hypervisor.`,
  },
  exclusionTags: {
    ...listed('TAG,...'),
    group: 'limits',
    help: 'keep instances that share a tag with one of these prefixes on different nodes',
    manual: `Instances that share a tag starting with one of these prefixes (and a colon) should not have the same primary node. They are added
to the prefixes that the cluster's tags *htools:iextags:*_PREFIX_ name.`,
  },
  maxCpu: {
    ...float('RATIO', {
      above: 0,
      atMost: MAX_RATIO,
      fault: 'Invalid value of the max-cpu ratio, expected >0',
    }),
    unit: 'virtual cpus per cpu',
    label: 'parsing max-cpu',
    group: 'limits',
    help: 'virtual cpus allowed per physical cpu, instead of the policy',
    manual: `Virtual cpus allowed per physical cpu, more than 0. Overrides the group's policy.`,
  },
  minDisk: {
    ...float('RATIO', { atLeast: 0, atMost: 1, remedy: 'give a share from 0 to 1: 0.2 for 20 %' }),
    default: 0,
    label: 'min free disk space',
    group: 'limits',
    help: 'share of its disk, from 0 to 1, that every node keeps free',
    manual: `Share of its disk, from 0 to 1, that every node keeps free.`,
  },
});
