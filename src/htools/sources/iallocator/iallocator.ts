/** Documents for hail and `-I`. Source: ganeti(7), iallocator; faults in the stock programs' words. */
import { InputError } from '../../../kit/faults.ts';
import { ProblemList } from '../../../kit/files/problem-list.ts';
import { asText } from '../../../kit/files/utf8.ts';
import { parseDocument } from '../../../kit/json/json-document.ts';
import { JsonRecord } from '../../../kit/json/json-record.ts';
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

/** The cluster of a document; its request is not looked at. @throws InputError with all that is wrong */
export function parseIallocatorCluster(content: Uint8Array | string, source: string): RawSnapshot {
  const document = openDocument(content, source);
  const cluster = readCluster(document);
  document.problems.throwIfAny();
  return cluster;
}

/**
 * The request of a document and its cluster, prepared for searching.
 * @param staticKvmNodeMemoryMib memory of a KVM node's own system; 0 keeps what the nodes report.
 * @param change what is supposed of the cluster; the request is about the changed one
 * @throws InputError with all that is wrong
 */
export function parseIallocatorRequest(
  content: Uint8Array | string,
  source: string,
  staticKvmNodeMemoryMib: number,
  change?: (cluster: RawSnapshot) => RawSnapshot,
): IallocatorCall {
  const document = openDocument(content, source);
  const request = document.record('request', REQUEST_DATA);
  const cluster = readCluster(document);
  if (change) document.problems.throwIfAny();
  const prepared = prepareSnapshot(change ? change(cluster) : cluster, { staticKvmNodeMemoryMib });
  const read = readRequest(request, prepared.snapshot);
  document.problems.throwIfAny();
  return { ...prepared, request: read! };
}

function openDocument(content: Uint8Array | string, source: string): JsonRecord {
  const parsed = parseDocument(asText(content, source), ORDERED_MEMBERS);
  if ('value' in parsed && isObject(parsed.value))
    return new JsonRecord(new ProblemList(source), parsed.value, 'invalid iallocator message');
  const reason = 'problem' in parsed ? parsed.problem : 'Unable to read JSObject';
  const remedy = 'the file is not an iallocator document, or was cut off while it was written';
  throw new InputError(source, [{ problem: `Parsing input IAllocator message: ${reason}`, remedy }]);
}

/** @returns undefined for one of no type, which is then told */
function readRequest(request: JsonRecord, snapshot: Snapshot): IallocatorRequest | undefined {
  const type = request.text('type');
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
      if (type !== undefined)
        request.complain(
          `Invalid request type '${type}'`,
          'type',
          type,
          'give allocate, allocate-secondary, relocate, node-evacuate, change-group or multi-allocate',
        );
      return undefined;
  }
}

const groupNameOf = (request: JsonRecord): string | undefined =>
  request.anonymous().optionalString('group_name');

function readAllWanted(request: JsonRecord, snapshot: Snapshot): NewInstance[] {
  const groupName = groupNameOf(request);
  return request.list('instances').flatMap((item) => {
    if (!isObject(item)) return request.notA('JSObject', 'instances', item, []);
    const record = new JsonRecord(request.problems, item, REQUEST_DATA);
    return readWanted(record, record.nameText('name'), groupName, snapshot);
  });
}

function readWanted(
  record: JsonRecord,
  name: string,
  groupName: string | undefined,
  snapshot: Snapshot,
): NewInstance {
  const requiredNodes = record.intIn('required_nodes', FREE_COUNT);
  const read = readInstance(name, new JsonRecord(record.problems, record.object, INSTANCE_DATA, name), -1);
  return { instance: asNewInstance(read, snapshot.tags), requiredNodes, groupName };
}

function findByFullName(request: JsonRecord, snapshot: Snapshot): number {
  const name = request.text('name');
  // The last one of a name, should it be there twice.
  const position = snapshot.instances.findLastIndex((instance) => instance.name === name);
  if (position < 0 && name !== undefined)
    request.complain(`Unknown instance '${name}'`, 'name', name, 'give its full name');
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
  return names.flatMap((name) => {
    const position = ambiguous.has(name) ? undefined : positions.get(name);
    if (position !== undefined) return position;
    const problem = `Wrong number of elems found with name ${name}`;
    request.complain(problem, key, name, 'give the full name of one that is there');
    return [];
  });
}
