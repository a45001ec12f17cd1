import { expect } from 'chai';
import { applyMove } from '../../../../../src/htools/model/moves/apply.ts';
import { FAILOVER_TO_ANY } from '../../../../../src/htools/model/moves/kinds.ts';
import { Residents } from '../../../../../src/htools/model/redundancy/drbd/residents.ts';
import { smallState } from '../../../../builders/small-cluster.ts';

describe('nodes whose instances do not all fail over', () => {
  it('are known by group', () => {
    const state = smallState({
      groups: [{}, {}],
      nodes: [{}, {}, {}, { group: 1 }],
      instances: [
        {},
        { diskTemplate: 'ext', primary: 1 },
        { diskTemplate: 'plain', primary: 3 },
        { diskTemplate: 'blockdev', primary: 3 },
      ],
    });
    const residents = new Residents(state, [0, 1, 2, 3]);
    expect([...residents.unprovenOf(0)]).to.deep.equal([1]);
    expect([...residents.unprovenOf(1)]).to.deep.equal([3]);
  });

  it('follow what moves', () => {
    const state = smallState({ nodes: [{}, {}, {}], instances: [{ diskTemplate: 'ext' }] });
    const residents = new Residents(state, [0, 1, 2]);
    applyMove(state, 0, FAILOVER_TO_ANY, 2, false);
    residents.refresh([0, 2]);
    expect([...residents.unprovenOf(0)]).to.deep.equal([2]);
  });

  it('are proven for as long as they and what the proof rests on stay as they are', () => {
    const state = smallState({
      nodes: [{}, {}, {}, {}],
      instances: [{ diskTemplate: 'ext' }, { diskTemplate: 'plain', primary: 1 }],
    });
    const residents = new Residents(state, [0, 1, 2, 3]);
    const prove = (): void => {
      residents.noteProof(0, [1, 2]);
      residents.noteProof(1, [2]);
    };
    const unprovenAfter = (changed: readonly number[]): number[] => {
      prove();
      residents.refresh(changed);
      return [...residents.unprovenOf(0)].sort();
    };
    prove();
    expect([...residents.restingOn(2)]).to.deep.equal([0, 1]);
    expect(unprovenAfter([3])).to.deep.equal([]);
    expect(unprovenAfter([2])).to.deep.equal([0, 1]);
    expect(unprovenAfter([1])).to.deep.equal([0, 1]);
    expect(unprovenAfter([0])).to.deep.equal([0]);
    residents.noteProof(0, [3]);
    expect([...residents.restingOn(2)]).to.deep.equal([1]);
  });
});
