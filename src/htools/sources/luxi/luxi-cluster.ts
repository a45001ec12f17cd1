/** The answers of a master daemon as a snapshot. Pure. Source: the stock reader. */
import { JsonRecord, jsonFault } from '../../../kit/json/json-record.ts';
import { isObject, type JsonValue } from '../../../kit/json/json-value.ts';
import { COUNT, CPU_SPEED, MIB } from '../../../kit/ranges.ts';
import type { RawSnapshot } from '../../cluster/snapshot.ts';
import { assembleCluster, groupOf } from '../live/assemble.ts';
import { liveGroup, liveInstance, liveNetwork, liveNode } from '../live/build.ts';
import { GROUP_FIELDS, INSTANCE_FIELDS, NETWORK_FIELDS, NODE_FIELDS } from './queries.ts';
import { type NamedRow, queryRows } from './query-rows.ts';

export interface LuxiAnswers {
  readonly nodes: unknown;
  readonly instances: unknown;
  readonly cluster: unknown;
  readonly groups: unknown;
  readonly networks: unknown;
}

/** Nothing derived is filled in. @param source the socket @throws InputError with what is wrong */
export function luxiCluster(answers: LuxiAnswers, source: string): RawSnapshot {
  const cluster = answers.cluster as JsonValue;
  if (!isObject(cluster)) throw jsonFault(source, 'Cannot parse cluster info, not a JSON record');
  return assembleCluster<NamedRow>({
    source,
    groups: queryRows(answers.groups, GROUP_FIELDS, 'Group', source),
    nodes: queryRows(answers.nodes, NODE_FIELDS, 'Node', source),
    instances: queryRows(answers.instances, INSTANCE_FIELDS, 'Instance', source),
    networks: queryRows(answers.networks, NETWORK_FIELDS, 'Network', source),
    cluster: new JsonRecord(source, cluster, 'Parsing cluster info'),
    group: ({ name, row }, index) => liveGroup(row, name, index),
    network: ({ row }) => liveNetwork(row),
    node: ({ name, row }, index, groupByUuid) =>
      liveNode(row, name, index, groupOf(row, name, row.string('group.uuid'), groupByUuid), {
        isVmCapable: row.boolean('vm_capable'),
        hasExclusiveStorage: row.boolean('ndp/exclusive_storage'),
        statedSpindles: () => row.intIn('ndp/spindle_count', COUNT),
        cpuSpeed: row.doubleIn('ndp/cpu_speed', CPU_SPEED),
      }),
    instance: ({ name, row }, index, nodeByName) =>
      liveInstance(row, name, index, nodeByName, {
        memMib: row.intIn('be/memory', MIB),
        vcpus: row.intIn('be/vcpus', COUNT),
        isAutoBalanced: row.boolean('be/auto_balance'),
        spindleUse: row.intIn('be/spindle_use', COUNT),
        isForthcoming: row.boolean('forthcoming'),
      }),
  });
}
