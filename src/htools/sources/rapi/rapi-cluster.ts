/** The answers of a RAPI server as a snapshot. Pure. Source: the stock reader. */
import { InputError } from '../../../kit/faults.ts';
import { parseDocument } from '../../../kit/json/json-document.ts';
import { asRecord, JsonRecord, jsonFault } from '../../../kit/json/json-record.ts';
import type { JsonValue } from '../../../kit/json/json-value.ts';
import { COUNT, MIB } from '../../../kit/ranges.ts';
import type { RawSnapshot } from '../../cluster/snapshot.ts';
import { assembleCluster, groupOf } from '../live/assemble.ts';
import { liveGroup, liveInstance, liveNetwork, liveNode, SILENT_REMEDY } from '../live/build.ts';

export interface RapiAnswers {
  readonly groups: string;
  readonly nodes: string;
  readonly instances: string;
  readonly info: string;
  /** Undefined where nobody has saved it. */
  readonly networks?: string | undefined;
}

/** Nothing derived is filled in. @param source the address @throws InputError with what is wrong */
export function rapiCluster(answers: RapiAnswers, source: string): RawSnapshot {
  const list = (what: 'group' | 'node' | 'instance' | 'network', text = '[]'): readonly JsonValue[] => {
    const value = parse(`${what}s`, text, `Parsing ${what} data`, source);
    if (Array.isArray(value)) return value;
    throw jsonFault(source, `Parsing ${what} data: no list`, `${what}s`, value, NO_ANSWER);
  };
  return assembleCluster<JsonValue>({
    source,
    groups: list('group', answers.groups),
    nodes: list('node', answers.nodes),
    instances: list('instance', answers.instances),
    networks: list('network', answers.networks),
    cluster: asRecord(
      source,
      parse('info', answers.info, 'Parsing cluster info', source),
      'info',
      'Parsing cluster data',
    ),
    group: (value, index) => {
      const { name, record } = named(source, value, 'Group', '');
      return liveGroup(record, name, index);
    },
    network: (value) => liveNetwork(named(source, value, 'Network', WHILE_PARSING).record),
    node: (value, index, groupByUuid) => {
      const { name, record } = named(source, value, 'Node', WHILE_PARSING);
      const parameters = record.record('ndparams', `${record.prefix}key 'ndparams'`);
      const isVmCapable = record.has('vm_capable') ? record.boolean('vm_capable') : true;
      const isAsked = isVmCapable && record.value('offline') === false;
      if (isAsked && record.value('mtotal') === null) throw silent(record);
      return liveNode(record, name, index, groupOf(record, name, record.string('group.uuid'), groupByUuid), {
        isVmCapable,
        hasExclusiveStorage: parameters.boolean('exclusive_storage'),
        statedSpindles: () => parameters.intIn('spindle_count', COUNT),
        cpuSpeed: 1,
      });
    },
    instance: (value, index, nodeByName) => {
      const { name, record } = named(source, value, 'Instance', WHILE_PARSING);
      const parameters = record.record('beparams', `${record.prefix}key 'beparams'`);
      return liveInstance(record, name, index, nodeByName, {
        memMib: memoryOf(record, parameters),
        vcpus: parameters.intIn('vcpus', COUNT),
        isAutoBalanced: parameters.boolean('auto_balance'),
        spindleUse: parameters.intIn('spindle_use', COUNT),
        isForthcoming: record.has('forthcoming') ? record.boolean('forthcoming') : false,
      });
    },
  });
}

/** The server says nothing where the node is silent; the words are the stock programs'. */
const silent = (record: JsonRecord): InputError =>
  new InputError(record.source, [
    { problem: `${record.prefix}key 'mtotal': Unable to read Double`, remedy: SILENT_REMEDY },
  ]);

const WHILE_PARSING = ', error while parsing data';

const NO_ANSWER = 'this is no answer of RAPI, or it was cut off';

/** @param resource whose answer it is */
function parse(resource: string, text: string, what: string, source: string): JsonValue {
  const document = parseDocument(text, []);
  if ('value' in document) return document.value;
  throw jsonFault(source, `${what}: ${document.problem}`, resource, undefined, NO_ANSWER);
}

function named(
  source: string,
  value: JsonValue,
  kind: string,
  ending: string,
): { name: string; record: JsonRecord } {
  const what = kind.toLowerCase();
  const bare = asRecord(source, value, `${what}s`, `Parsing new ${what}`);
  const name = bare.nameText('name');
  return { name, record: new JsonRecord(source, bare.object, `${kind} '${name}'${ending}`) };
}

/** What the instance has now, while it runs; else what it is to have. */
function memoryOf(record: JsonRecord, parameters: JsonRecord): number {
  if (typeof record.value('oper_ram') === 'number') return record.intIn('oper_ram', MIB);
  return parameters.intIn(parameters.has('memory') ? 'memory' : 'maxmem', MIB);
}
