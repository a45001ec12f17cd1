import { expect } from 'chai';
import { crossSum } from '../../../src/disk/solve/layout-program.ts';

const FIRST = [1, 2, 4, 6, 9, 12, 16, 20, 25, 30, 36, 42];

describe('the order of spaces and disks', () => {
  it('counts by the series of the reference', () => {
    expect(FIRST.map((_, at) => crossSum(at + 1))).to.deep.equal(FIRST);
  });

  it('is worth more straight than crosswise', () => {
    // Two spaces of 100 on two disks of 100: each whole on its disk, or both mixed.
    const worth = (by: readonly number[], sizes: readonly number[]): number =>
      sizes.reduce((sum, size, at) => sum + size * by[at]!, 0);
    const [straight, mixed] = [
      [100, 0, 0, 100],
      [50, 50, 50, 50],
    ];
    expect([worth([4, 3, 2, 1], straight), worth([4, 3, 2, 1], mixed)]).to.deep.equal([500, 500]);
    expect([worth([6, 4, 2, 1], straight), worth([6, 4, 2, 1], mixed)]).to.deep.equal([700, 650]);
    for (let i = 1; i < 500; i++) {
      const [a, b, c, d] = [i, i + 1, i + 7, i + 8].map((n) => 1 / crossSum(n));
      expect(a! + d!, String(i)).to.be.above(b! + c!);
    }
  });
});
