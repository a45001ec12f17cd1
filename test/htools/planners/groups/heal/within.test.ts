import { expect } from 'chai';
import { allHomesWithin, bestWithin } from '../../../../../src/htools/planners/groups/heal/within.ts';
import { SuperCluster } from '../../../../../src/htools/planners/groups/homes/super-cluster.ts';
import { type NodeSketch, smallCluster } from '../../../../builders/small-cluster.ts';

/** Homes of an instance on the first two nodes; the third is the only other one of its group. */
const homesWith = (first: NodeSketch, second: NodeSketch): string[] =>
  allHomesWithin(
    new SuperCluster(
      smallCluster({ groups: [{}, {}], nodes: [first, second, {}, { group: 1 }], instances: [{}] }),
    ),
    0,
  ).map(({ primary, secondary }) => `${primary} ${secondary}`);

describe('homes within a group', () => {
  it('are on the old nodes the other way round, or on one of them and a new one', () => {
    expect(homesWith({}, {}).sort()).to.deep.equal(['0 2', '1 0', '1 2', '2 0', '2 1']);
  });

  it('keep no offline node', () => {
    expect(homesWith({ isOffline: true }, {}).sort()).to.deep.equal(['1 2', '2 1']);
    expect(homesWith({}, { isOffline: true }).sort()).to.deep.equal(['0 2', '2 0']);
  });

  it('keep no node of another group', () => {
    expect(homesWith({}, { group: 1 }).sort()).to.deep.equal(['0 2', '2 0']);
  });

  it('let no node of another group fail whose instances would start again there', () => {
    const cluster = new SuperCluster(
      smallCluster({
        groups: [{}, {}],
        nodes: [{}, {}, { group: 1, isOffline: true }, { group: 1 }, { group: 1, totalMemMib: 6024 }],
        instances: [
          { memMib: 2000, primary: 0, secondary: 4 },
          // The last node fails N+1 for this one already, and has room for the first.
          { memMib: 6000, primary: 3, secondary: 4 },
          { memMib: 3500, primary: 2, secondary: 4, status: 'ERROR_nodeoffline' },
        ],
      }),
    );
    expect(cluster.isHealthy(0)).to.equal(true);
    expect(cluster.move(2, { group: 1, primary: 4, secondary: 3 })).to.equal(undefined);
    const { home } = bestWithin(cluster, 2)!;
    expect(home).to.deep.equal({ group: 1, primary: 3, secondary: 4 });
    cluster.move(2, home);
    expect(cluster.isHealthy(0)).to.equal(true);
  });
});
