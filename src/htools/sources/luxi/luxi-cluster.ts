/**
 * What is asked of a master daemon, and its answers as a snapshot: rows of queries, each cell a status and a
 * value. Pure. Source: the stock reader; Ganeti's query language (design of `Query`).
 */
import { ProblemList } from '../../../kit/files/problem-list.ts';
import { addProblem, JsonRecord, nothing } from '../../../kit/json/json-record.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../kit/json/json-value.ts';
import { COUNT, CPU_SPEED, MIB } from '../../../kit/ranges.ts';
import type { RawSnapshot } from '../../cluster/snapshot.ts';
import { assembleCluster, type NamedRecord, SILENT_REMEDY, unreadRecord } from '../live/assemble.ts';

export type LuxiAnswers = Readonly<
  Record<'nodes' | 'instances' | 'cluster' | 'groups' | 'networks', unknown>
>;

/** Nothing derived is filled in. @param source the socket @throws InputError with what is wrong */
export function luxiCluster(answers: LuxiAnswers, source: string): RawSnapshot {
  const problems = new ProblemList(source);
  const cluster = answers.cluster as JsonValue;
  if (!isObject(cluster)) addProblem(problems, 'Cannot parse cluster info, not a JSON record');
  return assembleCluster(problems, {
    groups: queryRows(problems, answers.groups, GROUP_FIELDS, 'Group'),
    nodes: queryRows(problems, answers.nodes, NODE_FIELDS, 'Node'),
    instances: queryRows(problems, answers.instances, INSTANCE_FIELDS, 'Instance'),
    networks: queryRows(problems, answers.networks, NETWORK_FIELDS, 'Network'),
    cluster: isObject(cluster) ? new JsonRecord(problems, cluster, 'Parsing cluster info') : nothing(),
    node: (row) => ({
      isVmCapable: row.boolean('vm_capable'),
      hasExclusiveStorage: row.boolean('ndp/exclusive_storage'),
      statedSpindles: () => row.intIn('ndp/spindle_count', COUNT),
      cpuSpeed: row.doubleIn('ndp/cpu_speed', CPU_SPEED),
    }),
    instance: (row) => ({
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
  private isToldWhy = false;

  /** @param statuses of the cells without a value */
  constructor(
    problems: ProblemList,
    private readonly owner: string,
    cells: JsonObject,
    private readonly statuses: ReadonlyMap<string, number> | undefined,
  ) {
    super(problems, cells, `${owner}, error while reading`);
  }

  /** One cell without a value stands for all of the row: they have one cause, which has one remedy. */
  override value(key: string): JsonValue | undefined {
    const words = STATUS_WORDS[this.statuses?.get(key) ?? NORMAL];
    if (words === undefined) return super.value(key);
    const problem = `${this.owner}, error while reading attribute '${key}': ${words}`;
    if (!this.isToldWhy) this.problems.add({ problem, remedy: SILENT_REMEDY });
    this.isToldWhy = true;
    return undefined;
  }
}

const NO_ANSWER = 'what listens there is not a master daemon of Ganeti, or one of another version';

/**
 * The rows of an answer to `Query`.
 * @param fields as they were asked for
 * @param kind `Node`, `Instance`, `Group` or `Network`, for messages
 */
function queryRows(
  problems: ProblemList,
  result: unknown,
  fields: readonly string[],
  kind: string,
): NamedRecord[] {
  const what = kind.toLowerCase();
  const unread = (problem: string, field: string, value?: JsonValue): NamedRecord => {
    addProblem(problems, problem, field, value, NO_ANSWER);
    return unreadRecord();
  };
  const data = isObject(result as JsonValue) ? (result as { data?: JsonValue }).data : undefined;
  if (!Array.isArray(data)) return [unread(`Invalid ${what} query result: no list of rows`, 'data')];
  return data.map((cells, at) => {
    if (!Array.isArray(cells) || cells.length !== fields.length) {
      const problem = `row ${at + 1} does not have ${fields.length} cells`;
      return unread(`Invalid ${what} query result: ${problem}`, 'data', cells);
    }
    const values: Record<string, JsonValue> = {};
    let statuses: Map<string, number> | undefined;
    for (const [i, field] of fields.entries()) {
      const cell = cells[i]!;
      if (!Array.isArray(cell) || cell.length !== 2)
        return unread(`Invalid query field, expected (status, value) in row ${at + 1}`, field, cell);
      const [status, value] = cell;
      if (status === NORMAL) values[field] = value!;
      else if (typeof status === 'number' && STATUS_WORDS[status] !== undefined) {
        statuses ??= new Map();
        statuses.set(field, status);
      } else return unread(`Invalid query field, row ${at + 1} has an unknown status`, field, status);
    }
    const bare = new QueryRow(problems, `Parsing new ${what}`, values, statuses);
    const name = bare.nameText('name');
    return {
      name,
      record: name === '' ? bare : new QueryRow(problems, `${kind} '${name}'`, values, statuses),
    };
  });
}

export const NODE_FIELDS: readonly string[] = [
  ...['name', 'mtotal', 'mnode', 'mfree', 'dtotal', 'dfree', 'ctotal', 'cnos'],
  ...['offline', 'drained', 'vm_capable', 'ndp/spindle_count', 'group.uuid', 'tags'],
  ...['ndp/exclusive_storage', 'sptotal', 'spfree', 'ndp/cpu_speed'],
  // Of no released Ganeti; a cluster that does not know fields says so in each cell, and answers.
  'storage_pools',
];

export const INSTANCE_FIELDS: readonly string[] = [
  ...['name', 'disk_usage', 'be/memory', 'be/vcpus', 'status', 'pnode', 'snodes', 'tags'],
  ...['be/auto_balance', 'disk_template', 'be/spindle_use', 'disk.sizes', 'disk.spindles', 'forthcoming'],
  ...['storage_type', 'storage_pool'],
  // Not asked by the stock programs, which carry out nothing that takes so long.
  'uuid',
];

/** Not asked by the stock programs: no question about groups or instances says who is connected where. */
export const NETWORK_FIELDS: readonly string[] = ['name', 'uuid', 'group_list', 'inst_list'];

export const GROUP_FIELDS: readonly string[] = ['uuid', 'name', 'alloc_policy', 'ipolicy', 'tags'];
