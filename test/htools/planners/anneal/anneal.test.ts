import { expect } from 'chai';
import { allowance, anneal } from '../../../../src/htools/planners/anneal/anneal.ts';
import { Budget } from '../../../../src/htools/planners/anneal/budget.ts';
import { RandomStream } from '../../../../src/htools/planners/anneal/random.ts';

describe('simulated annealing', () => {
  it('cools by the same factor for the same work, from the share that is spent to where it ends', () => {
    const budget = new Budget({ candidates: 100 });
    budget.spend(20);
    const seen: number[] = [];
    anneal({ budget, until: 0.6, hottest: 16, coldest: 1 }, (temperature) => {
      seen.push(temperature);
      budget.spend(10);
    });
    expect(seen.map((one) => Math.round(one))).to.deep.equal([16, 8, 4, 2]);
    expect(budget.share).to.equal(0.6);
  });

  it('does nothing when the time is over', () => {
    anneal(
      { budget: new Budget({ candidates: 1, clock: () => 1 }), until: 1, hottest: 1, coldest: 1 },
      () => {
        throw new Error('called');
      },
    );
  });

  it('takes a rise with the chance that Metropolis gives it', () => {
    const random = new RandomStream(1, 0);
    const tries = 20_000;
    let taken = 0;
    for (let k = 0; k < tries; k++) if (allowance(random, 2) >= 3) taken++;
    expect(taken / tries).to.be.closeTo(Math.exp(-3 / 2), 0.01);
  });
});
