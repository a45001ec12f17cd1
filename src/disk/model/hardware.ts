/** The hardware record of a node: its disks, and whatever else expressions may want to know. */
import { characterFault } from '../../kit/name-faults.ts';
import { printable } from '../../kit/printable.ts';
import type { FilePosition, Member, Tree } from '../../kit/yaml/document.ts';
import type { Plain, Value } from '../expressions/index.ts';
import type { Problems } from './problems.ts';
import { plainOfTree, textOfTree, valueOfTree } from './tree-values.ts';

export interface Disk {
  readonly id: string;
  /** In the unit of the file, MiB by custom; a whole number. */
  readonly size: number;
  /** All members of the record, `id` and `size` among them. */
  readonly attributes: Readonly<Record<string, Plain>>;
}

export interface Hardware {
  /** What the node is called; undefined where nothing names it. */
  readonly node: string | undefined;
  /** The whole record, as expressions see it. */
  readonly record: Value;
  /** In the order of the record, which is the order in which they are filled. */
  readonly disks: readonly Disk[];
}

/** Members that may name the node, the first one wins. */
const NAMES = ['node', 'name', 'hostname', 'id'] as const;
const EXAMPLE = 'write disks: [{id: sda, size: 100000}]';
/** Beyond any disk, and such that sums over all disks of a node are exact. */
export const MAX_SIZE = 2 ** 43;
const MAX_DISKS = 1000;

/**
 * The nodes that a file describes: a mapping with `disks`, one below `hw_info`, a list of such mappings, or
 * one below `nodes`.
 * @returns what could be read; where something could not, `problems` has it.
 */
export function readHardware(trees: readonly Tree[], problems: Problems): readonly Hardware[] {
  if (trees.length === 0)
    problems.add({ line: 1, column: 1 }, { problem: 'the file is empty', remedy: EXAMPLE });
  return trees.flatMap((tree) => recordsOf(tree)).flatMap((tree) => hardwareOf(tree, problems) ?? []);
}

function recordsOf(tree: Tree): readonly Tree[] {
  if (tree.kind === 'list') return tree.items.flatMap(recordsOf);
  if (tree.kind !== 'map' || tree.members.has('disks')) return [tree];
  const inner = tree.members.get('hw_info') ?? tree.members.get('nodes');
  return inner ? recordsOf(inner.value) : [tree];
}

function hardwareOf(tree: Tree, problems: Problems): Hardware | undefined {
  const members = tree.kind === 'map' ? tree.members : undefined;
  const disks = members?.get('disks');
  if (!members || !disks) {
    const problem = members ? 'the hardware record has no disks' : 'this is not a hardware record';
    problems.add(tree.place, {
      field: members && 'disks',
      value: members ? undefined : textOfTree(tree),
      problem,
      remedy: EXAMPLE,
    });
    return undefined;
  }
  if (disks.value.kind !== 'list') {
    const isMissing = disks.value.kind === 'scalar' && disks.value.value === null;
    if (!isMissing) {
      problems.add(disks.value.place, {
        field: 'disks',
        value: textOfTree(disks.value),
        problem: 'is not a list',
        remedy: EXAMPLE,
      });
      return undefined;
    }
  }
  const items = disks.value.kind === 'list' ? disks.value.items : [];
  if (items.length > MAX_DISKS) {
    problems.add(disks.place, { field: 'disks', problem: `has more than ${MAX_DISKS} disks` });
    return undefined;
  }
  const read = items.map((item, at) => diskOf(item, at, problems));
  refuseTwins(read, problems);
  return {
    node: nameOf(members, problems),
    record: valueOfTree(tree),
    disks: read.flatMap((one) => (one ? [one.disk] : [])),
  };
}

function nameOf(members: ReadonlyMap<string, Member>, problems: Problems): string | undefined {
  for (const name of NAMES) {
    const tree = members.get(name)?.value;
    const id = identifierOf(tree);
    if (id === undefined) continue;
    checkCharacters(id, tree!.place, name, problems);
    return id;
  }
  return undefined;
}

interface ReadDisk {
  readonly disk: Disk;
  readonly tree: Tree;
}

function diskOf(tree: Tree, at: number, problems: Problems): ReadDisk | undefined {
  const field = `disks[${at}]`;
  if (tree.kind !== 'map') {
    problems.add(tree.place, {
      field,
      value: textOfTree(tree),
      problem: 'a disk is a mapping with id and size',
      remedy: EXAMPLE,
    });
    return undefined;
  }
  const id = identifierOf(tree.members.get('id')?.value);
  if (id === undefined)
    problems.add(tree.place, {
      field: `${field}.id`,
      problem: 'the disk has no id',
      remedy: 'write id: sda',
    });
  else checkCharacters(id, tree.members.get('id')!.value.place, `${field}.id`, problems);
  const size = sizeOf(tree, field, problems);
  if (id === undefined || size === undefined) return undefined;
  return { tree, disk: { id, size, attributes: plainOfTree(tree) as Record<string, Plain> } };
}

function sizeOf(tree: Tree & { kind: 'map' }, field: string, problems: Problems): number | undefined {
  const member = tree.members.get('size');
  const value = member?.value.kind === 'scalar' ? member.value.value : undefined;
  if (typeof value === 'bigint' && value >= 0n && value <= MAX_SIZE) return Number(value);
  // 1.0e5 is a whole number, too.
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_SIZE) return value;
  const problem = member ? 'is not a size' : 'the disk has no size';
  problems.add(member?.value.place ?? tree.place, {
    field: `${field}.size`,
    value: member && textOfTree(member.value),
    problem,
    remedy: `write a whole number from 0 to ${MAX_SIZE}, in MiB and without a unit`,
  });
  return undefined;
}

function refuseTwins(disks: readonly (ReadDisk | undefined)[], problems: Problems): void {
  const seen = new Set<string>();
  for (const [at, one] of disks.entries()) {
    if (!one) continue;
    if (seen.has(one.disk.id))
      problems.add(one.tree.place, {
        field: `disks[${at}].id`,
        value: one.disk.id,
        problem: 'another disk has this id',
      });
    seen.add(one.disk.id);
  }
}

/** What is wrong with the characters of an id, which tables show. @returns whether it is sound. */
export function checkCharacters(id: string, place: FilePosition, field: string, problems: Problems): boolean {
  const fault = characterFault(id);
  if (fault)
    problems.add(place, { field, value: printable(id), problem: fault.problem, remedy: fault.remedy });
  return fault === undefined;
}

/** An id: a text that is not empty, or a whole number. */
export function identifierOf(tree: Tree | undefined): string | undefined {
  if (tree?.kind !== 'scalar') return undefined;
  if (typeof tree.value === 'bigint') return tree.value.toString();
  return typeof tree.value === 'string' && tree.value !== '' ? tree.value : undefined;
}
