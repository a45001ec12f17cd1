import { expect } from 'chai';
import { allHomesWithin } from '../../../../../src/htools/planners/groups/heal/within.ts';
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
});
