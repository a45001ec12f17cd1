/**
 * Random layout problems of several shapes: some tight, some loose, some impossible; few figures, so that
 * classes and ties are many.
 */
import type { Space } from '../../../src/disk/model/spaces.ts';
import type { LayoutProblem } from '../../../src/disk/solve/layout-program.ts';
import { spaceOf } from './spaces-of.ts';

export type Random = () => number;

/** A generator of numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)]!;

export interface Shape {
  readonly maxDisks: number;
  readonly maxSpaces: number;
  /** Whether spaces may ask for numbers of disks. */
  readonly countsDisks?: boolean;
}

export function randomProblem(random: Random, { maxDisks, maxSpaces, countsDisks }: Shape): LayoutProblem {
  const diskCount = 1 + Math.floor(random() * maxDisks);
  const unit = pick(random, [1, 10, 1000]);
  const disks = Array.from({ length: diskCount }, () => unit * Math.floor(random() * 12));
  const spaceCount = Math.floor(random() * (maxSpaces + 1));
  const tightness = random();
  const sizes = [0, 0, unit, 5 * unit, Math.floor(random() * 8 * unit)];
  const spaces = Array.from({ length: spaceCount }, (_, at): Space => {
    const isFixed = random() < 0.3;
    const size = random() < tightness ? pick(random, sizes) : 0;
    const maxSize = isFixed ? size : random() < 0.4 ? size + pick(random, sizes) : undefined;
    const bestDisks = random() < 0.3 ? [...disks.keys()].filter(() => random() < 0.4) : undefined;
    return spaceOf(`s${at}`, {
      minSize: size,
      maxSize,
      weight: pick(random, [1, 1, 1, 1, 0.5, 2, 3, 0]),
      bestDisks,
      ...(countsDisks && random() < 0.4 ? counted(random, maxSize) : {}),
    });
  });
  return { disks, spaces };
}

function counted(random: Random, maxSize: number | undefined): Partial<Space> {
  const count = 1 + Math.floor(random() * 3);
  const room = maxSize ?? Number.POSITIVE_INFINITY;
  return pick(random, [{ copies: count }, { maxDisks: count }, room >= count ? { minDisks: count } : {}]);
}
