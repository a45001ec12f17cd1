import { expect } from 'chai';
import { allHomesWithin } from '../../../../../src/htools/planners/groups/heal/within.ts';
import { groupsReport } from '../../../../../src/htools/planners/groups/homes/overview.ts';
import { type Health, SuperCluster } from '../../../../../src/htools/planners/groups/homes/super-cluster.ts';
import { nodesOf, relocate } from '../../../../../src/htools/planners/groups/relocate/relocation.ts';
import { forSeeds } from '../../../../builders/seeds.ts';
import { type ClusterSketch, smallCluster } from '../../../../builders/small-cluster.ts';
import { randomSuperCluster } from '../../../../builders/super-cluster.ts';

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

  it('is not touched by a secondary that a record names where there is no second copy', () => {
    const nodes = [{}, {}, { isOffline: true }];
    const named: ClusterSketch = { nodes, instances: [{ diskTemplate: 'ext', secondary: 2 }] };
    expect(healthOf(named).state).to.equal('healthy');
    expect(groupsReport(smallCluster(named)).groups[0]).to.include({ state: 'healthy', deadNodes: 0 });
  });

  it('is weak when a node could not take over from its peer', () => {
    const health = healthOf({ nodes: [{}, { freeMemMib: 512 }, {}], instances: [{ memMib: 1024 }] });
    expect(health.state).to.equal('weak');
    expect(health.overcommitted).to.deep.equal([1]);
  });

  it('is weak when a node has no more than what is reserved on it, as in hcheck', () => {
    const stateWith = (freeMemMib: number) =>
      healthOf({ nodes: [{}, { freeMemMib }, {}], instances: [{ memMib: 1024 }] }).state;
    expect(stateWith(1024)).to.equal('weak');
    expect(stateWith(1025)).to.equal('healthy');
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

describe('the health of a group after a trial', () => {
  it('counts the nodes that fail as taking the move over would', () => {
    let changed = 0;
    forSeeds(8, (seed) => {
      const sizes = { groups: [1, 2], nodes: [3, 6] } as const;
      const cluster = new SuperCluster(randomSuperCluster(seed, sizes, { brokenShare: 0.5 }));
      const { state } = cluster;
      for (let i = 0; i < cluster.snapshot.instances.length; i++) {
        const group = state.groupOf[state.primary[i]!]!;
        const before = cluster.healthOf(group).failing.length;
        for (const home of allHomesWithin(cluster, i).slice(0, 6)) {
          const mark = cluster.mark();
          const moved = relocate(state, i, home);
          if (!moved) continue;
          const counted = cluster.failingAfter(group, nodesOf(moved), Number.POSITIVE_INFINITY);
          const limited = cluster.failingAfter(group, nodesOf(moved), counted - 1);
          cluster.refresh(nodesOf(moved));
          expect(counted, `seed ${seed}`).to.equal(cluster.healthOf(group).failing.length);
          expect(cluster.isHealthy(group)).to.equal(cluster.healthOf(group).state === 'healthy');
          if (counted > 0) expect(limited).to.be.above(counted - 1);
          if (counted !== before) changed++;
          cluster.rollback(mark);
        }
      }
    });
    expect(changed).to.be.above(20);
  });
});
