/** Spaces that ask for the same get the same, by their weights. */
import { isFixed, type Space } from '../model/spaces.ts';

/** Indices of two or more spaces that are to be as large as their weights say. */
export interface SharingClass {
  readonly members: readonly number[];
  /** All its members have a given size, so that sharing can only contradict it. */
  readonly isFixed: boolean;
}

const keyOf = ({ minSize, maxSize, bestDisks, copies, minDisks, maxDisks }: Space): string =>
  JSON.stringify([minSize, maxSize, bestDisks, copies, minDisks, maxDisks]);

/** In the order of their first members. Spaces of weight 0 belong to none. */
export function sharingClasses(spaces: readonly Space[]): readonly SharingClass[] {
  const classes = new Map<string, number[]>();
  for (const [at, space] of spaces.entries()) {
    if (space.weight === 0) continue;
    const key = keyOf(space);
    classes.set(key, [...(classes.get(key) ?? []), at]);
  }
  return [...classes.values()]
    .filter((members) => members.length > 1)
    .map((members) => ({ members, isFixed: isFixed(spaces[members[0]!]!) }));
}
