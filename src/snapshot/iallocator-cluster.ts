/**
 * The cluster part of an iallocator document: groups, nodes, instances, cluster tags, hypervisor.
 * Source: the iallocator protocol of ganeti(7) as the stock hail reads it, message for message.
 */
import { DEFAULT_POLICY } from '../cluster/policy.ts';
import {
  ALLOC_POLICIES,
  BASE_UTILISATION,
  type Disk,
  type Group,
  type Instance,
  type InstancePolicy,
  type InstanceSpec,
  type Nic,
  NO_NODE,
  type Node,
  type PoolId,
  type Snapshot,
  type SpecRange,
} from '../cluster/snapshot.ts';
import { poolId, STORAGE_TYPES } from '../cluster/tags.ts';
import { DISK_TEMPLATES, isMovableTemplate } from '../cluster/templates.ts';
import { type JsonValue, membersOf } from './json-document.ts';
import { asRecord, JsonRecord, jsonFault } from './json-record.ts';

/** Members of the document whose order gives the stock programs' indices. */
export const ORDERED_MEMBERS = ['nodegroups', 'nodes', 'instances'];

const HYPERVISORS = ['kvm', 'xen-pvm', 'chroot', 'xen-hvm', 'lxc', 'fake'] as const;
const NIC_MODES = ['bridged', 'routed', 'openvswitch'];
const POLICY_KEYS = ['minmax', 'std', 'disk-templates', 'vcpu-ratio', 'spindle-ratio'];
const RANGE_KEYS = ['min', 'max'];

/** A snapshot as read; nothing derived is filled in. @throws InputError at the first thing that is wrong. */
export function readCluster(document: JsonRecord): Snapshot {
  const { source } = document;
  const items = (key: string) => membersOf(document.record(key, '').object);
  const groups = items('nodegroups').map(([uuid, value], index) => readGroup(source, uuid, value, index));
  const groupByUuid = new Map(groups.map((group) => [group.uuid, group.index]));
  const unhosted = items('nodes').map(([name, value], index) =>
    readNode(source, name, value, index, groupByUuid),
  );
  const nodeByName = new Map(unhosted.map((node) => [node.name, node.index]));
  const instances = items('instances').map(([name, value], index) =>
    readClusterInstance(source, name, value, index, nodeByName),
  );
  const tags = document.strings('cluster_tags');
  const [hypervisor] = document.words('enabled_hypervisors', 'Hypervisor', HYPERVISORS);
  const nodes = hypervisor === undefined ? unhosted : unhosted.map((node) => ({ ...node, hypervisor }));
  return { groups, nodes, instances, tags, policy: DEFAULT_POLICY };
}

function readGroup(source: string, uuid: string, value: JsonValue, index: number): Group {
  const record = asRecord(source, `invalid data for group '${uuid}'`, value);
  const name = record.string('name');
  const allocPolicy = record.word('alloc_policy', 'AllocPolicy', ALLOC_POLICIES);
  const networks = record.strings('networks');
  const policy = readPolicy(record.record('ipolicy', `${record.prefix}key 'ipolicy'`));
  return { index, name, uuid, allocPolicy, tags: record.strings('tags'), networks, policy };
}

/** Inside a policy a wrong value is announced in other words than elsewhere. */
class PolicyRecord extends JsonRecord {
  number(key: string, kind: 'Int' | 'Double'): number {
    const value = this.value(key);
    if (typeof value === 'number') return kind === 'Int' ? this.int(key) : this.double(key);
    throw this.unparsed(key, `Unable to read ${kind}`, value);
  }

  inner(key: string, value = this.value(key)): PolicyRecord {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw this.unparsed(key, 'Unable to read JSObject', value);
    }
    return new PolicyRecord(this.source, `${this.prefix}Can't parse value for '${key}'`, value);
  }

  items(key: string): JsonValue[] {
    const value = this.value(key);
    if (!Array.isArray(value)) throw this.unparsed(key, 'Unable to read list', value);
    return value;
  }

  unparsed(key: string, problem: string, value: JsonValue) {
    return jsonFault(this.source, `${this.prefix}Can't parse value for '${key}': ${problem}`, key, value);
  }
}

function readPolicy(record: JsonRecord): InstancePolicy {
  const policy = new PolicyRecord(record.source, record.prefix.slice(0, -2), record.object);
  const ranges = policy.items('minmax').map((item): SpecRange => {
    const range = policy.inner('minmax', item);
    const read = { min: readSpec(range.inner('min')), max: readSpec(range.inner('max')) };
    range.allowOnly(RANGE_KEYS);
    return read;
  });
  const standard = readSpec(policy.inner('std'));
  const diskTemplates = policy.items('disk-templates').map((item) => {
    const found = DISK_TEMPLATES.find((template) => template === item);
    if (found !== undefined) return found;
    const problem =
      typeof item === 'string'
        ? `Invalid string value for type DiskTemplate: ${JSON.stringify(item)}`
        : "Can't parse value for 'DiskTemplate': Unable to read String";
    throw policy.unparsed('disk-templates', problem, item);
  });
  const vcpuRatio = policy.number('vcpu-ratio', 'Double');
  const spindleRatio = policy.number('spindle-ratio', 'Double');
  policy.allowOnly(POLICY_KEYS);
  return { ranges, standard, diskTemplates, vcpuRatio, spindleRatio };
}

const SPEC_KEYS = [
  'memory-size',
  'cpu-count',
  'disk-size',
  'disk-count',
  'nic-count',
  'spindle-use',
] as const;

function readSpec(record: PolicyRecord): InstanceSpec {
  const [memoryMib, cpuCount, diskMib, diskCount, nicCount, spindleUse] = SPEC_KEYS.map((key) =>
    record.number(key, 'Int'),
  ) as [number, number, number, number, number, number];
  record.allowOnly(SPEC_KEYS);
  return { memoryMib, cpuCount, diskMib, diskCount, nicCount, spindleUse };
}

function readNode(
  source: string,
  name: string,
  value: JsonValue,
  index: number,
  groupByUuid: ReadonlyMap<string, number>,
): Node {
  const owner = `invalid data for node '${name}'`;
  const record = asRecord(source, owner, value);
  const isOffline = record.boolean('offline');
  const isDrained = record.boolean('drained');
  const uuid = record.string('group');
  const isVmCapable = record.has('vm_capable') ? record.boolean('vm_capable') : true;
  const group = groupByUuid.get(uuid);
  if (group === undefined) throw jsonFault(source, `Unknown group '${uuid}' for node ${name}`, 'group', uuid);
  const parameters = record.looseRecord('ndparams');
  const tags = record.has('tags') ? record.anonymous().strings('tags') : [];
  const hasExclusiveStorage = parameters.boolean('exclusive_storage');
  // What a node that cannot be asked says about its resources is not looked at.
  const isLive = !isOffline && isVmCapable;
  const int = (key: string): number => (isLive ? record.int(key) : 0);
  const double = (key: string): number => (isLive ? record.double(key) : 0);
  return {
    index,
    name,
    alias: name,
    group,
    spindles: hasExclusiveStorage ? int('total_spindles') : parameters.int('spindle_count'),
    freeSpindles: int('free_spindles'),
    totalMemMib: double('total_memory'),
    nodeMemMib: int('reserved_memory'),
    freeMemMib: int('free_memory'),
    totalDiskMib: double('total_disk'),
    freeDiskMib: int('free_disk'),
    totalCpus: double('total_cpus'),
    nodeCpus: int('reserved_cpus'),
    cpuSpeed: 1,
    hasExclusiveStorage,
    isOffline: !isLive || isDrained,
    isMaster: false,
    tags,
    minFreeDiskRatio: 0,
    ...readNodePools(record),
  };
}

function readNodePools(record: JsonRecord): { storagePools?: PoolId[] } {
  const keys = STORAGE_TYPES.map((type) => [type, `${type}_storage_pools`] as const).filter(([, key]) =>
    record.has(key),
  );
  if (keys.length === 0) return {};
  const storagePools = keys.flatMap(([type, key]) =>
    record.strings(key).map((name) => poolId(type, name) ?? refusePool(record, key, name)),
  );
  return { storagePools };
}

function refusePool(record: JsonRecord, key: string, name: string): never {
  throw jsonFault(
    record.source,
    `${record.prefix}key '${key}': '${name}' is no name of a storage pool`,
    key,
    name,
  );
}

function readClusterInstance(
  source: string,
  name: string,
  value: JsonValue,
  index: number,
  nodeByName: ReadonlyMap<string, number>,
): Instance {
  const record = asRecord(source, `invalid data for instance '${name}'`, value);
  const instance = readInstance(name, record, index);
  const names = record.anonymous().list('nodes');
  if (names.length === 0) throw jsonFault(source, `empty node list for instance ${name}`, 'nodes');
  const find = (node: JsonValue): number => {
    if (typeof node !== 'string') throw jsonFault(source, 'Wrong JSON type', 'nodes', node);
    const position = nodeByName.get(node);
    if (position !== undefined) return position;
    throw jsonFault(source, `Unknown node '${node}' for instance ${name}`, 'nodes', node);
  };
  const primary = find(names[0]!);
  return { ...instance, primary, secondary: names[1] === undefined ? NO_NODE : find(names[1]) };
}

/** What instances of the cluster and instances to be allocated have in common; it has no nodes yet. */
export function readInstance(name: string, record: JsonRecord, index: number): Instance {
  const diskMib = record.int('disk_space_total');
  const disks = readDisks(record);
  const memMib = record.int('memory');
  const vcpus = record.int('vcpus');
  const tags = record.strings('tags');
  const diskTemplate = record.word('disk_template', 'DiskTemplate', DISK_TEMPLATES);
  const spindleUse = record.int('spindle_use');
  const nics = record.looseRecords('nics', '').map((nic) => readNic(name, nic));
  const { admin_state: state, forthcoming } = record.object;
  return {
    index,
    name,
    alias: name,
    memMib,
    diskMib,
    disks,
    vcpus,
    status: state === 'offline' ? 'ADMIN_offline' : state === 'down' ? 'ADMIN_down' : 'running',
    isAutoBalanced: true,
    primary: NO_NODE,
    secondary: NO_NODE,
    diskTemplate,
    spindleUse,
    tags,
    nics,
    isForthcoming: forthcoming === true,
    utilisation: BASE_UTILISATION,
    isMovable: isMovableTemplate(diskTemplate),
    exclusionTags: [],
    desiredLocationTags: [],
    ...readInstancePool(record, diskTemplate),
  };
}

function readDisks(record: JsonRecord): Disk[] {
  const disks = record.looseRecords('disks', record.prefix.slice(0, -2));
  const sizes = disks.map((disk) => disk.int('size'));
  return disks.map((disk, i) => ({
    sizeMib: sizes[i]!,
    spindles: disk.has('spindles') ? disk.int('spindles') : undefined,
  }));
}

function readNic(instance: string, nic: JsonRecord): Nic {
  const optional = (key: string): string | undefined => (nic.has(key) ? nic.string(key) : undefined);
  optional('mac');
  optional('ip');
  const mode = optional('mode');
  if (mode !== undefined && !NIC_MODES.includes(mode)) {
    throw jsonFault(nic.source, `invalid NIC mode in instance ${instance}`, 'mode', mode);
  }
  optional('link');
  optional('bridge');
  const network = optional('network');
  return network === undefined ? {} : { network };
}

function readInstancePool(record: JsonRecord, diskTemplate: string): { storagePool?: PoolId } {
  if (!record.has('storage_type') && !record.has('storage_pool')) return {};
  const type = record.word('storage_type', 'StorageType', STORAGE_TYPES);
  const name = record.string('storage_pool');
  const storagePool = poolId(type, name) ?? refusePool(record, 'storage_pool', name);
  if (diskTemplate === 'drbd' && type === 'external') {
    const problem = `${record.prefix}key 'storage_pool': ${storagePool} is external, but the disk template is drbd`;
    throw jsonFault(record.source, problem, 'storage_pool', name);
  }
  return { storagePool };
}
