/**
 * Iallocator messages: a generated cluster and one request of any of the six types, as Ganeti's master would
 * write them.
 */
import type { InstancePolicy, InstanceSpec } from '../../src/htools/cluster/snapshot.ts';
import {
  DISK_TEMPLATES,
  type DiskTemplate,
  requiredNodes,
  usesNodeDisk,
} from '../../src/htools/cluster/templates.ts';
import { MAX_MIB } from '../../src/kit/ranges.ts';
import type { MadeCluster, MadeInstance, MadeNode } from './made-cluster.ts';
import type { Random } from './random.ts';

export const REQUEST_TYPES = [
  'allocate',
  'allocate-secondary',
  'relocate',
  'node-evacuate',
  'change-group',
  'multi-allocate',
] as const;
export type RequestType = (typeof REQUEST_TYPES)[number];

/** The `request` member of a message. */
export interface IallocatorRequest {
  readonly type: RequestType | string;
  readonly [key: string]: unknown;
}

const EVAC_MODES = ['primary-only', 'secondary-only', 'all'];
const UNKNOWN_NAME = 'nobody.example.com';

const specMembers = (spec: InstanceSpec) => ({
  'memory-size': spec.memoryMib,
  'cpu-count': spec.cpuCount,
  'disk-size': spec.diskMib,
  'disk-count': spec.diskCount,
  'nic-count': spec.nicCount,
  'spindle-use': spec.spindleUse,
});

export const policyMembers = (policy: InstancePolicy) => ({
  std: specMembers(policy.standard),
  minmax: policy.ranges.map(({ min, max }) => ({ min: specMembers(min), max: specMembers(max) })),
  'disk-templates': policy.diskTemplates,
  'vcpu-ratio': policy.vcpuRatio,
  'spindle-ratio': policy.spindleRatio,
});

/** Stated where the cluster has none: messages and servers always name a policy. */
export const OPEN_POLICY: InstancePolicy = {
  ranges: [
    {
      min: { memoryMib: 1, cpuCount: 1, diskMib: 0, diskCount: 0, nicCount: 0, spindleUse: 0 },
      max: { memoryMib: 1 << 17, cpuCount: 64, diskMib: 1 << 21, diskCount: 16, nicCount: 8, spindleUse: 12 },
    },
  ],
  standard: { memoryMib: 512, cpuCount: 1, diskMib: 2048, diskCount: 1, nicCount: 1, spindleUse: 1 },
  diskTemplates: DISK_TEMPLATES,
  vcpuRatio: 4,
  spindleRatio: 32,
};

interface WantedInstance {
  readonly memMib: number;
  readonly diskMib: number;
  readonly vcpus: number;
  readonly template: DiskTemplate;
  readonly tags: readonly string[];
  readonly spindleUse: number;
  readonly spindles: number | undefined;
  readonly network: string | undefined;
  readonly diskCount?: number;
  readonly nicCount?: number;
}

/** Sizes of its disks, as even as whole numbers can be. */
export const diskSizes = ({
  template,
  diskMib,
  diskCount = 1,
}: Pick<WantedInstance, 'template' | 'diskMib' | 'diskCount'>): number[] =>
  Array.from({ length: template === 'diskless' ? 0 : diskCount }, (_, k) =>
    Math.floor((diskMib + k) / diskCount),
  );

const instanceMembers = (instance: WantedInstance) => ({
  memory: instance.memMib,
  vcpus: instance.vcpus,
  disk_template: instance.template,
  disk_space_total: usesNodeDisk(instance.template) ? instance.diskMib : 0,
  disks: diskSizes(instance).map((size, k) => ({
    size,
    mode: 'rw',
    ...(instance.spindles === undefined ? {} : { spindles: k === 0 ? instance.spindles : 0 }),
  })),
  spindle_use: instance.spindleUse,
  tags: instance.tags,
  nics: Array.from({ length: instance.nicCount ?? 1 }, () => ({
    mac: '02:00:00:00:00:01',
    ip: null,
    mode: 'bridged',
    link: 'br0',
    bridge: 'br0',
    network: instance.network ?? null,
  })),
  os: 'image+default',
  hypervisor: 'kvm',
});

function nodeMembers(node: MadeNode, cluster: MadeCluster) {
  const isSilent = node.isOffline || node.isUnknown || node.isVmCapable === false;
  const live = {
    total_memory: node.totalMemMib,
    reserved_memory: node.nodeMemMib,
    free_memory: node.freeMemMib,
    total_disk: node.totalDiskMib,
    free_disk: node.freeDiskMib,
    total_cpus: node.cpuCount,
    reserved_cpus: node.nodeCpus,
    total_spindles: node.spindles,
    free_spindles: node.freeSpindles,
  };
  return {
    group: cluster.groups[node.group]!.uuid,
    tags: node.tags,
    offline: node.isOffline || node.isUnknown,
    drained: node.isDrained,
    master_candidate: true,
    master_capable: true,
    vm_capable: node.isVmCapable ?? true,
    primary_ip: '192.0.2.1',
    secondary_ip: '198.51.100.1',
    ndparams: {
      spindle_count: node.spindles,
      exclusive_storage: node.hasExclusiveStorage,
      cpu_speed: node.cpuSpeed,
      oob_program: null,
    },
    ...(isSilent ? {} : live),
  };
}

const ADMIN_STATES: Partial<Record<string, string>> = {
  ADMIN_down: 'down',
  ADMIN_offline: 'offline',
  USER_down: 'down',
};

const nodeNames = (instance: MadeInstance, cluster: MadeCluster): string[] =>
  [instance.primary, instance.secondary].flatMap((position) =>
    position < 0 ? [] : [cluster.nodes[position]!.name],
  );

/** A whole message: the cluster and the request. @param hypervisor the first of the enabled ones. */
export function iallocatorMessage(
  cluster: MadeCluster,
  request: IallocatorRequest,
  hypervisor = 'xen-pvm',
): string {
  const policy = cluster.policy ?? OPEN_POLICY;
  const groups = cluster.groups.map((group) => [
    group.uuid,
    {
      name: group.name,
      alloc_policy: group.allocPolicy,
      networks: group.networks,
      tags: group.tags,
      ipolicy: policyMembers(group.policy ?? policy),
    },
  ]);
  const instances = cluster.instances.map((instance) => [
    instance.name,
    {
      ...instanceMembers(instance),
      admin_state: ADMIN_STATES[instance.status] ?? 'up',
      nodes: nodeNames(instance, cluster),
      ...(instance.isForthcoming ? { forthcoming: true } : {}),
    },
  ]);
  return JSON.stringify({
    version: 2,
    cluster_name: 'cluster.example.com',
    cluster_tags: cluster.tags,
    enabled_hypervisors: [hypervisor],
    ipolicy: policyMembers(policy),
    nodegroups: Object.fromEntries(groups),
    nodes: Object.fromEntries(cluster.nodes.map((node) => [node.name, nodeMembers(node, cluster)])),
    instances: Object.fromEntries(instances),
    request,
  });
}

/** A new instance of about the cluster's usual size; now and then one that cannot fit anywhere. */
function wantedInstance(cluster: MadeCluster, random: Random): WantedInstance {
  const model = cluster.instances.length > 0 ? random.pick(cluster.instances) : undefined;
  const template = random.chance(0.8)
    ? random.weighted(cluster.shape.templates)
    : random.pick(DISK_TEMPLATES);
  const factor = random.chance(0.1) ? 100 : random.real(0.3, 1.5);
  const networks = cluster.groups.flatMap((group) => group.networks);
  return {
    memMib: Math.min(MAX_MIB, Math.max(1, Math.round((model?.memMib ?? 512) * factor))),
    diskMib: Math.max(1, Math.round((model?.diskMib || 1024) * random.real(0.3, 1.5))),
    vcpus: random.chance(0.05) ? 500 : random.pick([1, 2, 4]),
    template,
    tags: random.chance(0.4) ? [...(model?.tags ?? [])] : [],
    spindleUse: random.between(0, 2),
    spindles: cluster.shape.exclusiveStorage === 'none' ? undefined : random.between(1, 2),
    network: networks.length > 0 && random.chance(0.6) ? random.pick(networks) : undefined,
    ...(model?.diskCount !== undefined && { diskCount: model.diskCount }),
    ...(model?.nicCount !== undefined && { nicCount: model.nicCount }),
  };
}

function allocateMembers(name: string, cluster: MadeCluster, random: Random) {
  const wanted = wantedInstance(cluster, random);
  // A wrong number of nodes is a request that must be refused politely.
  const required = random.chance(0.05) ? random.between(0, 3) : requiredNodes(wanted.template);
  const odd = random.chance(0.15) ? oddMembers(random) : {};
  return { name, ...instanceMembers(wanted), required_nodes: required, ...odd };
}

/** What a policy may forbid, and what adds up to something else than what is said. */
function oddMembers(random: Random): object {
  const disks = Array.from({ length: random.between(0, 5) }, () => ({
    size: random.pick([0, 1, 1024, 100_000]),
    ...(random.chance(0.5) && { spindles: random.pick([0, 1, 5]) }),
  }));
  const nics = Array.from({ length: random.between(0, 10) }, () => ({ mode: random.pick(['routed', null]) }));
  const members = {
    disks,
    nics,
    disk_space_total: random.pick([0, 1, 10_000_000]),
    memory: random.pick([0, 1, 2 ** 31]),
    vcpus: random.pick([0, 100]),
    spindle_use: random.pick([0, 12, 1000]),
    forthcoming: true,
    admin_state: random.pick(['down', 'offline']),
  };
  return Object.fromEntries(random.sample(Object.entries(members), random.between(1, 3)));
}

const isAway = ({ isOffline, isDrained, isUnknown }: MadeNode): boolean =>
  isOffline || isDrained || isUnknown;

function evacuation(cluster: MadeCluster, random: Random): IallocatorRequest {
  const mode = random.pick(EVAC_MODES);
  // What is evacuated is mostly under maintenance already, and so may other nodes be.
  const away = [...cluster.nodes.keys()].filter((n) => isAway(cluster.nodes[n]!));
  const from = away.length > 0 && random.chance(0.6) ? random.pick(away) : random.below(cluster.nodes.length);
  const concerned = cluster.instances.filter(
    (instance) =>
      (mode !== 'secondary-only' && instance.primary === from) ||
      (mode !== 'primary-only' && instance.secondary === from),
  );
  const names = random.sample(concerned, 6).map((instance) => instance.name);
  if (random.chance(0.05)) names.push(UNKNOWN_NAME);
  return { type: 'node-evacuate', evac_mode: mode, instances: names };
}

function relocation(cluster: MadeCluster, random: Random): IallocatorRequest {
  const instance = cluster.instances.length > 0 ? random.pick(cluster.instances) : undefined;
  if (!instance || random.chance(0.05))
    return { type: 'relocate', name: UNKNOWN_NAME, required_nodes: 1, relocate_from: [] };
  const leaves = instance.secondary >= 0 ? instance.secondary : instance.primary;
  const from = random.chance(0.05) ? random.below(cluster.nodes.length) : leaves;
  return {
    type: 'relocate',
    name: instance.name,
    required_nodes: random.chance(0.03) ? 2 : 1,
    relocate_from: [cluster.nodes[from]!.name],
  };
}

/** A random request of the given type for this cluster, including ones that name what does not exist. */
export function randomRequest(cluster: MadeCluster, type: RequestType, random: Random): IallocatorRequest {
  const groupName = random.chance(0.05) ? 'no-such-group' : random.pick(cluster.groups).name;
  const group = random.chance(0.25) ? { group_name: groupName } : {};
  switch (type) {
    case 'allocate': {
      const some = random.sample(cluster.nodes, random.between(1, cluster.nodes.length));
      const names = some.map((node) => node.name);
      const restriction = random.chance(0.2) ? { 'restrict-to-nodes': names } : {};
      return { type, ...allocateMembers('fresh.example.com', cluster, random), ...group, ...restriction };
    }
    case 'multi-allocate':
      return {
        type,
        instances: Array.from({ length: random.between(1, 4) }, (_, position) =>
          allocateMembers(`fresh${position + 1}.example.com`, cluster, random),
        ),
        ...group,
      };
    case 'allocate-secondary': {
      const all = cluster.instances.filter((instance) => instance.template === 'plain');
      const leaving = all.filter(({ primary }) => isAway(cluster.nodes[primary]!));
      const plain = leaving.length > 0 && random.chance(0.5) ? leaving : all;
      const pool = plain.length > 0 && random.chance(0.8) ? plain : cluster.instances;
      return { type, name: pool.length > 0 ? random.pick(pool).name : UNKNOWN_NAME };
    }
    case 'relocate':
      return relocation(cluster, random);
    case 'node-evacuate':
      return evacuation(cluster, random);
    case 'change-group': {
      const targets = random.chance(0.5) ? [] : random.sample(cluster.groups, random.between(1, 3));
      return {
        type,
        instances: random.sample(cluster.instances, random.between(1, 4)).map((instance) => instance.name),
        target_groups: targets.map((target) => (random.chance(0.5) ? target.uuid : target.name)),
      };
    }
  }
}
