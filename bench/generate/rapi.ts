/**
 * A generated cluster as a RAPI server would tell it: the four answers, each in a file of a folder that `-m
 * file://` reads.
 */
import type { MadeCluster, MadeInstance, MadeNode } from './made-cluster.ts';
import type { Random } from './random.ts';
import { diskSizes, OPEN_POLICY, policyMembers } from './request.ts';

function nodeRecord(node: MadeNode, cluster: MadeCluster, random: Random): object {
  const isOffline = node.isOffline || node.isUnknown;
  const live = (value: number): number | null => (isOffline ? null : value);
  return {
    name: node.name,
    offline: isOffline,
    drained: node.isDrained,
    vm_capable: node.isVmCapable ?? (isOffline || !random.chance(0.03)),
    'group.uuid': cluster.groups[node.group]!.uuid,
    tags: node.tags,
    ndparams: { spindle_count: node.spindles, exclusive_storage: node.hasExclusiveStorage },
    mtotal: live(node.totalMemMib),
    mnode: live(node.nodeMemMib),
    mfree: live(node.freeMemMib),
    dtotal: live(node.totalDiskMib),
    dfree: live(node.freeDiskMib),
    ctotal: live(node.cpuCount),
    cnos: live(node.nodeCpus),
    sptotal: live(node.spindles),
    spfree: live(node.freeSpindles),
  };
}

function instanceRecord(instance: MadeInstance, cluster: MadeCluster, random: Random): object {
  const isUp = instance.status === 'running' || instance.status === 'ERROR_up';
  return {
    name: instance.name,
    disk_usage: instance.diskMib,
    'disk.sizes': diskSizes(instance),
    'disk.spindles': diskSizes(instance).map((_, k) => (k === 0 ? (instance.spindles ?? null) : 0)),
    beparams: {
      memory: instance.memMib,
      maxmem: instance.memMib,
      vcpus: instance.vcpus,
      auto_balance: instance.isAutoBalanced,
      spindle_use: instance.spindleUse,
    },
    // What it has now may not be what it is to have.
    oper_ram: isUp
      ? Math.max(0, instance.memMib + (random.chance(0.1) ? random.between(-100, 400) : 0))
      : null,
    pnode: cluster.nodes[instance.primary]!.name,
    snodes: instance.secondary < 0 ? [] : [cluster.nodes[instance.secondary]!.name],
    status: instance.status,
    tags: instance.tags,
    disk_template: instance.template,
    forthcoming: instance.isForthcoming,
  };
}

/** Name and text of each file, in the given folder. @param hypervisor the cluster's default */
export function rapiFiles(
  cluster: MadeCluster,
  folder: string,
  hypervisor: string,
  random: Random,
): ReadonlyMap<string, string> {
  const policy = cluster.policy ?? OPEN_POLICY;
  const answers: Readonly<Record<string, unknown>> = {
    groups: cluster.groups.map((group) => ({
      name: group.name,
      uuid: group.uuid,
      alloc_policy: group.allocPolicy,
      ipolicy: policyMembers(group.policy ?? policy),
      tags: group.tags,
    })),
    nodes: cluster.nodes.map((node) => nodeRecord(node, cluster, random)),
    instances: cluster.instances.map((instance) => instanceRecord(instance, cluster, random)),
    info: {
      master: cluster.nodes.find((node) => node.isMaster)?.name ?? 'nobody',
      tags: cluster.tags,
      ipolicy: policyMembers(policy),
      default_hypervisor: hypervisor,
    },
  };
  return new Map(
    Object.entries(answers).map(([name, answer]) => [`${folder}/${name}.json`, JSON.stringify(answer)]),
  );
}
