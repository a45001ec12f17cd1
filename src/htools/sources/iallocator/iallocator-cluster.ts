/** The cluster in an iallocator document, as the stock hail reads it, message for message. See ganeti(7). */
import type { ProblemList } from '../../../kit/files/problem-list.ts';
import { addProblem, asRecord, type JsonRecord } from '../../../kit/json/json-record.ts';
import { type JsonObject, mapMembers } from '../../../kit/json/json-value.ts';
import { nameFault } from '../../../kit/name-faults.ts';
import { COUNT, FREE_COUNT, FREE_MIB, MIB, type Range } from '../../../kit/ranges.ts';
import { DEFAULT_POLICY } from '../../cluster/policy.ts';
import {
  ALLOC_POLICIES,
  type Disk,
  type Group,
  type Nic,
  NO_NODE,
  type PoolId,
  type RawInstance,
  type RawNode,
  type RawSnapshot,
} from '../../cluster/snapshot.ts';
import { poolId, STORAGE_TYPES } from '../../cluster/tags/tags.ts';
import { DISK_TEMPLATES } from '../../cluster/templates.ts';
import {
  HYPERVISORS,
  readInstancePool,
  readPolicy,
  refusePool,
  refuseRepeated,
} from '../parts/cluster-parts.ts';
import { groupOf, nodeOf, positions } from '../parts/references.ts';

/** Members of the document whose order gives the stock programs' indices. */
export const ORDERED_MEMBERS = ['nodegroups', 'nodes', 'instances'];

export const INSTANCE_DATA = 'invalid data for instance';
const NODE_DATA = 'invalid data for node';
const GROUP_DATA = 'invalid data for group';

const NIC_MODES = ['bridged', 'routed', 'openvswitch'];

/**
 * A snapshot as read; nothing derived is filled in. What is wrong joins the problems of the document.
 * @throws InputError when the document lacks groups, nodes or instances altogether
 */
export function readCluster(document: JsonRecord): RawSnapshot {
  const { problems } = document;
  const items = (key: string): JsonObject => {
    const { object } = document.record(key, '');
    // All that names one of them would be wrong, too.
    if (object !== document.object[key]) problems.throwIfAny();
    return object;
  };
  const groups = namedMembers(problems, GROUP_DATA, items('nodegroups'), readGroup);
  const groupByUuid = positions(groups, 'uuid');
  const unhosted = namedMembers(problems, NODE_DATA, items('nodes'), (name, record, index) =>
    readNode(name, record, index, groupByUuid),
  );
  refuseRepeated(problems, NODE_DATA, unhosted, 'name');
  const nodeByName = positions(unhosted, 'name');
  const instances = namedMembers(problems, INSTANCE_DATA, items('instances'), (name, record, index) =>
    readClusterInstance(name, record, index, nodeByName),
  );
  refuseRepeated(problems, INSTANCE_DATA, instances, 'name');
  const tags = document.items('cluster_tags');
  const [hypervisor] = document.words('enabled_hypervisors', 'Hypervisor', HYPERVISORS);
  const nodes = hypervisor === undefined ? unhosted : unhosted.map((node) => ({ ...node, hypervisor }));
  return { groups, nodes, instances, tags, policy: DEFAULT_POLICY };
}

/** Members of an object that are called by their names: what `read` makes of each. */
const namedMembers = <T>(
  problems: ProblemList,
  what: string,
  object: JsonObject,
  read: (name: string, record: JsonRecord, index: number) => T,
): T[] =>
  mapMembers(object, (name, value, index) => {
    const fault = nameFault(name);
    if (fault) {
      const problem = `${what} ${JSON.stringify(name)}: the name ${fault.problem}`;
      addProblem(problems, problem, undefined, undefined, fault.remedy);
    }
    return read(name, asRecord(problems, value, undefined, what, name), index);
  });

function readGroup(uuid: string, record: JsonRecord, index: number): Group {
  const name = record.nameText('name');
  const allocPolicy = record.word('alloc_policy', 'AllocPolicy', ALLOC_POLICIES);
  const networks = record.items('networks');
  const policy = readPolicy(record.record('ipolicy', `${record.prefix}key 'ipolicy'`));
  return { index, name, uuid, allocPolicy, tags: record.items('tags'), networks, policy };
}

function readNode(
  name: string,
  record: JsonRecord,
  index: number,
  groupByUuid: ReadonlyMap<string, number>,
): RawNode {
  // An offline node need not have figures, so that they are not asked for where nobody can tell.
  const isOffline = record.boolean('offline', true);
  const isDrained = record.boolean('drained');
  const group = groupOf(record, 'group', name, groupByUuid);
  const isVmCapable = record.has('vm_capable') ? record.boolean('vm_capable') : true;
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
    // A node of no known group is not prepared for planning, as there will be none.
    isOffline: !isLive || isDrained || group === NO_NODE,
    isReachable: isLive,
    isMaster: false,
    tags,
    storagePools: readNodePools(record),
  };
}

function readNodePools(record: JsonRecord): PoolId[] | undefined {
  const keys = STORAGE_TYPES.map((type) => [type, `${type}_storage_pools`] as const);
  if (!keys.some(([, key]) => record.has(key))) return undefined;
  return keys.flatMap(([type, key]) => {
    const names = record.has(key) ? record.strings(key) : [];
    return names.flatMap((name) => poolId(type, name) ?? refusePool(record, key, name));
  });
}

function readClusterInstance(
  name: string,
  record: JsonRecord,
  index: number,
  nodeByName: ReadonlyMap<string, number>,
): RawInstance {
  const instance = readInstance(name, record, index, nodeByName);
  const { primary, secondary } = instance;
  if (primary === secondary && primary !== NO_NODE) {
    const problem = `${INSTANCE_DATA} '${name}': its secondary node is its primary as well`;
    record.complain(problem, 'nodes', undefined, 'give another secondary, or none');
  }
  return instance;
}

type Placement = Pick<RawInstance, 'primary' | 'secondary'>;

const NOWHERE: Placement = { primary: NO_NODE, secondary: NO_NODE };

function readPlacement(name: string, record: JsonRecord, nodeByName: ReadonlyMap<string, number>): Placement {
  const { nodes } = record.object;
  const names = Array.isArray(nodes) ? nodes : record.anonymous().list('nodes');
  if (names === nodes && names.length === 0)
    record.complain(`empty node list for instance ${name}`, 'nodes', [], 'name its primary');
  const [primary, secondary] = [0, 1].map((at) => nodeOf(record, 'nodes', names[at], name, nodeByName));
  return { primary: primary!, secondary: secondary! };
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
): RawInstance {
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
    storagePool: readInstancePool(record, diskTemplate),
  };
}

function readDisks(record: JsonRecord): Disk[] {
  const records = record.looseRecords('disks', false);
  const sizes = records.map((disk) => disk.intIn('size', MIB));
  return records.map((disk, i) => ({
    sizeMib: sizes[i]!,
    spindles: disk.has('spindles') ? disk.intIn('spindles', COUNT) : undefined,
  }));
}

const readNics = (instance: string, record: JsonRecord): Nic[] =>
  record.looseRecords('nics', true).map((nic) => readNic(instance, nic));

function readNic(instance: string, nic: JsonRecord): Nic {
  const [, , mode] = ['mac', 'ip', 'mode'].map((key) => nic.optionalString(key));
  if (mode !== undefined && !NIC_MODES.includes(mode)) {
    const remedy = `it should be one of ${NIC_MODES.join(', ')}`;
    nic.complain(`invalid NIC mode in instance ${instance}`, 'mode', mode, remedy);
  }
  const [, , network] = ['link', 'bridge', 'network'].map((key) => nic.optionalString(key));
  return network === undefined ? {} : { network };
}
