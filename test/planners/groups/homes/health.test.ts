import { expect } from 'chai';
import type { Health } from '../../../../src/planners/groups/homes/health.ts';
import { SuperCluster } from '../../../../src/planners/groups/homes/super-cluster.ts';
import { type ClusterSketch, smallCluster } from '../../../builders/small-cluster.ts';

const healthOf = (sketch: ClusterSketch): Health => new SuperCluster(smallCluster(sketch)).healthOf(0);

describe('the health of a group', () => {
  it('is fine while every node could fail', () => {
    expect(healthOf({ nodes: [{}, {}], instances: [{}, { diskTemplate: 'ext' }] }).state).to.equal('healthy');
  });

  it('is not touched by an offline node that is empty', () => {
    expect(healthOf({ nodes: [{}, {}, { isOffline: true }], instances: [{}] }).state).to.equal('healthy');
  });

  it('is unhealthy with an offline node that has a secondary only', () => {
    const health = healthOf({ nodes: [{}, {}, { isOffline: true }], instances: [{ secondary: 2 }] });
    expect(health.state).to.equal('unhealthy');
    expect(health.deadNodes).to.deep.equal([2]);
  });

  it('is weak when a node could not take over from its peer', () => {
    const health = healthOf({ nodes: [{}, { freeMemMib: 512 }, {}], instances: [{ memMib: 1024 }] });
    expect(health.state).to.equal('weak');
    expect(health.overcommitted).to.deep.equal([1]);
  });

  it('is weak when the instances of a node on shared storage would find no room', () => {
    const health = healthOf({
      nodes: [{}, {}],
      instances: [
        { diskTemplate: 'ext', memMib: 9000 },
        { diskTemplate: 'ext', memMib: 7000, primary: 1 },
      ],
    });
    expect(health.state).to.equal('weak');
    expect(health.unrestartable).to.deep.equal([0, 1]);
  });
});
