/** What spaces ask for, one by one: of what a program is made, and what clashes; and who shares with whom. */
import { groupedBy } from '../../kit/grouped.ts';
import { isFixed, type Space } from '../model/spaces.ts';

export interface Requirement {
  readonly kind: 'size' | 'min_size' | 'max_size' | 'copies' | 'min_disks' | 'max_disks';
  readonly space: number;
  readonly amount: number;
}

/** All requirements, space by space. A minimum of 0 asks for nothing. */
export const requirementsOf = (spaces: readonly Space[]): readonly Requirement[] =>
  spaces.flatMap((one, space) => {
    const { minSize, maxSize, copies, minDisks, maxDisks } = one;
    const asked: [Requirement['kind'], number | undefined][] = isFixed(one)
      ? [['size', minSize]]
      : [
          ['min_size', minSize || undefined],
          ['max_size', maxSize],
        ];
    asked.push(['copies', copies], ['min_disks', minDisks], ['max_disks', maxDisks]);
    return asked.flatMap(([kind, amount]) => (amount === undefined ? [] : [{ kind, space, amount }]));
  });

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
  const sharing = [...spaces.keys()].filter((at) => spaces[at]!.weight !== 0);
  const classes = groupedBy(sharing, (at) => keyOf(spaces[at]!));
  return [...classes.values()]
    .filter((members) => members.length > 1)
    .map((members) => ({ members, isFixed: isFixed(spaces[members[0]!]!) }));
}
