/**
 * The layout as volumes: GPT tables, partitions, arrays over copies, and physical volumes, groups and logical
 * volumes on them. Sizes in the unit of the disks.
 */
import type { DocumentOf } from '../../kit/results/members.ts';
import type { Plain } from '../expressions/index.ts';
import { FIELDS } from '../model/known-fields.ts';
import type { Space } from '../model/spaces.ts';
import type { volumes } from '../results/hdisk.ts';
import type { LaidOut } from './node-layout.ts';
import { spaceTotals } from './space-totals.ts';

export interface VolumeSettings {
  /** Size of each copy of the metadata on a physical volume. */
  readonly metadataSize: number;
  readonly metadataCopies: number;
}

/** Names are those of the file format. */
type Volumes = DocumentOf<typeof volumes>;

const LVM_TYPE = 'lv';
const VOLUME_GROUP_TYPE = 'vg';
/** What the layout itself has not used up of the members that it knows. */
const LEFT: readonly string[] = ['type', 'contains'];
const USED_UP: ReadonlySet<string> = new Set(FIELDS.filter((name) => !LEFT.includes(name)));

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };

export function volumesOf(outcome: LaidOut, settings: VolumeSettings): Volumes {
  const { disks, spaces, containers, layout } = outcome;
  const deviceOf = ({ id, attributes }: (typeof disks)[number]): string =>
    [attributes.path, attributes.dev].find((one) => typeof one === 'string') ?? id;
  const tables = disks.map((disk, at) => ({
    disk: disk.id,
    device: deviceOf(disk),
    label: 'gpt' as const,
    size: disk.size,
    partitions: spaces.flatMap(({ id }, space) => {
      const size = layout.sizes[at]![space]!;
      return size > 0 ? [{ name: partitionName(disk.id, id), space: id, size }] : [];
    }),
  }));
  const found: Mutable<Volumes> = {
    tables,
    arrays: [],
    physical_volumes: [],
    volume_groups: [],
    logical_volumes: [],
    attributes: Object.fromEntries(spaces.map(({ id, attributes }) => [id, withoutUsedUp(attributes)])),
    warnings: [],
  };
  const groupOf = (space: Space): string | undefined =>
    containers.find(({ type, members }) => type === VOLUME_GROUP_TYPE && members.includes(space.id))?.id;
  for (const { space, parts } of spaceTotals(outcome)) {
    if (parts.length === 0) continue;
    const pieces = parts.map(({ disk, size }) => ({ name: partitionName(disk, space.id), size }));
    const isMirrored = space.copies !== undefined && space.copies > 1;
    const bases = isMirrored ? [{ name: `${space.id}-mirror`, size: pieces[0]!.size }] : pieces;
    if (isMirrored)
      found.arrays.push({ ...bases[0]!, level: 'mirror', partitions: pieces.map(({ name }) => name) });
    const group = groupOf(space);
    if (space.type === LVM_TYPE) addLogicalVolume(found, space, bases, group, settings);
    else if (group !== undefined)
      found.warnings.push(
        `${space.id}: is no logical volume (lv); it stays a partition, outside of ${group}`,
      );
  }
  for (const { id, type } of containers) {
    const own = found.physical_volumes.filter(({ group }) => group === id);
    const size = own.reduce((sum, volume) => sum + roomOn(volume.size, settings), 0);
    if (type === VOLUME_GROUP_TYPE)
      found.volume_groups.push({ name: id, physical_volumes: own.map(({ on }) => on), size });
  }
  return found;
}

const partitionName = (disk: string, space: string): string => `${disk}-${space}`;

const withoutUsedUp = (attributes: Readonly<Record<string, Plain>>): Readonly<Record<string, Plain>> =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => !USED_UP.has(name)));

/** What a physical volume of that size has for data. */
const roomOn = (size: number, { metadataSize, metadataCopies }: VolumeSettings): number =>
  Math.max(0, size - metadataSize * metadataCopies);

function addLogicalVolume(
  found: Mutable<Volumes>,
  { id }: Space,
  bases: readonly { readonly name: string; readonly size: number }[],
  group: string | undefined,
  settings: VolumeSettings,
): void {
  if (group === undefined) {
    found.warnings.push(`${id}: no volume group contains it; it stays a partition`);
    return;
  }
  for (const { name, size } of bases) {
    const { metadataSize: metadata_size, metadataCopies: metadata_copies } = settings;
    found.physical_volumes.push({ on: name, group, size, metadata_size, metadata_copies });
    if (roomOn(size, settings) === 0)
      found.warnings.push(`${id}: the metadata of ${name} leaves no room on it`);
  }
  const size = bases.reduce((sum, base) => sum + roomOn(base.size, settings), 0);
  found.logical_volumes.push({ name: id, group, size });
}
