import { expect } from 'chai';
import { duration } from '../../../src/kit/report/amounts.ts';

describe('amounts for people', () => {
  it('gives durations to two units', () => {
    expect([0, 0.2, 59.5, 90, 3600, 9623, 200_000].map(duration)).to.deep.equal([
      '0 s',
      '1 s',
      '60 s',
      '2 min',
      '1 h 0 min',
      '2 h 40 min',
      '2 d 7 h',
    ]);
  });
});
