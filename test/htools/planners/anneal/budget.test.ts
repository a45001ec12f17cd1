import { expect } from 'chai';
import { Budget } from '../../../../src/htools/planners/anneal/budget.ts';

describe('the budget of a deep search', () => {
  it('counts candidates and never asks the clock where these are limited', () => {
    const clock = (): number => {
      throw new Error('asked');
    };
    const budget = new Budget({ candidates: 200, clock });
    for (let k = 0; k < 100; k++) budget.spend();
    budget.look();
    expect(budget.share).to.equal(0.5);
  });

  it('goes by the clock otherwise, and says how far it is', () => {
    let now = 0;
    const seen: number[] = [];
    const budget = new Budget({
      candidates: undefined,
      clock: () => now,
      watch: (share) => seen.push(share),
    });
    now = 0.25;
    for (let k = 0; k < 64; k++) budget.spend();
    expect(budget.share).to.equal(0.25);
    now = 1.5;
    budget.look();
    expect(seen).to.deep.equal([0, 0.25, 1.5]);
  });
});
