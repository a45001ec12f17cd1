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
 * By section: what its lines are, and how many columns are read; none of cluster tags. Behind a node's stand
 * its pools, behind an instance's its storage type and pool; what is behind all is somebody else's, or wrong.
 */
const COLUMNS_READ: readonly (readonly [string, number] | undefined)[] = [
  [GROUP.item, GROUP.columns.length],
  [NODE.item, NODE.columns.length + 1],
  [INSTANCE.item, INSTANCE.columns.length + 2],
  undefined,
  [POLICY.item, POLICY.columns.length],
];

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
  const reader = new TextReader(source);
  const behind: string[] = [];
  const tooLong = COLUMNS_READ.map(() => 0);
  for (const line of textLines(text, source)) {
    if (line.section === SECTION_COUNT) {
      behind.push(
        `${source}: nothing is read from line ${line.number} on, behind its ${SECTION_COUNT} sections`,
      );
      continue;
    }
    const fields = splitColumns(line);
    reader.read(line, fields);
    const known = COLUMNS_READ[line.section];
    if (known && fields.length > known[1]) tooLong[line.section]!++;
  }
  const snapshot = reader.finish();
  const extra = COLUMNS_READ.flatMap((known, section) => {
    const lines = tooLong[section]!;
    if (!known || lines === 0) return [];
    const [item, columns] = known;
    const have = count(lines, `${item} line has`, `${item} lines have`);
    return [`${source}: ${have} more than ${columns} columns; the rest is not read`];
  });
  const notes = [...behind, ...cutOffNotes(text, source, snapshot), ...reader.notes(source), ...extra];
  return { snapshot, notes };
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

/** Holds what earlier sections gave, so that later ones can refer to it by name. */
class TextReader {
  private readonly problems: ProblemList;
  private readonly groups: Group[] = [];
  private readonly nodes: RawNode[] = [];
  private readonly instances: RawInstance[] = [];
  private readonly tags: string[] = [];
  private readonly groupByUuid = new Map<string, number>();
  private readonly nodeByName = new Map<string, number>();
  /** Lines of groups, nodes and instances, by what they are and their names. */
  private readonly lines = new Map<string, Map<string, number>>();
  private readonly nodeStorage: StorageColumns[] = [];
  private readonly instanceStorage: StorageColumns[] = [];
  private readonly unknown = new UnknownNames();
  /** Instances with the name of an earlier one: how many, and a sentence about the first. */
  private doubled = { times: 0, first: '' };
  private policy: InstancePolicy = DEFAULT_POLICY;

  constructor(source: string) {
    this.problems = new ProblemList(source);
  }

  read(line: TextLine, fields: readonly string[]): void {
    if (line.section === 0) this.readGroup(line, fields);
    else if (line.section === 1) this.readNode(line, fields);
    else if (line.section === 2) this.readInstance(line, fields);
    else if (line.section === 3) this.readTag(line);
    else this.readPolicy(line, fields);
  }

  finish(): RawSnapshot {
    setNodePools(this.nodes, this.nodeStorage, this.problems);
    setInstancePools(this.instances, this.instanceStorage, this.problems);
    this.unknown.addRest(this.problems);
    this.problems.throwIfAny();
    return {
      groups: this.groups,
      nodes: this.nodes,
      instances: this.instances,
      tags: this.tags,
      policy: this.policy,
    };
  }

  private readGroup(line: TextLine, fields: readonly string[]): void {
    const texts = nameColumns(GROUP, fields, line, this.problems);
    // Known even when its line is wrong: one fault must not be reported again by each node of the group.
    const index = this.groups.length;
    if (!texts) {
      this.groupByUuid.set(fields[1] ?? '', index);
      return;
    }
    this.refuseDuplicate(GROUP, texts.name!, line);
    if (this.groupByUuid.has(texts.uuid!))
      this.complain(GROUP, line, 'uuid', 'is used by an earlier group', 'give each its own');
    this.groupByUuid.set(texts.uuid!, index);
    const row = checkRow(GROUP, texts, line, this.problems);
    this.groups.push({
      index,
      name: texts.name!,
      uuid: texts.uuid!,
      allocPolicy: row?.alloc_policy ?? 'preferred',
      tags: row?.tags ?? [],
      networks: row?.networks ?? [],
      policy: DEFAULT_POLICY,
    });
  }

  private readNode(line: TextLine, fields: readonly string[]): void {
    const texts = nameColumns(NODE, fields, line, this.problems);
    const index = this.nodes.length;
    this.nodeByName.set(fields[0]!, index);
    if (!texts) {
      this.nodes.push(unknownNode(index, fields[0]!, 0));
      return;
    }
    this.refuseDuplicate(NODE, texts.name!, line);
    const group = this.groupByUuid.get(texts.group!);
    if (group === undefined)
      this.addUnknown(NODE, line, 'group', `Unknown group '${shorten(texts.group!)}' for node`, 'first');
    const pools = fields[NODE.columns.length];
    if (pools) this.nodeStorage.push({ position: index, texts: pools.split(','), line });
    if (SIZES.some((size) => texts[size] === UNKNOWN)) {
      this.nodes.push(unknownNode(index, texts.name!, group ?? 0));
      return;
    }
    const row = checkRow(NODE, texts, line, this.problems);
    this.nodes.push({
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
  }

  private readInstance(line: TextLine, fields: readonly string[]): void {
    const texts = nameColumns(INSTANCE, fields, line, this.problems);
    if (!texts) return;
    this.noteDuplicate(texts.name!, line);
    const primary = this.findNode('primary', texts.primary!, line);
    const secondary = texts.secondary === '' ? NO_NODE : this.findNode('secondary', texts.secondary!, line);
    const row = checkRow(INSTANCE, texts, line, this.problems);
    if (!row) return;
    if (primary === secondary && primary !== NO_NODE)
      this.complain(INSTANCE, line, 'secondary', 'is the primary as well', 'give another secondary, or none');
    const index = this.instances.length;
    const storage = fields.slice(INSTANCE.columns.length);
    if (storage[0] || storage[1]) this.instanceStorage.push({ position: index, texts: storage, line });
    this.instances.push({
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
  }

  private readTag({ number, text }: TextLine): void {
    const fault = characterFault(text);
    if (fault)
      this.problems.add({ line: number, value: text, ...fault, problem: `cluster tag ${fault.problem}` });
    this.tags.push(text);
  }

  private readPolicy(line: TextLine, fields: readonly string[]): void {
    const texts = nameColumns(POLICY, fields, line, this.problems);
    const row = texts && checkRow(POLICY, texts, line, this.problems);
    if (!row) return;
    const policy: InstancePolicy = {
      ranges: row.ranges,
      standard: row.standard,
      diskTemplates: row.disk_templates,
      vcpuRatio: row.vcpu_ratio,
      spindleRatio: row.spindle_ratio,
    };
    if (row.owner === '') {
      this.policy = policy;
      return;
    }
    const group =
      this.groups.find(({ name }) => name === row.owner) ??
      this.groups.find(({ uuid }) => uuid === row.owner);
    if (group) this.groups[group.index] = { ...group, policy };
    else this.complain(POLICY, line, 'owner', 'names no group of this file');
  }

  private findNode(field: string, name: string, line: TextLine): number {
    const position = this.nodeByName.get(name);
    if (position !== undefined) return position;
    this.addUnknown(INSTANCE, line, field, `Unknown node '${shorten(name)}' for instance`, 'second');
    return NO_NODE;
  }

  /** @param words of the stock programs, which logs are searched for; the name follows */
  private addUnknown(kind: Kind, line: TextLine, field: string, words: string, section: string): void {
    const fields = splitColumns(line);
    const [what, key] = section === 'first' ? ['group', 'uuid'] : ['node', 'name'];
    const remedy = `give a ${key} of the ${section} section`;
    const unknown = fields[kind.columns.indexOf(field)]!;
    if (!this.unknown.isFirst(what, unknown, line.number, remedy)) return;
    const message = `names no ${what} of this file: ${words} ${shorten(fields[0]!)}`;
    this.complain(kind, line, field, message, remedy);
  }

  private complain(kind: Kind, line: TextLine, field: string, message: string, remedy?: string): void {
    addColumnProblem(this.problems, kind, line, field, message, remedy);
  }

  /** The line that had the name before; undefined when this is the first. */
  private lineBefore({ item }: Kind, name: string, { number }: TextLine): number | undefined {
    const lines = kept(this.lines, item, () => new Map<string, number>());
    const first = lines.get(name);
    if (first === undefined) lines.set(name, number);
    return first;
  }

  private refuseDuplicate(kind: Kind, name: string, line: TextLine): void {
    const first = this.lineBefore(kind, name, line);
    if (first !== undefined)
      this.complain(kind, line, 'name', `is the name of line ${first} already`, 'remove or rename one');
  }

  /** Nothing in the file refers to instances by name: both count. */
  private noteDuplicate(name: string, line: TextLine): void {
    const first = this.lineBefore(INSTANCE, name, line);
    if (first !== undefined && this.doubled.times++ === 0)
      this.doubled.first = `line ${line.number} has the name of line ${first} (${shorten(name)})`;
  }

  /** What is odd and can be read all the same, in sentences. */
  notes(source: string): string[] {
    const { times, first } = this.doubled;
    if (times === 0) return [];
    const occur = count(times, 'instance has a name that occurs', 'instances have names that occur');
    return [`${source}: ${occur} twice (${first}): a command that names one can mean either`];
  }
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
