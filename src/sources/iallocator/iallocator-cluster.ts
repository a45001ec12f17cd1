/**
 * The cluster part of an iallocator document: groups, nodes, instances, cluster tags, hypervisor.
 * Source: the iallocator protocol of ganeti(7) as the stock hail reads it, message for message.
 */
import { nameFault } from '../../cluster/names.ts';
import { DEFAULT_POLICY } from '../../cluster/policy.ts';
import { COUNT, FREE_COUNT, FREE_MIB, MIB, RATIO, type Range } from '../../cluster/ranges.ts';
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
} from '../../cluster/snapshot.ts';
import { poolId, STORAGE_TYPES } from '../../cluster/tags.ts';
import { DISK_TEMPLATES, hasSecondary, isMovableTemplate } from '../../cluster/templates.ts';
import { asRecord, JsonRecord, jsonFault } from '../json/json-record.ts';
import { isObject, type JsonObject, type JsonValue, mapMembers } from '../json/json-value.ts';

/** Members of the document whose order gives the stock programs' indices. */
export const ORDERED_MEMBERS = ['nodegroups', 'nodes', 'instances'];

/** How messages about an instance begin. */
export const INSTANCE_DATA = 'invalid data for instance';
const NODE_DATA = 'invalid data for node';
const GROUP_DATA = 'invalid data for group';

const HYPERVISORS = ['kvm', 'xen-pvm', 'chroot', 'xen-hvm', 'lxc', 'fake'] as const;
const NIC_MODES = ['bridged', 'routed', 'openvswitch'];
const POLICY_KEYS = ['minmax', 'std', 'disk-templates', 'vcpu-ratio', 'spindle-ratio'];
const RANGE_KEYS = ['min', 'max'];

/** A snapshot as read; nothing derived is filled in. @throws InputError at the first thing that is wrong. */
export function readCluster(document: JsonRecord): Snapshot {
  const { source } = document;
  const items = (key: string) => document.record(key, '').object;
  const groups = namedMembers(source, GROUP_DATA, items('nodegroups'), (uuid, value, index) =>
    readGroup(source, uuid, value, index),
  );
  refuseRepeated(source, GROUP_DATA, groups);
  const groupByUuid = new Map(groups.map((group) => [group.uuid, group.index]));
  const unhosted = namedMembers(source, NODE_DATA, items('nodes'), (name, value, index) =>
    readNode(source, name, value, index, groupByUuid),
  );
  refuseRepeated(source, NODE_DATA, unhosted);
  const nodeByName = new Map(unhosted.map((node) => [node.name, node.index]));
  const instances = namedMembers(source, INSTANCE_DATA, items('instances'), (name, value, index) =>
    readClusterInstance(source, name, value, index, nodeByName),
  );
  refuseRepeated(source, INSTANCE_DATA, instances);
  const tags = document.items('cluster_tags');
  const [hypervisor] = document.words('enabled_hypervisors', 'Hypervisor', HYPERVISORS);
  const nodes = hypervisor === undefined ? unhosted : unhosted.map((node) => ({ ...node, hypervisor }));
  return { groups, nodes, instances, tags, policy: DEFAULT_POLICY };
}

/** Members of an object that are called by their names: what `read` makes of each. */
function namedMembers<T>(
  source: string,
  what: string,
  object: JsonObject,
  read: (name: string, value: JsonValue, index: number) => T,
): T[] {
  return mapMembers(object, (name, value, index) => {
    const fault = nameFault(name);
    if (fault) {
      const problem = `${what} ${JSON.stringify(name)}: the name ${fault.problem}`;
      throw jsonFault(source, problem, undefined, undefined, fault.remedy);
    }
    return read(name, value, index);
  });
}

/** Of two things with one name nobody could tell which is meant. */
function refuseRepeated(source: string, what: string, items: readonly { readonly name: string }[]): void {
  const seen = new Set<string>();
  for (const { name } of items) {
    if (seen.has(name)) throw jsonFault(source, `${what} '${name}': there are two of that name`);
    seen.add(name);
  }
}

function readGroup(source: string, uuid: string, value: JsonValue, index: number): Group {
  const record = asRecord(source, value, GROUP_DATA, uuid);
  const name = record.nameText('name');
  const allocPolicy = record.word('alloc_policy', 'AllocPolicy', ALLOC_POLICIES);
  const networks = record.items('networks');
  const policy = readPolicy(record.record('ipolicy', `${record.prefix}key 'ipolicy'`));
  return { index, name, uuid, allocPolicy, tags: record.items('tags'), networks, policy };
}

/** Inside a policy a wrong value is announced in other words than elsewhere. */
class PolicyRecord extends JsonRecord {
  number(key: string, kind: 'Int' | 'Double'): number {
    const value = this.value(key);
    if (typeof value === 'number') return kind === 'Int' ? this.intIn(key, MIB) : this.doubleIn(key, RATIO);
    throw this.unparsed(key, `Unable to read ${kind}`, value);
  }

  inner(key: string, value = this.value(key)): PolicyRecord {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw this.unparsed(key, 'Unable to read JSObject', value);
    }
    return new PolicyRecord(this.source, value, `${this.prefix}Can't parse value for '${key}'`);
  }

  values(key: string): JsonValue[] {
    const value = this.value(key);
    if (!Array.isArray(value)) throw this.unparsed(key, 'Unable to read list', value);
    return value;
  }

  unparsed(key: string, problem: string, value: JsonValue) {
    return jsonFault(this.source, `${this.prefix}Can't parse value for '${key}': ${problem}`, key, value);
  }
}

function readPolicy(record: JsonRecord): InstancePolicy {
  const policy = new PolicyRecord(record.source, record.object, record.prefix.slice(0, -2));
  const ranges = policy.values('minmax').map((item): SpecRange => {
    const range = policy.inner('minmax', item);
    const read = { min: readSpec(range.inner('min')), max: readSpec(range.inner('max')) };
    range.allowOnly(RANGE_KEYS);
    return read;
  });
  const standard = readSpec(policy.inner('std'));
  const diskTemplates = policy.values('disk-templates').map((item) => {
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
  const record = asRecord(source, value, NODE_DATA, name);
  const isOffline = record.boolean('offline');
  const isDrained = record.boolean('drained');
  const uuid = record.string('group');
  const isVmCapable = record.has('vm_capable') ? record.boolean('vm_capable') : true;
  const group = groupByUuid.get(uuid);
  if (group === undefined) throw jsonFault(source, `Unknown group '${uuid}' for node ${name}`, 'group', uuid);
  const parameters = record.looseRecord('ndparams');
  const tags = record.has('tags') ? record.anonymous().items('tags') : [];
  const hasExclusiveStorage = parameters.boolean('exclusive_storage');
  // What a node that cannot be asked says about its resources is not looked at.
  const isLive = !isOffline && isVmCapable;
  const int = (key: string, range: Range): number => (isLive ? record.intIn(key, range) : 0);
  const double = (key: string, range: Range): number => (isLive ? record.doubleIn(key, range) : 0);
  return {
    index,
    name,
    alias: name,
    group,
    spindles: hasExclusiveStorage ? int('total_spindles', COUNT) : parameters.intIn('spindle_count', COUNT),
    freeSpindles: int('free_spindles', FREE_COUNT),
    totalMemMib: double('total_memory', MIB),
    nodeMemMib: int('reserved_memory', MIB),
    freeMemMib: int('free_memory', FREE_MIB),
    totalDiskMib: double('total_disk', MIB),
    freeDiskMib: int('free_disk', FREE_MIB),
    totalCpus: double('total_cpus', COUNT),
    nodeCpus: int('reserved_cpus', COUNT),
    cpuSpeed: 1,
    hasExclusiveStorage,
    isOffline: !isLive || isDrained,
    isMaster: false,
    tags,
    minFreeDiskRatio: 0,
    storagePools: readNodePools(record),
  };
}

function readNodePools(record: JsonRecord): PoolId[] | undefined {
  const keys = STORAGE_TYPES.map((type) => [type, `${type}_storage_pools`] as const);
  if (!keys.some(([, key]) => record.has(key))) return undefined;
  return keys.flatMap(([type, key]) => {
    const names = record.has(key) ? record.strings(key) : [];
    return names.map((name) => poolId(type, name) ?? refusePool(record, key, name));
  });
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
  const instance = readInstance(name, asRecord(source, value, INSTANCE_DATA, name), index, nodeByName);
  if (hasSecondary(instance.diskTemplate) && instance.primary === instance.secondary) {
    const problem = `${INSTANCE_DATA} '${name}': its secondary node is its primary as well`;
    throw jsonFault(source, problem, 'nodes', undefined, 'give another secondary, or none');
  }
  return instance;
}

type Placement = Pick<Instance, 'primary' | 'secondary'>;

const NOWHERE: Placement = { primary: NO_NODE, secondary: NO_NODE };

function readPlacement(name: string, record: JsonRecord, nodeByName: ReadonlyMap<string, number>): Placement {
  const { source, object } = record;
  const names = Array.isArray(object.nodes) ? object.nodes : record.anonymous().list('nodes');
  if (names.length === 0) throw jsonFault(source, `empty node list for instance ${name}`, 'nodes');
  const find = (node: JsonValue): number => {
    if (typeof node !== 'string') throw jsonFault(source, 'Wrong JSON type', 'nodes', node);
    const position = nodeByName.get(node);
    if (position !== undefined) return position;
    throw jsonFault(source, `Unknown node '${node}' for instance ${name}`, 'nodes', node);
  };
  const primary = find(names[0]!);
  return { primary, secondary: names[1] === undefined ? NO_NODE : find(names[1]) };
}

/**
 * What instances of the cluster and instances to be allocated have in common.
 * @param nodeByName where an instance of the cluster finds its nodes; without it the instance has none.
 */
export function readInstance(
  name: string,
  record: JsonRecord,
  index: number,
  nodeByName?: ReadonlyMap<string, number>,
): Instance {
  const diskMib = record.intIn('disk_space_total', MIB);
  const disks = readDisks(record);
  const memMib = record.intIn('memory', MIB);
  const vcpus = record.intIn('vcpus', COUNT);
  const tags = record.items('tags');
  const diskTemplate = record.word('disk_template', 'DiskTemplate', DISK_TEMPLATES);
  const spindleUse = record.intIn('spindle_use', COUNT);
  const nics = readNics(name, record);
  const { admin_state: state, forthcoming } = record.object;
  const { primary, secondary } = nodeByName ? readPlacement(name, record, nodeByName) : NOWHERE;
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
    primary,
    secondary,
    diskTemplate,
    spindleUse,
    tags,
    nics,
    isForthcoming: forthcoming === true,
    utilisation: BASE_UTILISATION,
    isMovable: isMovableTemplate(diskTemplate),
    exclusionTags: [],
    desiredLocationTags: [],
    storagePool: readInstancePool(record, diskTemplate),
  };
}

// Disks and nics of the usual shape are taken without a record each, which is half of the time for a large cluster;
// all others are read field by field, for the message or the conversion.

function readDisks(record: JsonRecord): Disk[] {
  const { disks } = record.object;
  if (Array.isArray(disks) && disks.every(isPlainDisk)) {
    return disks.map((disk) => ({ sizeMib: disk.size, spindles: disk.spindles ?? undefined }));
  }
  const records = record.looseRecords('disks', false);
  const sizes = records.map((disk) => disk.intIn('size', MIB));
  return records.map((disk, i) => ({
    sizeMib: sizes[i]!,
    spindles: disk.has('spindles') ? disk.intIn('spindles', COUNT) : undefined,
  }));
}

const isWholeIn = (value: JsonValue | undefined, { min, max }: Range): boolean =>
  Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;

function isPlainDisk(disk: JsonValue): disk is { size: number; spindles: number | null } {
  if (!isObject(disk)) return false;
  const { size, spindles } = disk;
  return isWholeIn(size, MIB) && (spindles === undefined || spindles === null || isWholeIn(spindles, COUNT));
}

function readNics(instance: string, record: JsonRecord): Nic[] {
  const { nics } = record.object;
  if (Array.isArray(nics) && nics.every(isPlainNic)) {
    return nics.map((nic) => (nic.network ? { network: nic.network } : {}));
  }
  return record.looseRecords('nics', true).map((nic) => readNic(instance, nic));
}

const isAbsentOrText = (value: JsonValue | undefined): boolean =>
  typeof value === 'string' || value === undefined || value === null;

function isPlainNic(nic: JsonValue): nic is { network: string | null } {
  if (!isObject(nic)) return false;
  const { mac, ip, mode, link, bridge, network } = nic;
  if (mode !== undefined && mode !== null && !(NIC_MODES as readonly JsonValue[]).includes(mode))
    return false;
  const areTexts =
    isAbsentOrText(mac) && isAbsentOrText(ip) && isAbsentOrText(link) && isAbsentOrText(bridge);
  return areTexts && isAbsentOrText(network) && network !== '';
}

function readNic(instance: string, nic: JsonRecord): Nic {
  const [, , mode] = ['mac', 'ip', 'mode'].map((key) => nic.optionalString(key));
  if (mode !== undefined && !NIC_MODES.includes(mode)) {
    throw jsonFault(nic.source, `invalid NIC mode in instance ${instance}`, 'mode', mode);
  }
  const [, , network] = ['link', 'bridge', 'network'].map((key) => nic.optionalString(key));
  return network === undefined ? {} : { network };
}

function readInstancePool(record: JsonRecord, diskTemplate: string): PoolId | undefined {
  if (!record.has('storage_type') && !record.has('storage_pool')) return undefined;
  const type = record.word('storage_type', 'StorageType', STORAGE_TYPES);
  const name = record.string('storage_pool');
  const storagePool = poolId(type, name) ?? refusePool(record, 'storage_pool', name);
  if (diskTemplate === 'drbd' && type === 'external') {
    const problem = `${record.prefix}key 'storage_pool': ${storagePool} is external, but the disk template is drbd`;
    throw jsonFault(record.source, problem, 'storage_pool', name);
  }
  return storagePool;
}
