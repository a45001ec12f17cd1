import { expect } from 'chai';
import { ascendingPlaces } from '../../../../src/htools/model/score/ascending.ts';

describe('places in ascending order of their scores', () => {
  it('puts the lowest first, and of equal ones the last', () => {
    expect(ascendingPlaces([3, 1, 2, 1])).to.deep.equal([3, 1, 2, 0]);
    expect(ascendingPlaces([5, 5, 5])).to.deep.equal([2, 1, 0]);
    expect(ascendingPlaces([])).to.deep.equal([]);
  });

  it('leaves a list of scores that are no numbers in its own order, as a sort does to which each is the greater', () => {
    expect(ascendingPlaces([Number.NaN, Number.NaN, Number.NaN])).to.deep.equal([0, 1, 2]);
  });
});
