/**
 * The layout as the reference system gives it: disks in their order, on each all spaces in theirs and what is
 * left, also where that is 0.
 */
import { UNALLOCATED } from '../model/spaces.ts';
import type { LaidOut } from './node-layout.ts';

/** Names are those of the file format. */
export interface StaticDisk {
  readonly disk_id: string;
  readonly size: number;
  readonly spaces: readonly { readonly space_id: string; readonly size: number }[];
}

export const staticLayout = ({ disks, spaces, layout }: LaidOut): readonly StaticDisk[] =>
  disks.map(({ id, size }, disk) => ({
    disk_id: id,
    size,
    spaces: layout.sizes[disk]!.map((own, at) => ({ space_id: spaces[at]?.id ?? UNALLOCATED, size: own })),
  }));
