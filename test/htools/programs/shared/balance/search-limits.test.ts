import { expect } from 'chai';
import { sharedTime } from '../../../../../src/htools/programs/shared/balance/search-limits.ts';

describe('the time of several searches', () => {
  it('is shared evenly, and what one leaves goes to those after it', () => {
    let nowMs = 500;
    const timeFor = sharedTime({ searchTime: 12 }, 3, () => nowMs);
    expect(timeFor(0)).to.equal(4);
    nowMs += 2000;
    expect(timeFor(1)).to.equal(5);
    nowMs += 11_000;
    expect(timeFor(2)).to.equal(0);
  });

  it('has no end where none is asked for', () => {
    expect(sharedTime({ searchTime: undefined }, 2)(1)).to.equal(undefined);
  });
});
