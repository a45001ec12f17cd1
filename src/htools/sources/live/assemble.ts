/** Puts the parts of a live cluster together, with all that is wrong in them reported at once. */
import type { ProblemList } from '../../../kit/files/problem-list.ts';
import { type JsonRecord, nothing } from '../../../kit/json/json-record.ts';
import { kept } from '../../../kit/kept.ts';
import type { Group, Nic, RawInstance, RawNode, RawSnapshot } from '../../cluster/snapshot.ts';
import { HYPERVISORS, readPolicy, refuseRepeated } from '../parts/cluster-parts.ts';
import { positions } from '../parts/references.ts';
import {
  type InstanceParameters,
  type LiveNetwork,
  liveGroup,
  liveInstance,
  liveNetwork,
  liveNode,
  type NodeParameters,
} from './build.ts';

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
