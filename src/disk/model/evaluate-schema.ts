/** A schema for one node: expressions evaluated, everything checked, spaces told from containers. */
import type { FilePosition, Tree } from '../../kit/yaml/document.ts';
import { ExpressionError, type Plain } from '../expressions/index.ts';
import { checkCharacters, type Hardware } from './hardware.ts';
import { type Field, warnOfLikeFields } from './known-fields.ts';
import type { Problems } from './problems.ts';
import { addExpressionProblem, type Schema } from './schema.ts';
import { numbersOf, type Rendered } from './space-sizes.ts';
import { type Container, type Space, type Spaces, UNALLOCATED } from './spaces.ts';
import { identifierIn, plainOfTree, shownPlain } from './tree-values.ts';

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
  const entries = schema.entries.flatMap((tree) => entryOf(tree) ?? []);
  refuseTwins();
  const isContainer = ({ type, members }: Entry): boolean =>
    CONTAINER_TYPES.has(type) || members.has('contains');
  const spaces = entries.filter((entry) => !isContainer(entry)).map(spaceOf);
  const containers = entries.filter(isContainer).map(containerOf);
  checkMembers();
  return { spaces, containers };

  function entryOf(tree: Tree & { kind: 'map' }): Entry | undefined {
    const idTree = tree.members.get('id')?.value;
    const ofId = idTree && rendered(idTree, 'id');
    const id = identifierIn(ofId?.value);
    const name = id ?? 'space';
    const members = new Map<string, Rendered>();
    for (const [field, { value }] of tree.members) {
      const own = field === 'id' ? ofId : rendered(value, `${name}.${field}`);
      if (own) members.set(field, own);
    }
    const type = identifierIn(members.get('type')?.value);
    if (id === undefined)
      problems.add(tree.place, { field: 'id', problem: 'a space has no id', remedy: 'write id: root' });
    // Where it is written and its expression failed, that has been said.
    if (type === undefined && tree.members.has('type') === members.has('type'))
      problems.add(tree.place, {
        field: `${name}.type`,
        problem: 'a space has no type',
        remedy: 'write type: lv, partition or vg',
      });
    if (id !== undefined) checkCharacters(id, idTree!.place, 'id', problems);
    if (id === UNALLOCATED)
      problems.add(tree.place, {
        field: 'id',
        value: id,
        problem: 'is reserved for what is left over',
        remedy: 'choose another id',
      });
    if (id === undefined || type === undefined) return undefined;
    const attributes = Object.fromEntries([...members].map(([field, { value }]) => [field, value]));
    return { place: tree.place, id, type, members, attributes };
  }

  /** With its expressions evaluated. @returns undefined when one failed, which is said */
  function rendered(tree: Tree, field: string): Rendered | undefined {
    let hasFailed = false;
    const walk = (one: Tree, name: string): Plain => {
      if (one.kind === 'list') return one.items.map((item, at) => walk(item, `${name}[${at}]`));
      if (one.kind === 'map')
        return Object.fromEntries(
          [...one.members].map(([key, { value }]) => [key, walk(value, `${name}.${key}`)]),
        );
      if (!schema.expressions.has(one)) return plainOfTree(one);
      const expression = schema.expressions.get(one);
      try {
        if (expression) return expression.compiled.over(hardware.record);
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        addExpressionProblem(one, name, expression!.markLength, error, problems);
      }
      hasFailed = true;
      return null;
    };
    const value = walk(tree, field);
    return hasFailed ? undefined : { place: tree.place, value };
  }

  function refuseTwins(): void {
    const seen = new Set<string>();
    for (const { id, members, place } of entries) {
      if (seen.has(id))
        problems.add(members.get('id')?.place ?? place, {
          field: 'id',
          value: id,
          problem: 'another space has this id',
          remedy: 'give each its own',
        });
      seen.add(id);
    }
  }

  function spaceOf({ id, type, members, attributes, place }: Entry): Space {
    if (!ELASTIC_TYPES.has(type))
      problems.warn(
        members.get('type')?.place ?? place,
        `${id}: the type '${type}' is not known; it is laid out as a partition`,
      );
    warnOfLikeFields(id, members, problems);
    const numbers = numbersOf(id, members, problems);
    return { id, type, ...numbers, bestDisks: bestDisks(id, members), attributes };
  }

  function bestDisks(space: string, members: Entry['members']): readonly number[] | undefined {
    const ids = idsIn(space, members, 'best_with_disks', {
      list: 'is not a list of disks',
      remedy: 'write [sda, sdb], or yaql=$.disks.where(...)',
      item: 'is neither a disk nor the id of one',
    });
    const there = hardware.disks.map((disk) => disk.id);
    const { place } = members.get('best_with_disks') ?? {};
    for (const id of ids ?? [])
      if (!there.includes(id))
        problems.warn(place!, `${space}: the node has no disk '${id}' to be best with`);
    return ids && [...there.keys()].filter((at) => ids.includes(there[at]!));
  }

  function containerOf({ id, type, members }: Entry): Container {
    for (const field of ['size', 'min_size', 'max_size', 'best_with_disks'] as const) {
      const place = members.get(field)?.place;
      if (place)
        problems.warn(place, `${id}: a container takes the room of what it contains; ${field} is ignored`);
    }
    const contained = idsIn(id, members, 'contains', {
      list: 'is not a list',
      remedy: 'write [{id: root}, {id: swap}]',
      item: 'is neither a space nor the id of one',
    });
    return { id, type, members: [...new Set(contained)] };
  }

  /** Ids in a list of ids, or of mappings with one. @returns undefined where there is no list */
  function idsIn(
    space: string,
    members: Entry['members'],
    name: Field,
    { list, remedy, item }: Readonly<Record<'list' | 'remedy' | 'item', string>>,
  ): readonly string[] | undefined {
    const { place, value = null } = members.get(name) ?? {};
    if (value === null) return undefined;
    const field = `${space}.${name}`;
    if (!Array.isArray(value))
      return problems.add(place, { field, value: shownPlain(value), problem: list, remedy });
    return (value as readonly Plain[]).flatMap(
      (one) =>
        identifierIn(idOf(one) ?? one) ??
        problems.add(place, { field, value: shownPlain(one), problem: item, remedy }) ??
        [],
    );
  }

  function checkMembers(): void {
    const places = new Map(
      entries.map(({ id, members, place }) => [id, members.get('contains')?.place ?? place]),
    );
    const owners = new Map<string, string>();
    for (const { id, members } of containers) {
      const place = places.get(id)!;
      for (const member of members) {
        const owner = owners.get(member);
        if (owner !== undefined)
          problems.add(place, {
            field: `${id}.contains`,
            value: member,
            problem: `is in '${owner}' already`,
            remedy: 'leave it out of one of them',
          });
        else if (!places.has(member))
          problems.warn(place, `${id}: contains '${member}', and there is no such space`);
        else if (containers.some((one) => one.id === member))
          problems.warn(place, `${id}: '${member}' is a container itself; what it holds does not count here`);
        owners.set(member, id);
      }
    }
  }
}

function idOf(value: Plain): Plain | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  return (value as { readonly [name: string]: Plain }).id;
}
