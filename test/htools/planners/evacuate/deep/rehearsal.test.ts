import { expect } from 'chai';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { carryOut } from '../../../../../src/htools/planners/evacuate/deep/rehearsal.ts';
import { smallCluster } from '../../../../builders/small-cluster.ts';

describe('an evacuation that is carried out', () => {
  it('seeks another place for who is refused the second half of its own', () => {
    const nodes = [{}, {}, {}, { freeDiskMib: 0 }, {}];
    const state = new ClusterState(smallCluster({ nodes, instances: [{}] }));
    const task = { state, mode: 'all', ignoreSoftErrors: false, targets: new Map([[0, [2, 3, 4]]]) } as const;
    const [outcome] = carryOut(task, new Map([[0, { primary: 2, secondary: 3 }]]));
    expect(outcome).to.include({ isMoved: true });
    expect([state.primary[0], state.secondary[0]]).to.have.members([2, 4]);
  });
});
