/** Reads layouts that were written before: of one node, or of several. */
import type { FilePosition, Tree } from '../../kit/yaml/document.ts';
import type { Problems } from './problems.ts';
import { identifierOf, sizeIn, textOfTree } from './tree-values.ts';

export interface WrittenLayout {
  readonly node: string | undefined;
  readonly disks: readonly {
    readonly disk_id: string;
    readonly size: number;
    readonly spaces: readonly { readonly space_id: string; readonly size: number }[];
  }[];
}

const REMEDY = 'give a file that hdisk --format static or --json has written';

/** A list of disks; a mapping with one in `layout`, and `node`; a list of these, or one in `nodes`. */
export function readLayouts(trees: readonly Tree[], problems: Problems): readonly WrittenLayout[] {
  if (trees.length === 0) problems.addEmpty(REMEDY);
  return trees.flatMap((tree) => layoutsOf(tree, problems));
}

function layoutsOf(tree: Tree, problems: Problems): readonly WrittenLayout[] {
  if (tree.kind === 'map') {
    const nodes = tree.members.get('nodes')?.value;
    if (nodes?.kind === 'list') return nodes.items.flatMap((item) => layoutsOf(item, problems));
    const layout = tree.members.get('layout')?.value;
    const node = identifierOf(tree.members.get('node')?.value);
    if (layout?.kind === 'list') return [{ node, disks: disksOf(layout, problems) }];
    // A node without a layout is written, too.
    if (tree.members.has('outcome')) return [];
  }
  if (tree.kind === 'list') {
    const isOfNodes = tree.items.some((item) => item.kind === 'map' && item.members.has('layout'));
    return isOfNodes
      ? tree.items.flatMap((item) => layoutsOf(item, problems))
      : [{ node: undefined, disks: disksOf(tree, problems) }];
  }
  problems.add(tree.place, { value: textOfTree(tree), problem: 'this is not a layout', remedy: REMEDY });
  return [];
}

/** Of two of one name only one would be compared. */
function refuseTwin(seen: Set<string>, id: string, place: FilePosition, field: string, problems: Problems) {
  if (seen.has(id)) problems.add(place, { field, value: id, problem: 'is there twice', remedy: REMEDY });
  seen.add(id);
}

function disksOf(list: Tree & { kind: 'list' }, problems: Problems): WrittenLayout['disks'] {
  const seen = new Set<string>();
  return list.items.flatMap((item, at) => {
    const field = `[${at}]`;
    const disk_id = textMember(item, 'disk_id', field, problems);
    const size = sizeMember(item, field, problems);
    const spaces = item.kind === 'map' ? item.members.get('spaces')?.value : undefined;
    if (item.kind === 'map' && spaces?.kind !== 'list')
      problems.add(spaces?.place ?? item.place, {
        field: `${field}.spaces`,
        problem: 'is not a list of spaces',
        remedy: REMEDY,
      });
    if (disk_id === undefined || size === undefined || spaces?.kind !== 'list') return [];
    refuseTwin(seen, disk_id, item.place, `${field}.disk_id`, problems);
    const seenSpaces = new Set<string>();
    const parts = spaces.items.flatMap((space, place) => {
      const name = `${field}.spaces[${place}]`;
      const space_id = textMember(space, 'space_id', name, problems);
      const own = sizeMember(space, name, problems);
      if (space_id === undefined || own === undefined) return [];
      refuseTwin(seenSpaces, space_id, space.place, `${name}.space_id`, problems);
      return [{ space_id, size: own }];
    });
    return [{ disk_id, size, spaces: parts }];
  });
}

function textMember(tree: Tree, name: string, field: string, problems: Problems): string | undefined {
  const text = tree.kind === 'map' ? identifierOf(tree.members.get(name)?.value) : undefined;
  const problem = { field: `${field}.${name}`, problem: 'is missing', remedy: REMEDY };
  return text ?? problems.add(tree.place, problem);
}

function sizeMember(tree: Tree, field: string, problems: Problems): number | undefined {
  const value = tree.kind === 'map' ? tree.members.get('size')?.value : undefined;
  const problem = { field: `${field}.size`, value: value && textOfTree(value), problem: 'is not a size' };
  return sizeIn(value) ?? problems.add(value?.place ?? tree.place, { ...problem, remedy: REMEDY });
}
