/** Puts the parts of a live cluster together, with all that is wrong in them reported at once. */
import type { ProblemList } from '../../../kit/files/problem-list.ts';
import { type JsonRecord, nothing } from '../../../kit/json/json-record.ts';
import type { JsonValue } from '../../../kit/json/json-value.ts';
import { kept } from '../../../kit/kept.ts';
import { COUNT, FREE_COUNT, FREE_MIB, MIB, type Range } from '../../../kit/ranges.ts';
import {
  ALLOC_POLICIES,
  type Group,
  INSTANCE_STATUSES,
  type Nic,
  NO_NODE,
  type PoolId,
  type RawInstance,
  type RawNode,
  type RawSnapshot,
} from '../../cluster/snapshot.ts';
import { parsePoolId } from '../../cluster/tags/tags.ts';
import { DISK_TEMPLATES } from '../../cluster/templates.ts';
import {
  HYPERVISORS,
  readInstancePool,
  readPolicy,
  refusePool,
  refuseRepeated,
} from '../parts/cluster-parts.ts';
import { groupOf, nodeOf, positions } from '../parts/references.ts';

/** What to do about a node that gives no figures although it is not marked offline. */
export const SILENT_REMEDY =
  'its node daemon does not answer: start it, or mark the node offline (gnt-node modify --offline=yes NODE)';

const liveGroup = (record: JsonRecord, name: string, index: number): Group => ({
  index,
  name,
  uuid: record.nameText('uuid'),
  allocPolicy: record.word('alloc_policy', 'AllocPolicy', ALLOC_POLICIES),
  tags: record.items('tags'),
  networks: [],
  policy: readPolicy(record.record('ipolicy', `${record.prefix}key 'ipolicy'`)),
});

interface LiveNetwork {
  readonly uuid: string;
  readonly groups: readonly JsonValue[];
  readonly instances: readonly string[];
}

const liveNetwork = (record: JsonRecord): LiveNetwork => ({
  uuid: record.string('uuid'),
  // Behind the name of each stands how it is connected.
  groups: record.list('group_list').map((group) => [group].flat()[0]!),
  instances: record.strings('inst_list'),
});

/** What the two wires say about a node in different places. */
export interface NodeParameters {
  readonly isVmCapable: boolean;
  readonly hasExclusiveStorage: boolean;
  /** Spindles as the node's parameters state them; not asked for with exclusive storage. */
  readonly statedSpindles: () => number;
  /** 1 = standard; RAPI does not tell. */
  readonly cpuSpeed: number;
}

function liveNode(
  record: JsonRecord,
  name: string,
  index: number,
  groupByUuid: ReadonlyMap<string, number>,
  parameters: NodeParameters,
): RawNode {
  const group = groupOf(record, 'group.uuid', name, groupByUuid);
  // An offline node need not have figures, so that they are not asked for where nobody can tell.
  const isOffline = record.boolean('offline', true);
  const isDrained = record.boolean('drained');
  // What a node that cannot be asked says about its resources is not looked at.
  const isLive = !isOffline && parameters.isVmCapable;
  const int = (key: string, range: Range): number => (isLive ? record.intIn(key, range) : 0);
  const double = (key: string, range: Range): number => (isLive ? record.doubleIn(key, range) : 0);
  // A cluster without volume groups knows nothing of disks and spindles.
  const optionalInt = (key: string, range: Range): number => (record.has(key) ? int(key, range) : 0);
  return {
    index,
    name,
    group,
    spindles: parameters.hasExclusiveStorage ? int('sptotal', COUNT) : parameters.statedSpindles(),
    freeSpindles: optionalInt('spfree', FREE_COUNT),
    totalMemMib: double('mtotal', MIB),
    nodeMemMib: int('mnode', MIB),
    freeMemMib: int('mfree', FREE_MIB),
    totalDiskMib: record.has('dtotal') ? double('dtotal', MIB) : 0,
    freeDiskMib: optionalInt('dfree', FREE_MIB),
    totalCpus: double('ctotal', COUNT),
    nodeCpus: int('cnos', COUNT),
    cpuSpeed: parameters.cpuSpeed,
    hasExclusiveStorage: parameters.hasExclusiveStorage,
    isOffline: !isLive || isDrained,
    isReachable: isLive,
    isMaster: false,
    tags: record.items('tags'),
    storagePools: nodePools(record),
  };
}

function nodePools(record: JsonRecord): PoolId[] | undefined {
  if (!record.has('storage_pools')) return undefined;
  return record
    .strings('storage_pools')
    .flatMap((text) => parsePoolId(text) ?? refusePool(record, 'storage_pools', text));
}

/** What the two wires say about an instance in different places. */
type InstanceParameters = Pick<
  RawInstance,
  'memMib' | 'vcpus' | 'isAutoBalanced' | 'spindleUse' | 'isForthcoming'
>;

function liveInstance(
  record: JsonRecord,
  name: string,
  index: number,
  nodeByName: ReadonlyMap<string, number>,
  parameters: InstanceParameters,
): RawInstance {
  const [second] = record.list('snodes');
  const diskTemplate = record.word('disk_template', 'DiskTemplate', DISK_TEMPLATES);
  const primary = nodeOf(record, 'pnode', record.value('pnode'), name, nodeByName);
  const secondary = nodeOf(record, 'snodes', second, name, nodeByName);
  if (primary === secondary && primary !== NO_NODE) {
    const problem = `${record.prefix}its secondary node is its primary as well`;
    record.complain(problem, 'snodes', second, 'have its disks looked at: gnt-cluster verify');
  }
  return {
    index,
    name,
    ...parameters,
    diskMib: record.intIn('disk_usage', MIB),
    disks: disksOf(record),
    status: record.word('status', 'InstanceStatus', INSTANCE_STATUSES),
    primary,
    secondary,
    diskTemplate,
    tags: record.items('tags'),
    nics: [],
    storagePool: readInstancePool(record, diskTemplate),
    ...(record.has('uuid') && { uuid: record.string('uuid') }),
  };
}

/** Two lists side by side; what one has more than the other is not looked at. */
function disksOf(record: JsonRecord): RawInstance['disks'] {
  const spindles = record.list('disk.spindles');
  return record
    .list('disk.sizes')
    .slice(0, spindles.length)
    .map((size, i) => ({
      sizeMib: record.asInt('disk.sizes', size, MIB),
      spindles: spindles[i] === null ? undefined : record.asInt('disk.spindles', spindles[i]!, COUNT),
    }));
}

/** A record, and its name where it could be read, else ''; messages of the record carry it. */
export interface NamedRecord {
  readonly name: string;
  readonly record: JsonRecord;
}

/** In place of records that could not be read: who names one of them is right, for all we know. */
export const unreadRecord = (): NamedRecord => ({ name: '', record: nothing() });

/** The records of a cluster, and how one wire states parameters. */
interface LiveRecords {
  readonly groups: readonly NamedRecord[];
  readonly nodes: readonly NamedRecord[];
  readonly instances: readonly NamedRecord[];
  readonly networks: readonly NamedRecord[];
  readonly cluster: JsonRecord;
  readonly node: (record: JsonRecord) => NodeParameters;
  readonly instance: (record: JsonRecord) => InstanceParameters;
}

/** @throws InputError with all faults, also those that the list has already */
export function assembleCluster(problems: ProblemList, records: LiveRecords): RawSnapshot {
  const groups = records.groups.map(({ name, record }, index) => liveGroup(record, name, index));
  refuseRepeated(problems, 'group', groups, 'name');
  refuseRepeated(problems, 'group', groups, 'uuid');
  const groupByUuid = positions(groups, 'uuid');
  const nodes = records.nodes.map(({ name, record }, index) =>
    liveNode(record, name, index, groupByUuid, records.node(record)),
  );
  refuseRepeated(problems, 'node', nodes, 'name');
  const nodeByName = positions(nodes, 'name');
  const instances = records.instances.map(({ name, record }, index) =>
    liveInstance(record, name, index, nodeByName, records.instance(record)),
  );
  refuseRepeated(problems, 'instance', instances, 'name');
  const networks = records.networks.map(({ record }) => liveNetwork(record));
  const parts = { nodes, ...withNetworks(networks, groups, instances) };
  const cluster = withClusterData(records.cluster, parts, nodeByName);
  problems.throwIfAny();
  return cluster;
}

/** Groups with the networks that they are connected to, and instances with those that they use. */
function withNetworks(
  networks: readonly LiveNetwork[],
  groups: readonly Group[],
  instances: readonly RawInstance[],
): Pick<RawSnapshot, 'groups' | 'instances'> {
  if (networks.length === 0) return { groups, instances };
  const nics = new Map<string, Nic[]>();
  for (const { uuid, instances: users } of networks)
    for (const name of users) kept(nics, name, (): Nic[] => []).push({ network: uuid });
  return {
    groups: groups.map((group) => ({
      ...group,
      networks: networks.filter((one) => one.groups.includes(group.name)).map(({ uuid }) => uuid),
    })),
    instances: instances.map((instance) => ({ ...instance, nics: nics.get(instance.name) ?? [] })),
  };
}

function withClusterData(
  cluster: JsonRecord,
  parts: Pick<RawSnapshot, 'groups' | 'nodes' | 'instances'>,
  nodeByName: ReadonlyMap<string, number>,
): RawSnapshot {
  const tags = cluster.items('tags');
  const policy = readPolicy(cluster.record('ipolicy', `${cluster.prefix}key 'ipolicy'`));
  const master = cluster.text('master');
  const hypervisor = cluster.word('default_hypervisor', 'Hypervisor', HYPERVISORS);
  const position = nodeByName.get(master ?? '') ?? nodeByName.get('');
  if (position === undefined && master !== undefined)
    cluster.complain(
      `Master node ${master} unknown`,
      'master',
      master,
      'ask again: the cluster may have changed between two answers',
    );
  const nodes = parts.nodes.map((node, n): RawNode => ({ ...node, hypervisor, isMaster: n === position }));
  return { ...parts, nodes, tags, policy };
}
