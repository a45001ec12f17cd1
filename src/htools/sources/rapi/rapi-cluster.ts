/** The answers of a RAPI server as a snapshot. Pure. Source: the stock reader. */
import { ProblemList } from '../../../kit/files/problem-list.ts';
import { parseDocument } from '../../../kit/json/json-document.ts';
import { addProblem, asRecord, JsonRecord } from '../../../kit/json/json-record.ts';
import type { JsonValue } from '../../../kit/json/json-value.ts';
import { COUNT, MIB } from '../../../kit/ranges.ts';
import type { RawSnapshot } from '../../cluster/snapshot.ts';
import {
  assembleCluster,
  type NamedRecord,
  type NodeParameters,
  SILENT_REMEDY,
  unreadRecord,
} from '../live/assemble.ts';

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
  const problems = new ProblemList(source);
  const list = (what: 'group' | 'node' | 'instance' | 'network', text = '[]'): NamedRecord[] => {
    const value = parse(problems, `${what}s`, text, `Parsing ${what} data`);
    if (Array.isArray(value)) return value.map((item) => named(problems, item, what));
    if (value !== undefined)
      addProblem(problems, `Parsing ${what} data: no list`, `${what}s`, value, NO_ANSWER);
    return [unreadRecord()];
  };
  return assembleCluster(problems, {
    groups: list('group', answers.groups),
    nodes: list('node', answers.nodes),
    instances: list('instance', answers.instances),
    networks: list('network', answers.networks),
    cluster: asRecord(
      problems,
      parse(problems, 'info', answers.info, 'Parsing cluster info'),
      'info',
      'Parsing cluster data',
    ),
    node: nodeParameters,
    instance: (record) => {
      const parameters = record.record('beparams', `${record.prefix}key 'beparams'`);
      return {
        memMib: memoryOf(record, parameters),
        vcpus: parameters.intIn('vcpus', COUNT),
        isAutoBalanced: parameters.boolean('auto_balance'),
        spindleUse: parameters.intIn('spindle_use', COUNT),
        isForthcoming: record.has('forthcoming') ? record.boolean('forthcoming') : false,
      };
    },
  });
}

function nodeParameters(record: JsonRecord): NodeParameters {
  const parameters = record.record('ndparams', `${record.prefix}key 'ndparams'`);
  const isVmCapable = record.has('vm_capable') ? record.boolean('vm_capable') : true;
  // The server says nothing where the node is silent; the words are the stock programs'.
  const isSilent = isVmCapable && record.object.offline === false && record.object.mtotal === null;
  if (isSilent)
    record.problems.add({
      problem: `${record.prefix}key 'mtotal': Unable to read Double`,
      remedy: SILENT_REMEDY,
    });
  return {
    isVmCapable: isVmCapable && !isSilent,
    hasExclusiveStorage: parameters.boolean('exclusive_storage'),
    statedSpindles: () => parameters.intIn('spindle_count', COUNT),
    cpuSpeed: 1,
  };
}

const NO_ANSWER = 'this is no answer of RAPI, or it was cut off';

/** @param resource whose answer it is @returns undefined for what is no JSON, which is then told */
function parse(problems: ProblemList, resource: string, text: string, what: string): JsonValue | undefined {
  const document = parseDocument(text, []);
  if ('value' in document) return document.value;
  addProblem(problems, `${what}: ${document.problem}`, resource, undefined, NO_ANSWER);
  return undefined;
}

function named(problems: ProblemList, value: JsonValue, what: string): NamedRecord {
  const bare = asRecord(problems, value, `${what}s`, `Parsing new ${what}`);
  const name = bare.nameText('name');
  if (name === '') return { name, record: bare };
  const owner = `${what[0]!.toUpperCase()}${what.slice(1)} '${name}'`;
  const ending = what === 'group' ? '' : ', error while parsing data';
  return { name, record: new JsonRecord(bare.problems, bare.object, `${owner}${ending}`) };
}

/** What the instance has now, while it runs; else what it is to have. */
function memoryOf(record: JsonRecord, parameters: JsonRecord): number {
  if (typeof record.value('oper_ram') === 'number') return record.intIn('oper_ram', MIB);
  return parameters.intIn(parameters.has('memory') ? 'memory' : 'maxmem', MIB);
}
