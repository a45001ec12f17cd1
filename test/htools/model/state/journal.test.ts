import { expect } from 'chai';
import {
  addPrimary,
  removePrimary,
  removeSecondary,
} from '../../../../src/htools/model/moves/transitions.ts';
import { figuresOf } from '../../../builders/figures.ts';
import { smallState, times } from '../../../builders/small-cluster.ts';
import { imageOf } from '../../../builders/state-image.ts';

describe('the journal of a state', () => {
  it('forgets what was committed', () => {
    const state = smallState({ nodes: [{}, {}], instances: [{}] });
    removePrimary(state, 0, 0, 0);
    state.journal.commit();
    const after = imageOf(state);
    expect(state.journal.mark()).to.equal(0);
    state.journal.rollback(0);
    expect(imageOf(state)).to.deep.equal(after);
    expect(figuresOf(state, 0).primaries).to.equal(0);
  });

  it('puts an instance back into its place in a list', () => {
    const state = smallState({ nodes: [{}, {}], instances: times(4, () => ({})) });
    const mark = state.journal.mark();
    removePrimary(state, 1, 0, 0);
    expect(state.primaries[0]).to.deep.equal([0, 2, 3]);
    addPrimary(state, 1, 0, 0);
    expect(state.primaries[0]).to.deep.equal([0, 2, 3, 1]);
    state.journal.rollback(mark);
    expect(state.primaries[0]).to.deep.equal([0, 1, 2, 3]);
  });

  it('restores a reservation with its place in the order of peers', () => {
    const state = smallState({ nodes: [{}, {}, {}], instances: [{}, { primary: 2, secondary: 1 }] });
    const before = imageOf(state);
    const mark = state.journal.mark();
    removeSecondary(state, 0, 1, 0);
    expect(state.peers.get(1, 0)).to.equal(0);
    state.journal.rollback(mark);
    expect(imageOf(state)).to.deep.equal(before);
  });

  it('has room for long runs of trials', () => {
    const state = smallState({ nodes: [{}, {}], instances: [{}] });
    const before = imageOf(state);
    const mark = state.journal.mark();
    for (let k = 0; k < 1000; k++) {
      removePrimary(state, 0, 0, 0);
      addPrimary(state, 0, 0, 0);
    }
    state.journal.rollback(mark);
    expect(imageOf(state)).to.deep.equal(before);
  });
});
