/** A layout as the reference system gives it, and what differs between one that is there and one wanted. */
import type { DocumentOf } from '../../kit/results/members.ts';
import { UNALLOCATED } from '../model/spaces.ts';
import type { difference, staticDisk } from '../results/hdisk.ts';
import type { LaidOut } from './node-layout.ts';

/** Names are those of the file format. */
type StaticDisk = DocumentOf<typeof staticDisk>;

export const staticLayout = ({ disks, spaces, layout }: LaidOut): readonly StaticDisk[] =>
  disks.map(({ id, size }, disk) => ({
    disk_id: id,
    size,
    spaces: layout.sizes[disk]!.map((own, at) => ({ space_id: spaces[at]?.id ?? UNALLOCATED, size: own })),
  }));

export type Difference = DocumentOf<typeof difference>;

/** By disk in the order wanted, then what is there and not wanted; what is left over is no difference. */
export function differences(is: readonly StaticDisk[], wanted: readonly StaticDisk[]): readonly Difference[] {
  const names = unique([...wanted, ...is].map(({ disk_id }) => disk_id));
  return names.flatMap((disk) => {
    const one = is.find(({ disk_id }) => disk_id === disk);
    const other = wanted.find(({ disk_id }) => disk_id === disk);
    const own =
      one?.size === other?.size
        ? []
        : [{ disk, space: null, is: one?.size ?? null, wanted: other?.size ?? null }];
    return [...own, ...(one && other ? spaceDifferences(disk, one, other) : [])];
  });
}

function spaceDifferences(disk: string, is: StaticDisk, wanted: StaticDisk): readonly Difference[] {
  const sizesOf = (layout: StaticDisk) =>
    new Map(layout.spaces.filter(({ size }) => size > 0).map(({ space_id, size }) => [space_id, size]));
  const [there, asked] = [sizesOf(is), sizesOf(wanted)];
  return unique([...asked.keys(), ...there.keys()])
    .filter((space) => space !== UNALLOCATED && there.get(space) !== asked.get(space))
    .map((space) => ({ disk, space, is: there.get(space) ?? null, wanted: asked.get(space) ?? null }));
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)];
