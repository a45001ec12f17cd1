/** What a schema asks for, evaluated: spaces that take room, and containers that hold them. */
import type { Plain } from '../expressions/index.ts';

/** A space to be laid out. Sizes are whole numbers in the unit of the disks. */
export interface Space {
  readonly id: string;
  readonly type: string;
  /** Of all its parts together; of each copy where `copies` is given. */
  readonly minSize: number;
  /** undefined = no limit. */
  readonly maxSize: number | undefined;
  /** Its part among spaces that are to be equal; 0 = it takes no part in that. */
  readonly weight: number;
  /**
   * Indices of the disks that suit it best, rising; undefined = it asks for none. With an empty list none of
   * the disks suits it more than another either, but it is not equal to a space that asks for none.
   */
  readonly bestDisks: readonly number[] | undefined;
  /** It lies on that many disks, with the same size on each. */
  readonly copies: number | undefined;
  readonly minDisks: number | undefined;
  readonly maxDisks: number | undefined;
  /** All members as the schema has them, with their expressions evaluated. */
  readonly attributes: Readonly<Record<string, Plain>>;
}

/** Holds spaces and takes no room itself, as a volume group does. */
export interface Container {
  readonly id: string;
  readonly type: string;
  /** Ids of what it holds, as written; there need not be such a space. */
  readonly members: readonly string[];
}

export interface Spaces {
  /** In the order of the schema, which is the order in which they are laid out. */
  readonly spaces: readonly Space[];
  readonly containers: readonly Container[];
}

/** What is left over; no space may be called so. */
export const UNALLOCATED = 'unallocated';

export const isFixed = ({ minSize, maxSize }: Space): boolean => minSize === maxSize;
