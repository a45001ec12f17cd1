/** What spaces ask for, one by one: what a program is made of, and what clashes when there is no layout. */
import { isFixed, type Space } from '../model/spaces.ts';

export interface Requirement {
  readonly kind: 'size' | 'min_size' | 'max_size' | 'copies' | 'min_disks' | 'max_disks';
  /** Index of the space. */
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
