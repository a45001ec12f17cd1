/** Makes empty clusters from `--simulate` specs. Source: hspace(1); stock for names and numbers. */
import { InputError, type InputProblem } from '../../../kit/faults.ts';
import { MAX_COUNT, MAX_MIB } from '../../../kit/ranges.ts';
import { explainRefusedNumber, readInt, readsInt } from '../../../kit/text/numbers.ts';
import { parseSize } from '../../../kit/units.ts';
import { DEFAULT_POLICY } from '../../cluster/policy.ts';
import {
  ALLOC_POLICIES,
  type AllocPolicy,
  type Group,
  type RawNode,
  type RawSnapshot,
} from '../../cluster/snapshot.ts';

const SOURCE = '--simulate';
const MIN_FIELDS = 5;
const MAX_FIELDS = 7;
/** Of all groups together; far more than any cluster has, far less than memory holds. */
const MAX_NODES = 1_000_000;

/** `a` stands for last_resort, as in the stock programs. */
const ABBREVIATIONS: ReadonlyMap<string, AllocPolicy> = new Map([
  ['p', 'preferred'],
  ['a', 'last_resort'],
  ['u', 'unallocable'],
]);

/**
 * One group a spec: `policy,count,disk,memory,cpus[,spindles[,exclusive storage]]`. Groups and nodes are
 * numbered from 1.
 * @param specs in the order of the command line; the stock programs take the last one first, and so do we.
 * @throws InputError with every wrong field of every spec.
 */
export function simulateCluster(specs: readonly string[]): RawSnapshot {
  const problems: InputProblem[] = [];
  const read = [...specs].reverse().map((text) => readSpec(text, problems));
  const total = read.reduce((sum, spec) => sum + (spec?.nodeCount ?? 0), 0);
  if (total > MAX_NODES)
    problems.push({ problem: `${total} nodes are too many`, remedy: `ask for ${MAX_NODES} at most` });
  if (problems.length > 0) throw new InputError(SOURCE, problems);
  const groups: Group[] = [];
  const nodes: RawNode[] = [];
  for (const [position, spec] of read.entries()) {
    const index = position + 1;
    const padded = String(index).padStart(2, '0');
    groups.push({
      index,
      name: `group-${padded}`,
      uuid: `fake-uuid-${padded}`,
      allocPolicy: spec!.allocPolicy,
      tags: [],
      networks: [],
      policy: DEFAULT_POLICY,
    });
    for (let i = 1; i <= spec!.nodeCount; i++)
      nodes.push(simulatedNode(spec!.sizes, position, i, nodes.length + 1));
  }
  return { groups, nodes, instances: [], tags: [], policy: DEFAULT_POLICY };
}

type Sizes = Pick<RawNode, 'totalDiskMib' | 'totalMemMib' | 'totalCpus' | 'spindles' | 'hasExclusiveStorage'>;

function simulatedNode(sizes: Sizes, group: number, number: number, index: number): RawNode {
  const name = `node-${String(group + 1).padStart(2, '0')}-${String(number).padStart(3, '0')}`;
  return {
    index,
    name,
    group,
    ...sizes,
    nodeMemMib: 0,
    freeMemMib: sizes.totalMemMib,
    freeDiskMib: sizes.totalDiskMib,
    nodeCpus: 1,
    cpuSpeed: 1,
    freeSpindles: 0,
    isOffline: false,
    isMaster: group === 0 && number === 1,
    tags: [],
  };
}

function readSpec(text: string, problems: InputProblem[]) {
  const fields = text === '' ? [] : text.split(',');
  if (fields.length < MIN_FIELDS || fields.length > MAX_FIELDS) {
    problems.push({
      value: text,
      problem: `'${text}' has ${fields.length} fields instead of ${MIN_FIELDS} to ${MAX_FIELDS}`,
      remedy: 'write policy,count,disk,memory,cpus[,spindles[,exclusive storage]]',
    });
    return undefined;
  }
  const [policy = '', count = '', disk = '', memory = '', cpus = '', spindles = '1', exclusive = 'False'] =
    fields;
  const fail = (field: string, value: string, problem: string, remedy: string): void => {
    problems.push({ field, value, problem: `${field}: ${problem}`, remedy });
  };
  const whole = (field: string, value: string, max: number): number => {
    const read = readInt(value);
    const remedy = `give 0 to ${max}`;
    if (read === undefined) fail(field, value, explainRefusedNumber(value, readsInt), remedy);
    else if (read < 0 || read > max) fail(field, value, `'${value}' is out of range`, remedy);
    return read ?? 0;
  };
  const size = (field: string, value: string): number => {
    const read = parseSize(value);
    if ('problem' in read) fail(field, value, read.problem, 'give a whole number and a unit, as in 20g');
    else if (read.mib < 0 || read.mib > MAX_MIB)
      fail(field, value, `'${value}' is out of range`, `give 0 to ${MAX_MIB} MiB`);
    return 'mib' in read ? read.mib : 0;
  };
  const allocPolicy = ALLOC_POLICIES.find((known) => known === policy) ?? ABBREVIATIONS.get(policy);
  if (allocPolicy === undefined) {
    const problem = `'${policy}' is no allocation policy`;
    fail('allocation policy', policy, problem, `use one of ${ALLOC_POLICIES.join(', ')}, or p, a, u`);
  }
  const exclusiveText = exclusive.replace(/^[ (]*(True|False)[ )]*$/, '$1');
  if (exclusiveText !== 'True' && exclusiveText !== 'False') {
    fail('exclusive storage', exclusive, `cannot parse string '${exclusive}'`, 'write True or False');
  }
  const nodeCount = whole('node count', count, MAX_NODES);
  const sizes = {
    totalDiskMib: size('disk size', disk),
    totalMemMib: size('memory size', memory),
    totalCpus: whole('cpu count', cpus, MAX_COUNT),
    spindles: whole('spindles', spindles, MAX_COUNT),
    hasExclusiveStorage: exclusiveText === 'True',
  };
  return { allocPolicy: allocPolicy ?? 'preferred', nodeCount, sizes };
}
