import { expect } from 'chai';
import { FAILOVER } from '../../../../../src/htools/model/moves/kinds.ts';
import { scoreOf } from '../../../../../src/htools/model/score/scorer.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../../src/htools/planners/balance/options.ts';
import { StepSearch } from '../../../../../src/htools/planners/balance/steps/step-search.ts';
import { InternalError } from '../../../../../src/kit/faults.ts';
import { smallState, times } from '../../../../builders/small-cluster.ts';
import { imageOf } from '../../../../builders/state-image.ts';

const search = (state: ReturnType<typeof smallState>) =>
  new StepSearch(
    state,
    state.snapshot.nodes.map((_, node) => node),
    DEFAULT_BALANCE_OPTIONS,
  );

describe('the search for a step', () => {
  it('changes nothing until the step is applied, and then has the score that it promised', () => {
    const state = smallState({ nodes: times(3, () => ({})), instances: times(4, () => ({ memMib: 2048 })) });
    const before = imageOf(state);
    const steps = search(state);
    const found = steps.best()!;
    expect(imageOf(state)).to.deep.equal(before);
    steps.apply(found);
    expect(scoreOf(state, [0, 1, 2])).to.equal(found.score);
  });

  it('finds the same step again while nothing is applied', () => {
    const state = smallState({ nodes: times(4, () => ({})), instances: times(5, () => ({ memMib: 2048 })) });
    const steps = search(state);
    const first = steps.best();
    expect(steps.best()).to.deep.equal(first);
  });

  it('chooses the first instance and the first target of candidates that tie', () => {
    const state = smallState({ nodes: times(5, () => ({})), instances: times(6, () => ({})) });
    expect(search(state).best()).to.include({ instance: 0, target: 2 });
  });

  it('takes a step that the rules refuse for a fault of its own', () => {
    const state = smallState({ nodes: [{}, { totalMemMib: 1500 }], instances: [{}] });
    const steps = search(state);
    expect(() => steps.apply({ instance: 0, kind: FAILOVER, target: -1 })).to.throw(InternalError);
  });

  it('tries a move without a trace, and says that the rules refuse it by NaN', () => {
    const state = smallState({ nodes: [{}, { totalMemMib: 1500 }], instances: [{}] });
    const before = imageOf(state);
    expect(search(state).trial({ instance: 0, kind: FAILOVER, target: -1 })).to.be.NaN;
    expect(imageOf(state)).to.deep.equal(before);
  });

  it('takes back steps one by one, and no further than its own', () => {
    const state = smallState({ nodes: times(4, () => ({})), instances: times(5, () => ({ memMib: 2048 })) });
    const steps = search(state);
    const before = imageOf(state);
    const start = steps.objective;
    const first = steps.best()!;
    steps.apply(first);
    steps.apply(steps.best()!);
    steps.undo();
    expect(steps.objective).to.equal(first.objective);
    steps.undo();
    expect(steps.objective).to.equal(start);
    expect(imageOf(state)).to.deep.equal(before);
    expect(steps.best()).to.deep.equal(first);
    expect(() => steps.undo()).to.throw(InternalError);
  });
});
