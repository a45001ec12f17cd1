/** The hardware record of a node: its disks, and whatever else expressions may want to know. */
import { characterFault } from '../../kit/name-faults.ts';
import { printable } from '../../kit/printable.ts';
import type { FilePosition, Member, Tree } from '../../kit/yaml/document.ts';
import type { Plain, Value } from '../expressions/index.ts';
import type { Problems } from './problems.ts';
import { identifierOf, plainOfTree, sizeIn, textOfTree, valueOfTree } from './tree-values.ts';

export interface Disk {
  readonly id: string;
  /** In the unit of the file, MiB by custom; a whole number. */
  readonly size: number;
  /** All members of the record, `id` and `size` among them. */
  readonly attributes: Readonly<Record<string, Plain>>;
}

export interface Hardware {
  /** What the node is called. */
  readonly node: string;
  /** The whole record, as expressions see it. */
  readonly record: Value;
  /** In the order of the record, which is the order in which they are filled. */
  readonly disks: readonly Disk[];
}

/** Members that may name the node, the first one wins. */
const NAMES = ['node', 'name', 'hostname', 'id'] as const;
const EXAMPLE = 'write disks: [{id: sda, size: 100000}]';
/** Beyond any disk in MiB, and such that layouts are exact; sizes of disks in bytes are mostly beyond it. */
export const MAX_SIZE = 2 ** 36;
const MAX_DISKS = 1000;

/**
 * A mapping with `disks`, one in `hw_info`, a list of such, or one in `nodes`; `problems` has the rest.
 * @param base what nodes without a name of their own are called, with their place where there are several
 */
export function readHardware(trees: readonly Tree[], base: string, problems: Problems): readonly Hardware[] {
  if (trees.length === 0) problems.addEmpty(EXAMPLE);
  const records = trees.flatMap(recordsOf);
  const nameAt = (at: number): string => (records.length > 1 ? `${base}[${at}]` : base);
  return records.flatMap((tree, at) => hardwareOf(tree, nameAt(at), problems) ?? []);
}

function recordsOf(tree: Tree): readonly Tree[] {
  if (tree.kind === 'list') return tree.items.flatMap(recordsOf);
  if (tree.kind !== 'map' || tree.members.has('disks')) return [tree];
  const inner = tree.members.get('hw_info') ?? tree.members.get('nodes');
  return inner ? recordsOf(inner.value) : [tree];
}

function hardwareOf(tree: Tree, otherwise: string, problems: Problems): Hardware | undefined {
  const members = tree.kind === 'map' ? tree.members : undefined;
  const member = members?.get('disks');
  if (!members || !member) {
    const problem = members ? 'the hardware record has no disks' : 'this is not a hardware record';
    return problems.add(tree.place, {
      field: members && 'disks',
      value: members ? undefined : textOfTree(tree),
      problem,
      remedy: EXAMPLE,
    });
  }
  const isNone = member.value.kind === 'scalar' && member.value.value === null;
  if (member.value.kind !== 'list' && !isNone) {
    const value = textOfTree(member.value);
    const problem = 'is not a list';
    return problems.add(member.value.place, { field: 'disks', value, problem, remedy: EXAMPLE });
  }
  const items = member.value.kind === 'list' ? member.value.items : [];
  if (items.length > MAX_DISKS)
    return problems.add(member.place, { field: 'disks', problem: `has more than ${MAX_DISKS} disks` });
  const read = items.map((item, at) => diskOf(item, at, problems));
  const ids = read.map((disk) => disk?.id);
  for (const [at, value] of ids.entries())
    if (value !== undefined && ids.indexOf(value) < at)
      problems.add(items[at]!.place, {
        field: `disks[${at}].id`,
        value,
        problem: 'another disk has this id',
      });
  const disks = read.filter((disk) => disk !== undefined);
  return { node: nameOf(members, problems) ?? otherwise, record: valueOfTree(tree), disks };
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

function diskOf(tree: Tree, at: number, problems: Problems): Disk | undefined {
  const field = `disks[${at}]`;
  if (tree.kind !== 'map')
    return problems.add(tree.place, {
      field,
      value: textOfTree(tree),
      problem: 'a disk is a mapping with id and size',
      remedy: EXAMPLE,
    });
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
  return { id, size, attributes: plainOfTree(tree) as Record<string, Plain> };
}

function sizeOf(tree: Tree & { kind: 'map' }, field: string, problems: Problems): number | undefined {
  const member = tree.members.get('size');
  const size = sizeIn(member?.value);
  if (size !== undefined && size <= MAX_SIZE) return size;
  const problem = member ? 'is not a size' : 'the disk has no size';
  return problems.add(member?.value.place ?? tree.place, {
    field: `${field}.size`,
    value: member && textOfTree(member.value),
    problem,
    remedy: `write a whole number from 0 to ${MAX_SIZE}, in MiB and without a unit`,
  });
}

/** Says what is wrong with the characters of an id, which tables show. */
export function checkCharacters(id: string, place: FilePosition, field: string, problems: Problems): void {
  const fault = characterFault(id);
  if (fault)
    problems.add(place, { field, value: printable(id), problem: fault.problem, remedy: fault.remedy });
}
