/**
 * Reads text snapshots (`-t`): five sections of `|`-separated lines. Source: htools(1) and the stock reader:
 * which last columns may be missing, what `?` means, which columns are ignored.
 */
import { ProblemList } from '../../../kit/files/problem-list.ts';
import { asText } from '../../../kit/files/utf8.ts';
import { kept } from '../../../kit/kept.ts';
import { characterFault } from '../../../kit/name-faults.ts';
import { shorten } from '../../../kit/printable.ts';
import { count } from '../../../kit/text/words.ts';
import { DEFAULT_POLICY } from '../../cluster/policy.ts';
import {
  type Group,
  type InstancePolicy,
  NO_NODE,
  type RawInstance,
  type RawNode,
  type RawSnapshot,
} from '../../cluster/snapshot.ts';
import type { ReadText } from '../parts/cluster-source.ts';
import {
  addColumnProblem,
  checkRow,
  GROUP,
  INSTANCE,
  NODE,
  nameColumns,
  POLICY,
  splitColumns,
} from './text-schema.ts';
import { SECTION_COUNT, type TextLine, textLines } from './text-sections.ts';
import { type StorageColumns, setInstancePools, setNodePools } from './text-storage.ts';
import { UnknownNames } from './unknown-names.ts';

type Kind = Parameters<typeof addColumnProblem>[1];

/** A node with one of these unknown is an offline node without anything. */
const SIZES = ['total_memory', 'node_memory', 'free_memory', 'total_disk', 'free_disk', 'total_cpus'];
const UNKNOWN = '?';

/**
 * Reads a whole snapshot; nothing derived is filled in: see prepare.ts.
 * @param content bytes or text
 * @param source what errors name: the file, or `-`
 * @throws InputError with every problem
 */
export const parseText = (content: Uint8Array | string, source: string): RawSnapshot =>
  readText(content, source).snapshot;

/** Like `parseText`, with the notes. */
export function readText(content: Uint8Array | string, source: string): ReadText {
  const text = asText(content, source);
  const problems = new ProblemList(source);
  const groups: Group[] = [];
  const nodes: RawNode[] = [];
  const instances: RawInstance[] = [];
  const tags: string[] = [];
  let policy: InstancePolicy = DEFAULT_POLICY;
  const groupByUuid = new Map<string, number>();
  const nodeByName = new Map<string, number>();
  /** Lines of groups, nodes and instances, by what they are and their names. */
  const lines = new Map<string, Map<string, number>>();
  const nodeStorage: StorageColumns[] = [];
  const instanceStorage: StorageColumns[] = [];
  const unknown = new UnknownNames();
  /** Instances with the name of an earlier one: how many, and a sentence about the first. */
  const doubled = { times: 0, first: '' };

  const complain = (kind: Kind, line: TextLine, field: string, message: string, remedy?: string): void => {
    addColumnProblem(problems, kind, line, field, message, remedy);
  };

  /** @param words of the stock programs, which logs are searched for; the name follows */
  const addUnknown = (kind: Kind, line: TextLine, field: string, words: string, section: string): void => {
    const fields = splitColumns(line);
    const [what, key] = section === 'first' ? ['group', 'uuid'] : ['node', 'name'];
    const remedy = `give a ${key} of the ${section} section`;
    const name = fields[kind.columns.indexOf(field)]!;
    if (!unknown.isFirst(what, name, line.number, remedy)) return;
    const message = `names no ${what} of this file: ${words} ${shorten(fields[0]!)}`;
    complain(kind, line, field, message, remedy);
  };

  /** The line that had the name before; undefined when this is the first. */
  const lineBefore = ({ item }: Kind, name: string, { number }: TextLine): number | undefined => {
    const known = kept(lines, item, () => new Map<string, number>());
    const first = known.get(name);
    if (first === undefined) known.set(name, number);
    return first;
  };

  const refuseDuplicate = (kind: Kind, name: string, line: TextLine): void => {
    const first = lineBefore(kind, name, line);
    if (first !== undefined)
      complain(kind, line, 'name', `is the name of line ${first} already`, 'remove or rename one');
  };

  const findNode = (field: string, name: string, line: TextLine): number => {
    const position = nodeByName.get(name);
    if (position !== undefined) return position;
    addUnknown(INSTANCE, line, field, `Unknown node '${shorten(name)}' for instance`, 'second');
    return NO_NODE;
  };

  const readGroup = (line: TextLine, fields: readonly string[]): void => {
    const texts = nameColumns(GROUP, fields, line, problems);
    // Known even when its line is wrong: one fault must not be reported again by each node of the group.
    const index = groups.length;
    if (!texts) {
      groupByUuid.set(fields[1] ?? '', index);
      return;
    }
    refuseDuplicate(GROUP, texts.name!, line);
    if (groupByUuid.has(texts.uuid!))
      complain(GROUP, line, 'uuid', 'is used by an earlier group', 'give each its own');
    groupByUuid.set(texts.uuid!, index);
    const row = checkRow(GROUP, texts, line, problems);
    groups.push({
      index,
      name: texts.name!,
      uuid: texts.uuid!,
      allocPolicy: row?.alloc_policy ?? 'preferred',
      tags: row?.tags ?? [],
      networks: row?.networks ?? [],
      policy: DEFAULT_POLICY,
    });
  };

  const readNode = (line: TextLine, fields: readonly string[]): void => {
    const texts = nameColumns(NODE, fields, line, problems);
    const index = nodes.length;
    nodeByName.set(fields[0]!, index);
    if (!texts) {
      nodes.push(unknownNode(index, fields[0]!, 0));
      return;
    }
    refuseDuplicate(NODE, texts.name!, line);
    const group = groupByUuid.get(texts.group!);
    if (group === undefined)
      addUnknown(NODE, line, 'group', `Unknown group '${shorten(texts.group!)}' for node`, 'first');
    const pools = fields[NODE.columns.length];
    if (pools) nodeStorage.push({ position: index, texts: pools.split(','), line });
    if (SIZES.some((size) => texts[size] === UNKNOWN)) {
      nodes.push(unknownNode(index, texts.name!, group ?? 0));
      return;
    }
    const row = checkRow(NODE, texts, line, problems);
    nodes.push({
      ...unknownNode(index, texts.name!, group ?? 0),
      ...(row && {
        totalMemMib: row.total_memory,
        nodeMemMib: row.node_memory,
        freeMemMib: row.free_memory,
        totalDiskMib: row.total_disk,
        freeDiskMib: row.free_disk,
        totalCpus: row.total_cpus,
        nodeCpus: row.node_cpus,
        cpuSpeed: row.cpu_speed,
        spindles: row.spindles,
        freeSpindles: row.free_spindles,
        hasExclusiveStorage: row.exclusive_storage,
        isOffline: row.state === 'Y',
        isMaster: row.state === 'M',
        tags: row.tags,
      }),
    });
  };

  const readInstance = (line: TextLine, fields: readonly string[]): void => {
    const texts = nameColumns(INSTANCE, fields, line, problems);
    if (!texts) return;
    const first = lineBefore(INSTANCE, texts.name!, line);
    // Nothing in the file refers to instances by name: both count.
    if (first !== undefined && doubled.times++ === 0)
      doubled.first = `line ${line.number} has the name of line ${first} (${shorten(texts.name!)})`;
    const primary = findNode('primary', texts.primary!, line);
    const secondary = texts.secondary === '' ? NO_NODE : findNode('secondary', texts.secondary!, line);
    const row = checkRow(INSTANCE, texts, line, problems);
    if (!row) return;
    if (primary === secondary && primary !== NO_NODE)
      complain(INSTANCE, line, 'secondary', 'is the primary as well', 'give another secondary, or none');
    const index = instances.length;
    const storage = fields.slice(INSTANCE.columns.length);
    if (storage[0] || storage[1]) instanceStorage.push({ position: index, texts: storage, line });
    instances.push({
      index,
      name: row.name,
      memMib: row.memory,
      diskMib: row.disk,
      disks: [{ sizeMib: row.disk, spindles: row.spindles }],
      vcpus: row.vcpus,
      status: row.status,
      isAutoBalanced: row.auto_balance,
      primary,
      secondary,
      diskTemplate: row.disk_template,
      spindleUse: row.spindle_use,
      tags: row.tags,
      nics: [],
      isForthcoming: row.forthcoming,
    });
  };

  const readTag = ({ number, text }: TextLine): void => {
    const fault = characterFault(text);
    if (fault) problems.add({ line: number, value: text, ...fault, problem: `cluster tag ${fault.problem}` });
    tags.push(text);
  };

  const readPolicy = (line: TextLine, fields: readonly string[]): void => {
    const texts = nameColumns(POLICY, fields, line, problems);
    const row = texts && checkRow(POLICY, texts, line, problems);
    if (!row) return;
    const read: InstancePolicy = {
      ranges: row.ranges,
      standard: row.standard,
      diskTemplates: row.disk_templates,
      vcpuRatio: row.vcpu_ratio,
      spindleRatio: row.spindle_ratio,
    };
    if (row.owner === '') {
      policy = read;
      return;
    }
    const group =
      groups.find(({ name }) => name === row.owner) ?? groups.find(({ uuid }) => uuid === row.owner);
    if (group) groups[group.index] = { ...group, policy: read };
    else complain(POLICY, line, 'owner', 'names no group of this file');
  };

  /**
   * By section: what reads its lines, what these are, and how many columns are read. Behind a node's stand
   * its pools, behind an instance's its storage type and pool; what is behind all is somebody else's, or
   * wrong.
   */
  const sections = [
    { read: readGroup, item: GROUP.item, columns: GROUP.columns.length, tooLong: 0 },
    { read: readNode, item: NODE.item, columns: NODE.columns.length + 1, tooLong: 0 },
    { read: readInstance, item: INSTANCE.item, columns: INSTANCE.columns.length + 2, tooLong: 0 },
    { read: readTag, item: 'tag', columns: Number.POSITIVE_INFINITY, tooLong: 0 },
    { read: readPolicy, item: POLICY.item, columns: POLICY.columns.length, tooLong: 0 },
  ];
  const behind: string[] = [];
  for (const line of textLines(text, source)) {
    const section = sections[line.section];
    if (!section) {
      behind.push(
        `${source}: nothing is read from line ${line.number} on, behind its ${SECTION_COUNT} sections`,
      );
      continue;
    }
    const fields = splitColumns(line);
    section.read(line, fields);
    if (fields.length > section.columns) section.tooLong++;
  }
  setNodePools(nodes, nodeStorage, problems);
  setInstancePools(instances, instanceStorage, problems);
  unknown.addRest(problems);
  problems.throwIfAny();
  const snapshot = { groups, nodes, instances, tags, policy };
  const extra = sections.flatMap(({ item, columns, tooLong }) => {
    if (tooLong === 0) return [];
    const have = count(tooLong, `${item} line has`, `${item} lines have`);
    return [`${source}: ${have} more than ${columns} columns; the rest is not read`];
  });
  const occur = count(doubled.times, 'instance has a name that occurs', 'instances have names that occur');
  const twice = `${source}: ${occur} twice (${doubled.first}): a command that names one can mean either`;
  const odd = doubled.times > 0 ? [twice] : [];
  return { snapshot, notes: [...behind, ...cutOffNotes(text, source, snapshot), ...odd, ...extra] };
}

/** What shows that the end of a file is missing, though what is there can be read. */
function cutOffNotes(text: string, source: string, { policy, tags }: RawSnapshot): string[] {
  if (!text.endsWith('\n')) return [`the last line of ${source} has no end: the file may be cut off`];
  // Files without an empty line for the cluster's tags have policies there: nothing is missing at the end.
  const hasPoliciesAsTags = tags.some((tag) => tag.includes('|'));
  return policy === DEFAULT_POLICY && !hasPoliciesAsTags
    ? [`${source} has no instance policies (section 5), so the default ones apply: the file may be cut off`]
    : [];
}

const unknownNode = (index: number, name: string, group: number): RawNode => ({
  index,
  name,
  group,
  totalMemMib: 0,
  nodeMemMib: 0,
  freeMemMib: 0,
  totalDiskMib: 0,
  freeDiskMib: 0,
  totalCpus: 0,
  nodeCpus: 0,
  cpuSpeed: 1,
  spindles: 0,
  freeSpindles: 0,
  hasExclusiveStorage: false,
  isOffline: true,
  isMaster: false,
  tags: [],
});
