import { expect } from 'chai';
import { Random } from '../../../../bench/generate/random.ts';
import { ascendingPlaces } from '../../../../src/htools/model/score/ascending.ts';
import { forSeeds } from '../../../builders/seeds.ts';

describe('places in ascending order of their scores', () => {
  it('puts the lowest first, and of equal ones the last', () => {
    expect(ascendingPlaces([3, 1, 2, 1])).to.deep.equal([3, 1, 2, 0]);
    expect(ascendingPlaces([5, 5, 5])).to.deep.equal([2, 1, 0]);
    expect(ascendingPlaces([])).to.deep.equal([]);
  });

  it('takes a score that is not a number for greater than all, so that a list of them comes out in its own order', () => {
    const nan = Number.NaN;
    expect(ascendingPlaces([nan, nan, nan])).to.deep.equal([0, 1, 2]);
    // From the back: 0, NaN, 1 is one falling run, since each is "greater" than what follows.
    expect(ascendingPlaces([1, nan, 0])).to.deep.equal([0, 1, 2]);
    expect(ascendingPlaces([nan, 1, 2])).to.deep.equal([0, 1, 2]);
    // NaN before 1 falls, and 2 is a run of its own, which is merged in before what is greater than it.
    expect(ascendingPlaces([2, 1, nan])).to.deep.equal([1, 0, 2]);
  });

  it('keeps each place once, whatever the scores', () => {
    forSeeds(40, (seed) => {
      const random = new Random(seed, 'ascending');
      const scores = Array.from({ length: random.between(1, 30) }, () =>
        random.chance(0.3) ? Number.NaN : random.below(5),
      );
      const places = ascendingPlaces(scores);
      expect([...places].sort((a, b) => a - b)).to.deep.equal([...scores.keys()]);
    });
  });
});
