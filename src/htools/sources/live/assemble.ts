/** Puts the parts of a live cluster together, with all that is wrong in them reported at once. */
import { InputError } from '../../../kit/faults.ts';
import { ProblemList } from '../../../kit/files/problem-list.ts';
import { type JsonRecord, jsonFault } from '../../../kit/json/json-record.ts';
import { kept } from '../../../kit/kept.ts';
import type { Group, Nic, RawInstance, RawNode, RawSnapshot } from '../../cluster/snapshot.ts';
import { HYPERVISORS, readPolicy, refuseRepeated, unknown } from '../parts/cluster-parts.ts';
import type { LiveNetwork } from './build.ts';

/** How one wire reads its records. @throws InputError at the first fault of a record */
interface LiveRecords<R> {
  readonly source: string;
  readonly groups: readonly R[];
  readonly nodes: readonly R[];
  readonly instances: readonly R[];
  readonly networks: readonly R[];
  readonly cluster: JsonRecord;
  readonly group: (record: R, index: number) => Group;
  readonly network: (record: R) => LiveNetwork;
  readonly node: (record: R, index: number, groupByUuid: ReadonlyMap<string, number>) => RawNode;
  readonly instance: (record: R, index: number, nodeByName: ReadonlyMap<string, number>) => RawInstance;
}

/** @throws InputError with all faults of the first floor that has any: groups, then nodes, then instances */
export function assembleCluster<R>(records: LiveRecords<R>): RawSnapshot {
  const { source } = records;
  const groups = readAll(source, records.groups, records.group);
  refuseRepeated(source, 'group', groups, 'name');
  refuseRepeated(source, 'group', groups, 'uuid');
  const groupByUuid = new Map(groups.map((group) => [group.uuid, group.index]));
  const nodes = readAll(source, records.nodes, (record, index) => records.node(record, index, groupByUuid));
  refuseRepeated(source, 'node', nodes, 'name');
  const nodeByName = new Map(nodes.map(({ name }, position) => [name, position]));
  const instances = readAll(source, records.instances, (record, index) =>
    records.instance(record, index, nodeByName),
  );
  refuseRepeated(source, 'instance', instances, 'name');
  const networks = readAll(source, records.networks, records.network);
  const parts = { nodes, ...withNetworks(networks, groups, instances) };
  return withClusterData(records.cluster, parts, nodeByName);
}

function readAll<R, T>(source: string, records: readonly R[], read: (record: R, index: number) => T): T[] {
  const problems = new ProblemList(source);
  const found: T[] = [];
  for (const [index, record] of records.entries()) {
    try {
      found.push(read(record, index));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      for (const problem of error.problems) problems.add(problem);
    }
  }
  problems.throwIfAny();
  return found;
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
  const master = cluster.string('master');
  const hypervisor = cluster.word('default_hypervisor', 'Hypervisor', HYPERVISORS);
  const position = nodeByName.get(master);
  if (position === undefined)
    throw jsonFault(
      cluster.source,
      `Master node ${master} unknown`,
      'master',
      master,
      'ask again: the cluster may have changed between two answers',
    );
  const nodes = parts.nodes.map((node, n): RawNode => ({ ...node, hypervisor, isMaster: n === position }));
  return { ...parts, nodes, tags, policy };
}

/** The position of the group with this uuid. @throws InputError when there is none */
export function groupOf(
  record: JsonRecord,
  node: string,
  uuid: string,
  groupByUuid: ReadonlyMap<string, number>,
): number {
  const position = groupByUuid.get(uuid);
  if (position !== undefined) return position;
  throw unknown(record, 'group', uuid, `node ${node}`, 'group.uuid');
}
