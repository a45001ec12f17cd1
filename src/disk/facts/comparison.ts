/** What differs between a layout that is there and the one that the schema would give now. */
import { UNALLOCATED } from '../model/spaces.ts';
import type { StaticDisk } from './static-layout.ts';

export interface Difference {
  readonly disk: string;
  /** Undefined: it is about the disk as a whole. */
  readonly space: string | undefined;
  /** Size there; undefined: it is not there. */
  readonly is: number | undefined;
  /** Size by the schema; undefined: the schema has none. */
  readonly wanted: number | undefined;
}

/**
 * By disk in the order of what is wanted, then what is there and not wanted. What is left over is no
 * difference of its own.
 */
export function differences(is: readonly StaticDisk[], wanted: readonly StaticDisk[]): readonly Difference[] {
  const names = unique([...wanted, ...is].map(({ disk_id }) => disk_id));
  return names.flatMap((disk) => {
    const one = is.find(({ disk_id }) => disk_id === disk);
    const other = wanted.find(({ disk_id }) => disk_id === disk);
    const own =
      one?.size === other?.size ? [] : [{ disk, space: undefined, is: one?.size, wanted: other?.size }];
    return [...own, ...(one && other ? spaceDifferences(disk, one, other) : [])];
  });
}

function spaceDifferences(disk: string, is: StaticDisk, wanted: StaticDisk): readonly Difference[] {
  const sizesOf = (layout: StaticDisk) =>
    new Map(layout.spaces.filter(({ size }) => size > 0).map(({ space_id, size }) => [space_id, size]));
  const [there, asked] = [sizesOf(is), sizesOf(wanted)];
  return unique([...asked.keys(), ...there.keys()])
    .filter((space) => space !== UNALLOCATED && there.get(space) !== asked.get(space))
    .map((space) => ({ disk, space, is: there.get(space), wanted: asked.get(space) }));
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)];
