/**
 * Rows of a LUXI query as records: each cell is a status and a value. Source: Ganeti's query language (design
 * of `Query`); the words for each status are those of the stock programs.
 */
import { InputError } from '../../../kit/faults.ts';
import { JsonRecord, jsonFault } from '../../../kit/json/json-record.ts';
import { isObject, type JsonValue } from '../../../kit/json/json-value.ts';
import { SILENT_REMEDY } from '../live/build.ts';

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
export interface NamedRow {
  readonly name: string;
  readonly row: QueryRow;
}

/**
 * The rows of an answer to `Query`.
 * @param kind `Node`, `Instance`, `Group` or `Network`, for messages
 * @param fields as they were asked for
 * @throws InputError when the answer is none to this question
 */
export function queryRows(
  result: unknown,
  fields: readonly string[],
  kind: string,
  source: string,
): NamedRow[] {
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
