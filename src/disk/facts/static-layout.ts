/** As the reference system gives it: on each disk, in order, all spaces in theirs and the rest, even if 0. */
import type { DocumentOf } from '../../kit/results/members.ts';
import { UNALLOCATED } from '../model/spaces.ts';
import type { staticDisk } from '../results/hdisk.ts';
import type { LaidOut } from './node-layout.ts';

/** Names are those of the file format. */
export type StaticDisk = DocumentOf<typeof staticDisk>;

export const staticLayout = ({ disks, spaces, layout }: LaidOut): readonly StaticDisk[] =>
  disks.map(({ id, size }, disk) => ({
    disk_id: id,
    size,
    spaces: layout.sizes[disk]!.map((own, at) => ({ space_id: spaces[at]?.id ?? UNALLOCATED, size: own })),
  }));
