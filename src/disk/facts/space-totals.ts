/** What each space and each pool got, what it asked for, and why it is as large as it is. */
import type { DocumentOf } from '../../kit/results/members.ts';
import { isFixed, type Space } from '../model/spaces.ts';
import type { laidSpace, pool } from '../results/hdisk.ts';
import type { LaidOut } from './node-layout.ts';

type LaidSpace = DocumentOf<typeof laidSpace>;

export interface SpaceTotal extends Pick<LaidSpace, 'reason' | 'sharing' | 'sharesWith'> {
  readonly space: Space;
  /** On all disks; with copies, of all copies. */
  readonly size: number;
  /** Where it lies, in the order of the disks. */
  readonly parts: readonly { readonly disk: string; readonly size: number; readonly isBest: boolean }[];
}

export const spaceTotals = ({ disks, spaces, layout }: LaidOut): readonly SpaceTotal[] =>
  spaces.map((space, at) => {
    const parts = layout.sizes.flatMap((row, disk) =>
      row[at]! > 0
        ? [{ disk: disks[disk]!.id, size: row[at]!, isBest: space.bestDisks?.includes(disk) === true }]
        : [],
    );
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    const sharers = layout.sharing.find(({ members }) => members.includes(at));
    const sharing = sharers?.outcome ?? null;
    return {
      space,
      size,
      parts,
      reason: reasonOf(space, space.copies === undefined ? size : (parts[0]?.size ?? 0), sharing === 'kept'),
      sharesWith: (sharers?.members ?? []).filter((other) => other !== at).map((other) => spaces[other]!.id),
      sharing,
    };
  });

function reasonOf(space: Space, size: number, isShared: boolean): LaidSpace['reason'] {
  if (isFixed(space)) return 'fixed';
  if (size === space.maxSize) return 'most';
  if (size <= space.minSize) return 'least';
  return isShared ? 'sharing' : 'rest';
}

/** What is left on all disks. */
export const unallocatedSize = ({ layout, spaces }: LaidOut): number =>
  layout.sizes.reduce((sum, row) => sum + row[spaces.length]!, 0);

/** Spaces that rounding down left a little smaller than they must be. */
export const shortSpaces = (outcome: LaidOut): readonly SpaceTotal[] =>
  spaceTotals(outcome).filter(({ space, size }) => size < space.minSize * (space.copies ?? 1));

export type NodePool = DocumentOf<typeof pool>;

/** In the order of the schema. */
export function nodePools(outcome: LaidOut): readonly NodePool[] {
  const totals = new Map(spaceTotals(outcome).map((total) => [total.space.id, total]));
  return outcome.containers.map(({ id, members }) => {
    const own = members.flatMap((member) => totals.get(member) ?? []);
    const size = own.reduce((sum, total) => sum + total.size / (total.space.copies ?? 1), 0);
    return { pool: `internal/${id}`, size, spaces: own.map(({ space }) => space.id) };
  });
}
