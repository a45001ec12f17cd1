/**
 * What is asked of a master daemon, and its answers as a snapshot: rows of queries, each cell a status and a
 * value. Pure. Source: the stock reader; Ganeti's query language (design of `Query`).
 */

import { InputError } from '../../../kit/faults.ts';
import { JsonRecord, jsonFault } from '../../../kit/json/json-record.ts';
import { isObject, type JsonValue } from '../../../kit/json/json-value.ts';
import { COUNT, CPU_SPEED, MIB } from '../../../kit/ranges.ts';
import type { RawSnapshot } from '../../cluster/snapshot.ts';
import { assembleCluster, groupOf } from '../live/assemble.ts';
import { liveGroup, liveInstance, liveNetwork, liveNode, SILENT_REMEDY } from '../live/build.ts';

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

const NORMAL = 0;
const UNKNOWN_FIELD = 1;
const NO_DATA = 2;
const UNAVAILABLE = 3;
const OFFLINE = 4;

const STATUS_WORDS: Readonly<Record<number, string>> = {
  [UNKNOWN_FIELD]: 'Unknown field',
  [NO_DATA]: 'No data for a field',
  [UNAVAILABLE]: 'Ganeti reports unavailable data',
  [OFFLINE]: 'Ganeti reports resource as offline',
};

/** A row whose cells are members; a cell without a value is no member, and asking for it says why. */
class QueryRow extends JsonRecord {
  private readonly statuses: ReadonlyMap<string, number> | undefined;
  private readonly owner: string;

  constructor(
    source: string,
    owner: string,
    cells: Record<string, JsonValue>,
    statuses?: ReadonlyMap<string, number>,
  ) {
    super(source, cells, owner === '' ? '' : `${owner}, error while reading`);
    this.owner = owner;
    this.statuses = statuses;
  }

  override value(key: string): JsonValue {
    const words = STATUS_WORDS[this.statuses?.get(key) ?? NORMAL];
    if (words === undefined) return super.value(key);
    const problem = `${this.owner}, error while reading attribute '${key}': ${words}`;
    throw new InputError(this.source, [{ problem, remedy: SILENT_REMEDY }]);
  }
}

/** The name of a record, and the record with messages that carry it. */
interface NamedRow {
  readonly name: string;
  readonly row: QueryRow;
}

/**
 * The rows of an answer to `Query`.
 * @param kind `Node`, `Instance`, `Group` or `Network`, for messages
 * @param fields as they were asked for
 * @throws InputError when the answer is none to this question
 */
function queryRows(result: unknown, fields: readonly string[], kind: string, source: string): NamedRow[] {
  const data = isObject(result as JsonValue) ? (result as { data?: JsonValue }).data : undefined;
  if (!Array.isArray(data)) {
    throw jsonFault(source, `Invalid ${kind.toLowerCase()} query result: no list of rows`, 'data');
  }
  return data.map((cells, at) => {
    if (!Array.isArray(cells) || cells.length !== fields.length) {
      const problem = `row ${at + 1} does not have ${fields.length} cells`;
      throw jsonFault(source, `Invalid ${kind.toLowerCase()} query result: ${problem}`, 'data', cells);
    }
    const values: Record<string, JsonValue> = {};
    let statuses: Map<string, number> | undefined;
    for (const [i, field] of fields.entries()) {
      const cell = cells[i];
      if (!Array.isArray(cell) || cell.length !== 2)
        throw jsonFault(
          source,
          `Invalid query field, expected (status, value) in row ${at + 1}`,
          field,
          cell,
        );
      const [status, value] = cell;
      if (status === NORMAL) values[field] = value!;
      else if (typeof status === 'number' && STATUS_WORDS[status] !== undefined) {
        statuses ??= new Map();
        statuses.set(field, status);
      } else
        throw jsonFault(source, `Invalid query field, row ${at + 1} has an unknown status`, field, status);
    }
    const name = new QueryRow(source, `Parsing new ${kind.toLowerCase()}`, values, statuses).nameText('name');
    return { name, row: new QueryRow(source, `${kind} '${name}'`, values, statuses) };
  });
}

/** Fields of no released Ganeti; a cluster that does not know them says so in each cell, and answers. */
const NODE_STORAGE = ['storage_pools'] as const;
const INSTANCE_STORAGE = ['storage_type', 'storage_pool'] as const;

export const NODE_FIELDS: readonly string[] = [
  ...['name', 'mtotal', 'mnode', 'mfree', 'dtotal', 'dfree', 'ctotal', 'cnos'],
  ...['offline', 'drained', 'vm_capable', 'ndp/spindle_count', 'group.uuid', 'tags'],
  ...['ndp/exclusive_storage', 'sptotal', 'spfree', 'ndp/cpu_speed'],
  ...NODE_STORAGE,
];

export const INSTANCE_FIELDS: readonly string[] = [
  ...['name', 'disk_usage', 'be/memory', 'be/vcpus', 'status', 'pnode', 'snodes', 'tags'],
  ...['be/auto_balance', 'disk_template', 'be/spindle_use', 'disk.sizes', 'disk.spindles', 'forthcoming'],
  ...INSTANCE_STORAGE,
  // Not asked by the stock programs, which carry out nothing that takes so long.
  'uuid',
];

/** Not asked by the stock programs: no question about groups or instances says who is connected where. */
export const NETWORK_FIELDS: readonly string[] = ['name', 'uuid', 'group_list', 'inst_list'];

export const GROUP_FIELDS: readonly string[] = ['uuid', 'name', 'alloc_policy', 'ipolicy', 'tags'];
