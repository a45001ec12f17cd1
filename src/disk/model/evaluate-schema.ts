/** A schema for one node: expressions evaluated, everything checked, spaces told from containers. */
import type { FilePosition, Tree } from '../../kit/yaml/document.ts';
import type { Plain } from '../expressions/index.ts';
import { checkCharacters, type Disk, type Hardware } from './hardware.ts';
import { warnOfLikeFields } from './known-fields.ts';
import type { Problems } from './problems.ts';
import { type Rendered, render } from './rendered.ts';
import type { Schema } from './schema.ts';
import { SpaceReader } from './space-sizes.ts';
import { type Container, type Space, type Spaces, UNALLOCATED } from './spaces.ts';
import { shownPlain } from './tree-values.ts';

/** Types that hold others; whatever lists what it contains is one, too. */
const CONTAINER_TYPES: ReadonlySet<string> = new Set(['vg']);
/** Types that take as much as they get. */
const ELASTIC_TYPES: ReadonlySet<string> = new Set(['lv', 'partition', 'partitions']);

interface Entry {
  readonly place: FilePosition;
  readonly id: string;
  readonly type: string;
  readonly members: ReadonlyMap<string, Rendered>;
  readonly attributes: Readonly<Record<string, Plain>>;
}

/** @returns what could be made of it; not to be used when `problems` has found any. */
export function evaluateSchema(schema: Schema, hardware: Hardware, problems: Problems): Spaces {
  const entries = schema.entries.flatMap((tree) => entryOf(tree, schema, hardware, problems) ?? []);
  refuseTwins(entries, problems);
  const isContainer = ({ type, members }: Entry): boolean =>
    CONTAINER_TYPES.has(type) || members.has('contains');
  const spaces = entries
    .filter((entry) => !isContainer(entry))
    .map((entry) => spaceOf(entry, hardware.disks, problems));
  const containers = entries.filter(isContainer).map((entry) => containerOf(entry, problems));
  checkMembers(entries, containers, problems);
  return { spaces, containers };
}

function entryOf(
  tree: Tree & { kind: 'map' },
  schema: Schema,
  { record }: Hardware,
  problems: Problems,
): Entry | undefined {
  const idTree = tree.members.get('id')?.value;
  const idValue = idTree && render(idTree, 'id', schema, record, problems)?.value;
  const id = nameFrom(idValue);
  const name = id ?? 'space';
  const members = new Map<string, Rendered>();
  for (const [field, { value }] of tree.members) {
    if (field === 'id') members.set(field, { place: value.place, value: idValue ?? null });
    else {
      const rendered = render(value, `${name}.${field}`, schema, record, problems);
      if (rendered) members.set(field, rendered);
    }
  }
  const type = nameFrom(members.get('type')?.value);
  if (id === undefined)
    problems.add(tree.place, { field: 'id', problem: 'a space has no id', remedy: 'write id: root' });
  if (type === undefined && !isFailed(tree, members, 'type'))
    problems.add(tree.place, {
      field: `${name}.type`,
      problem: 'a space has no type',
      remedy: 'write type: lv, partition or vg',
    });
  if (id !== undefined) checkCharacters(id, idTree!.place, 'id', problems);
  if (id === UNALLOCATED)
    problems.add(tree.place, { field: 'id', value: id, problem: 'is reserved for what is left over' });
  if (id === undefined || type === undefined) return undefined;
  const attributes = Object.fromEntries([...members].map(([field, { value }]) => [field, value]));
  return { place: tree.place, id, type, members, attributes };
}

/** It is written, but its expression failed, which has been said. */
const isFailed = (
  tree: Tree & { kind: 'map' },
  members: ReadonlyMap<string, Rendered>,
  field: string,
): boolean => tree.members.has(field) && !members.has(field);

function nameFrom(value: Plain | undefined): string | undefined {
  if (typeof value === 'number' && Number.isInteger(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function refuseTwins(entries: readonly Entry[], problems: Problems): void {
  const seen = new Set<string>();
  for (const { id, members, place } of entries) {
    if (seen.has(id))
      problems.add(members.get('id')?.place ?? place, {
        field: 'id',
        value: id,
        problem: 'another space has this id',
      });
    seen.add(id);
  }
}

function spaceOf(
  { id, type, members, attributes, place }: Entry,
  disks: readonly Disk[],
  problems: Problems,
): Space {
  if (!ELASTIC_TYPES.has(type))
    problems.warn(
      members.get('type')?.place ?? place,
      `${id}: the type '${type}' is not known; it is laid out as a partition`,
    );
  warnOfLikeFields(id, members, problems);
  const numbers = new SpaceReader(id, members, problems).numbers();
  return {
    id,
    type,
    ...numbers,
    bestDisks: bestDisksOf(id, members.get('best_with_disks'), disks, problems),
    attributes,
  };
}

function bestDisksOf(
  space: string,
  best: Rendered | undefined,
  disks: readonly Disk[],
  problems: Problems,
): readonly number[] | undefined {
  if (!best || best.value === null) return undefined;
  const field = `${space}.best_with_disks`;
  if (!Array.isArray(best.value)) {
    problems.add(best.place, {
      field,
      value: shownPlain(best.value),
      problem: 'is not a list of disks',
      remedy: 'write [sda, sdb], or yaql=$.disks.where(...)',
    });
    return [];
  }
  const found = new Set<number>();
  for (const one of best.value as readonly Plain[]) {
    const id = nameFrom(memberOf(one, 'id') ?? one);
    const at = disks.findIndex((disk) => disk.id === id);
    if (id === undefined)
      problems.add(best.place, {
        field,
        value: shownPlain(one),
        problem: 'is neither a disk nor the id of one',
      });
    else if (at < 0) problems.warn(best.place, `${space}: the node has no disk '${id}' to be best with`);
    else found.add(at);
  }
  return [...found].sort((a, b) => a - b);
}

function memberOf(value: Plain, name: string): Plain | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  return (value as { readonly [name: string]: Plain })[name];
}

function containerOf({ id, type, members, attributes }: Entry, problems: Problems): Container {
  const contains = members.get('contains');
  for (const field of ['size', 'min_size', 'max_size', 'best_with_disks'] as const) {
    const place = members.get(field)?.place;
    if (place)
      problems.warn(place, `${id}: a container takes the room of what it contains; ${field} is ignored`);
  }
  const listed: Plain = contains?.value ?? [];
  if (!Array.isArray(listed)) {
    problems.add(contains!.place, {
      field: `${id}.contains`,
      value: shownPlain(listed),
      problem: 'is not a list',
      remedy: 'write [{id: root}, {id: swap}]',
    });
    return { id, type, members: [], attributes };
  }
  const names = (listed as readonly Plain[]).map((one) => {
    const name = nameFrom(memberOf(one, 'id') ?? one);
    if (name === undefined)
      problems.add(contains!.place, {
        field: `${id}.contains`,
        value: shownPlain(one),
        problem: 'is neither a space nor the id of one',
      });
    return name ?? '';
  });
  return { id, type, members: [...new Set(names)], attributes };
}

function checkMembers(entries: readonly Entry[], containers: readonly Container[], problems: Problems): void {
  const places = new Map(
    entries.map(({ id, members, place }) => [id, members.get('contains')?.place ?? place]),
  );
  const owners = new Map<string, string>();
  for (const { id, members } of containers) {
    const place = places.get(id)!;
    for (const member of members) {
      const owner = owners.get(member);
      if (owner !== undefined)
        problems.add(place, { field: `${id}.contains`, value: member, problem: `is in '${owner}' already` });
      else if (!places.has(member))
        problems.warn(place, `${id}: contains '${member}', and there is no such space`);
      owners.set(member, id);
    }
  }
}
