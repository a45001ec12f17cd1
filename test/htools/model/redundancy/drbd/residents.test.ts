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
    expect([...residents.moversOf(0)]).to.deep.equal([1]);
    expect([...residents.moversOf(1)]).to.deep.equal([3]);
  });

  it('follow what moves', () => {
    const state = smallState({ nodes: [{}, {}, {}], instances: [{ diskTemplate: 'ext' }] });
    const residents = new Residents(state, [0, 1, 2]);
    applyMove(state, 0, FAILOVER_TO_ANY, 2, false);
    residents.refresh([0, 2]);
    expect([...residents.moversOf(0)]).to.deep.equal([2]);
  });
});
