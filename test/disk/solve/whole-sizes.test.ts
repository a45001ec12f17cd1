import { expect } from 'chai';
import { openHighs } from '../../../src/disk/solve/highs.ts';
import type { Solver } from '../../../src/disk/solve/linear-program.ts';
import { wholeSizes } from '../../../src/disk/solve/whole-sizes.ts';
import { problemOf, type Wanted } from './spaces-of.ts';

describe('whole sizes', () => {
  let solver: Solver;

  before(async () => {
    solver = await openHighs(10);
  });

  const rounded = (disks: number[], spaces: Record<string, Wanted>, exact: number[][]) =>
    wholeSizes(problemOf(disks, spaces), exact, 'largest', solver);

  it('go to the largest fractions, and fill the disk', () => {
    expect(rounded([10], { a: {}, b: {}, c: {} }, [[3.2, 3.5, 3.3, 0]])).to.deep.equal([[3, 4, 3, 0]]);
    expect(rounded([10], { a: {}, b: {} }, [[3.2, 3.3, 3.5]])).to.deep.equal([[3, 3, 4]]);
  });

  it('go first to what is short of its minimum', () => {
    // By fraction alone, a would get both units and b none.
    const exact = [
      [0.6, 0.4, 0],
      [0.4, 0.6, 0],
    ];
    expect(rounded([1, 1], { a: { minSize: 1 }, b: { minSize: 1 } }, exact)).to.deep.equal([
      [1, 0, 0],
      [0, 1, 0],
    ]);
    const even = [
      [0.5, 0.5, 0],
      [0.5, 0.5, 0],
    ];
    expect(rounded([1, 1], { a: { minSize: 1 }, b: { minSize: 1 } }, even)).to.deep.equal([
      [1, 0, 0],
      [0, 1, 0],
    ]);
  });

  it('never exceed a maximum', () => {
    const exact = [
      [0.5, 0.5, 0],
      [0.5, 0.5, 0],
    ];
    expect(rounded([1, 1], { a: { maxSize: 1 }, b: {} }, exact)).to.deep.equal([
      [1, 0, 0],
      [0, 1, 0],
    ]);
  });

  it('keep copies equal where fractions alone would part them', () => {
    // On the first disk x comes before the copy, on the second nothing does.
    const exact = [
      [5.5, 4.5, 0],
      [0, 4.5, 5.5],
    ];
    expect(rounded([10, 10], { x: {}, raid: { copies: 2, minSize: 4 } }, exact)).to.deep.equal([
      [6, 4, 0],
      [0, 4, 6],
    ]);
  });
});
