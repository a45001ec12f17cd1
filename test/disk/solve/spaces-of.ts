/** Spaces and problems in one line. */
import type { Space } from '../../../src/disk/model/spaces.ts';
import type { LayoutProblem } from '../../../src/disk/solve/layout-program.ts';

export interface Wanted extends Partial<Omit<Space, 'id'>> {
  readonly size?: number;
}

/** A space of type lv that asks for nothing but what is said. */
export function spaceOf(id: string, { size, ...wanted }: Wanted = {}): Space {
  return {
    id,
    type: 'lv',
    minSize: size ?? 0,
    maxSize: size,
    weight: 1,
    bestDisks: undefined,
    copies: undefined,
    minDisks: undefined,
    maxDisks: undefined,
    attributes: {},
    ...wanted,
  };
}

/** Disks by size and spaces by name. */
export const problemOf = (
  disks: readonly number[],
  spaces: Readonly<Record<string, Wanted>>,
): LayoutProblem => ({ disks, spaces: Object.entries(spaces).map(([id, wanted]) => spaceOf(id, wanted)) });
