import { expect } from 'chai';
import { Budget } from '../../../../src/htools/planners/anneal/budget.ts';

describe('the budget of a deep search', () => {
  it('counts candidates, and a clock changes nothing where they keep up with it', () => {
    let now = 0;
    const budget = new Budget({ candidates: 200, clock: () => now });
    for (let k = 0; k < 100; k++) budget.spend();
    now = 0.6;
    budget.look();
    expect([budget.share, budget.isCut]).to.deep.equal([0.5, false]);
  });

  it('is cut by the clock where candidates lag behind', () => {
    let now = 0;
    const budget = new Budget({ candidates: 200, clock: () => now });
    for (let k = 0; k < 100; k++) budget.spend();
    now = 1;
    budget.look();
    expect([budget.share, budget.isCut, budget.isSpent, budget.done]).to.deep.equal([1, true, true, 100]);
  });

  it('says how far it is, by candidates or by the clock', () => {
    let now = 0;
    const seen: number[] = [];
    const budget = new Budget({ candidates: 128, clock: () => now, watch: (share) => seen.push(share) });
    for (let k = 0; k < 64; k++) budget.spend();
    now = 1;
    budget.look();
    expect(seen).to.deep.equal([0, 0.5, 1]);
  });
});
