import { expect } from 'chai';
import { isBalanced, StopRule } from '../../../../src/htools/planners/balance/stop-rule.ts';

const OPTIONS = { maxSteps: -1, minScore: 0.5, minGain: 0.25, minGainLimit: 4 };

describe('the stop rule of balancing', () => {
  it('goes on while the score is above the bound by more than the least score', () => {
    const rule = new StopRule(2, OPTIONS);
    expect([2.25, 2.5, 2.75].map((score) => rule.mayGoOn(0, score))).to.deep.equal([false, false, true]);
  });

  it('takes so many steps and not one more; none at 0, any number below', () => {
    const most = (maxSteps: number, steps: number) =>
      new StopRule(0, { ...OPTIONS, maxSteps }).mayGoOn(steps, 9);
    expect([most(3, 2), most(3, 3), most(0, 0), most(-1, 1e6)]).to.deep.equal([true, false, false, true]);
  });

  it('takes any gain above the limit, and below it none that is too small', () => {
    const rule = new StopRule(0, OPTIONS);
    expect(rule.isWorthIt(4.1, 4)).to.equal(true);
    expect(rule.isWorthIt(4, 3.9)).to.equal(false);
    expect(rule.isWorthIt(4, 3.75)).to.equal(true);
  });

  it('takes no step without a gain', () => {
    const rule = new StopRule(0, { ...OPTIONS, minGain: 0 });
    expect(rule.isWorthIt(9, 9)).to.equal(false);
    expect(rule.isWorthIt(9, 9.5)).to.equal(false);
  });

  it('neither goes on from a score that is not a number nor calls it balanced', () => {
    const rule = new StopRule(0, OPTIONS);
    expect(rule.mayGoOn(0, Number.NaN)).to.equal(false);
    expect(rule.isWorthIt(Number.NaN, 1)).to.equal(false);
    expect(isBalanced(Number.NaN, 0, OPTIONS)).to.equal(false);
  });

  it('calls a score balanced that is less than the least score above the bound', () => {
    expect([2.25, 2.5].map((score) => isBalanced(score, 2, OPTIONS))).to.deep.equal([true, false]);
  });
});
