/** Documents for hail and `-I`. Source: ganeti(7), iallocator; faults one at a time, in stock's words. */
import { InputError } from '../../../kit/faults.ts';
import { asText } from '../../../kit/files/utf8.ts';
import { parseDocument } from '../../../kit/json/json-document.ts';
import { asRecord, JsonRecord, jsonFault } from '../../../kit/json/json-record.ts';
import { isObject } from '../../../kit/json/json-value.ts';
import { FREE_COUNT } from '../../../kit/ranges.ts';
import {
  EVACUATION_MODES,
  type IallocatorRequest,
  type NewInstance,
} from '../../cluster/iallocator-request.ts';
import { asNewInstance } from '../../cluster/prepare/derived.ts';
import { type PreparedSnapshot, prepareSnapshot } from '../../cluster/prepare/prepare.ts';
import type { RawSnapshot, Snapshot } from '../../cluster/snapshot.ts';
import { INSTANCE_DATA, ORDERED_MEMBERS, readCluster, readInstance } from './iallocator-cluster.ts';

const REQUEST_DATA = 'invalid request dict';

export interface IallocatorCall extends PreparedSnapshot {
  /** Positions are those of the snapshot. */
  readonly request: IallocatorRequest;
}

/** The cluster of a document; its request is not looked at. @throws InputError at the first fault */
export const parseIallocatorCluster = (content: Uint8Array | string, source: string): RawSnapshot =>
  readCluster(openDocument(content, source));

/**
 * The request of a document and its cluster, prepared for searching.
 * @param staticKvmNodeMemoryMib memory of a KVM node's own system; 0 keeps what the nodes report.
 * @param change what is supposed of the cluster; the request is about the changed one
 * @throws InputError at the first thing that is wrong.
 */
export function parseIallocatorRequest(
  content: Uint8Array | string,
  source: string,
  staticKvmNodeMemoryMib: number,
  change: (cluster: RawSnapshot) => RawSnapshot = (cluster) => cluster,
): IallocatorCall {
  const document = openDocument(content, source);
  const request = document.record('request', REQUEST_DATA);
  const prepared = prepareSnapshot(change(readCluster(document)), { staticKvmNodeMemoryMib });
  return { ...prepared, request: readRequest(request, prepared.snapshot) };
}

function openDocument(content: Uint8Array | string, source: string): JsonRecord {
  const text = asText(content, source);
  const parsed = parseDocument(text, ORDERED_MEMBERS);
  const problem =
    'problem' in parsed ? parsed.problem : isObject(parsed.value) ? undefined : 'Unable to read JSObject';
  if (problem !== undefined) {
    const remedy = 'the file is not an iallocator document, or was cut off while it was written';
    throw new InputError(source, [{ problem: `Parsing input IAllocator message: ${problem}`, remedy }]);
  }
  return asRecord(source, (parsed as { value: never }).value, undefined, 'invalid iallocator message');
}

function readRequest(request: JsonRecord, snapshot: Snapshot): IallocatorRequest {
  const type = request.string('type');
  switch (type) {
    case 'allocate': {
      const name = request.nameText('name');
      const groupName = groupNameOf(request);
      const optional = request.anonymous();
      const restrictToNodes = request.has('restrict-to-nodes')
        ? optional.strings('restrict-to-nodes')
        : undefined;
      return { type, wanted: readWanted(request, name, groupName, snapshot), restrictToNodes };
    }
    case 'allocate-secondary':
      return { type, instance: findByFullName(request, snapshot) };
    case 'relocate': {
      const instance = findByFullName(request, snapshot);
      const requiredNodes = request.intIn('required_nodes', FREE_COUNT);
      return {
        type,
        instance,
        requiredNodes,
        relocateFrom: findAll(request, 'relocate_from', snapshot.nodes),
      };
    }
    case 'node-evacuate': {
      const instances = findAll(request, 'instances', snapshot.instances);
      const mode = request.word('evac_mode', 'EvacMode', EVACUATION_MODES);
      const isAllowed = request.object.allow_intergroup === true;
      return { type, instances, mode, ...(isAllowed && { allowIntergroup: true }) };
    }
    case 'change-group': {
      const instances = findAll(request, 'instances', snapshot.instances);
      const groups = snapshot.groups.map((group) => ({ name: group.name, alias: group.uuid }));
      return { type, instances, targetGroups: findAll(request, 'target_groups', groups) };
    }
    case 'multi-allocate':
      return { type, wanted: readAllWanted(request, snapshot) };
    default:
      throw jsonFault(
        request.source,
        `Invalid request type '${type}'`,
        'type',
        type,
        'give allocate, allocate-secondary, relocate, node-evacuate, change-group or multi-allocate',
      );
  }
}

const groupNameOf = (request: JsonRecord): string | undefined =>
  request.anonymous().optionalString('group_name');

function readAllWanted(request: JsonRecord, snapshot: Snapshot): NewInstance[] {
  const groupName = groupNameOf(request);
  const records = request.list('instances').map((item) => {
    if (!isObject(item)) throw request.notA('JSObject', 'instances', item);
    return new JsonRecord(request.source, item, REQUEST_DATA);
  });
  return records.map((record) => readWanted(record, record.nameText('name'), groupName, snapshot));
}

function readWanted(
  record: JsonRecord,
  name: string,
  groupName: string | undefined,
  snapshot: Snapshot,
): NewInstance {
  const requiredNodes = record.intIn('required_nodes', FREE_COUNT);
  const read = readInstance(name, new JsonRecord(record.source, record.object, INSTANCE_DATA, name), -1);
  return { instance: asNewInstance(read, snapshot.tags), requiredNodes, groupName };
}

function findByFullName(request: JsonRecord, snapshot: Snapshot): number {
  const name = request.string('name');
  // The last one of a name, should it be there twice.
  const position = snapshot.instances.findLastIndex((instance) => instance.name === name);
  if (position < 0)
    throw jsonFault(request.source, `Unknown instance '${name}'`, 'name', name, 'give its full name');
  return position;
}

interface Named {
  readonly name: string;
  readonly alias: string;
}

/** Positions of the named items; each name, or short name, must mean exactly one of them. */
function findAll(request: JsonRecord, key: string, items: readonly Named[]): number[] {
  const names = request.strings(key);
  const positions = new Map<string, number>();
  const ambiguous = new Set<string>();
  const note = (name: string, position: number): void => {
    const known = positions.get(name);
    if (known === undefined) positions.set(name, position);
    else if (known !== position) ambiguous.add(name);
  };
  items.forEach((item, position) => {
    note(item.name, position);
    note(item.alias, position);
  });
  return names.map((name) => {
    const position = ambiguous.has(name) ? undefined : positions.get(name);
    if (position !== undefined) return position;
    const problem = `Wrong number of elems found with name ${name}`;
    throw jsonFault(request.source, problem, key, name, 'give the full name of one that is there');
  });
}
