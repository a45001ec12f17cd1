/** Groups and nodes as the other parts of JSON documents name them. */
import type { JsonRecord } from '../../../kit/json/json-record.ts';
import type { JsonValue } from '../../../kit/json/json-value.ts';
import { NO_NODE } from '../../cluster/snapshot.ts';

/** Where each is, by what it is called; with NO_NODE for '' where one has a name that could not be read. */
export function positions<Member extends 'name' | 'uuid'>(
  items: readonly { readonly [M in Member]: string }[],
  member: Member,
): ReadonlyMap<string, number> {
  const found = new Map(items.map((item, index) => [item[member], index]));
  return found.has('') ? found.set('', NO_NODE) : found;
}

/** Where that is which is called so; NO_NODE where it cannot be told, as the name of one was unreadable. */
function find(
  record: JsonRecord,
  field: string,
  called: string,
  places: ReadonlyMap<string, number>,
  what: 'group' | 'node',
  owner: string,
): number {
  const position = places.get(called) ?? places.get('');
  if (position !== undefined) return position;
  const problem = `Unknown ${what} '${called}' for ${owner}`;
  const remedy = `it should be the ${what === 'group' ? 'uuid' : 'name'} of one of the ${what}s`;
  record.complain(problem, field, called, remedy);
  return NO_NODE;
}

/** The position of the group that a node's member names by its uuid. */
export function groupOf(
  record: JsonRecord,
  field: string,
  node: string,
  groupByUuid: ReadonlyMap<string, number>,
): number {
  const uuid = record.text(field);
  return uuid === undefined ? NO_NODE : find(record, field, uuid, groupByUuid, 'group', `node ${node}`);
}

/** The position of the node that an instance's member names; NO_NODE for nothing. */
export function nodeOf(
  record: JsonRecord,
  field: string,
  node: JsonValue | undefined,
  instance: string,
  nodeByName: ReadonlyMap<string, number>,
): number {
  if (node === undefined) return NO_NODE;
  if (typeof node === 'string') return find(record, field, node, nodeByName, 'node', `instance ${instance}`);
  record.complain('Wrong JSON type', field, node, 'it should be the name of a node');
  return NO_NODE;
}
