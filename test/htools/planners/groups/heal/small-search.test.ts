import { expect } from 'chai';
import { healByFewMoves } from '../../../../../src/htools/planners/groups/heal/small-search.ts';
import { GroupRules } from '../../../../../src/htools/planners/groups/homes/leaving.ts';
import { SuperCluster } from '../../../../../src/htools/planners/groups/homes/super-cluster.ts';
import { isWithin } from '../../../../../src/htools/planners/groups/relocate/relocation.ts';
import { type ClusterSketch, smallCluster } from '../../../../builders/small-cluster.ts';
import { imageOf } from '../../../../builders/state-image.ts';

const clusterOf = (sketch: Partial<ClusterSketch>): SuperCluster =>
  new SuperCluster(
    smallCluster({
      groups: [{}, {}],
      nodes: [{ isOffline: true }, { totalMemMib: 3072 }, { totalMemMib: 3072 }, { group: 1 }, { group: 1 }],
      ...sketch,
    }),
  );

const heal = (cluster: SuperCluster, targets: readonly number[], states = 5000) =>
  healByFewMoves(cluster, 0, new GroupRules(cluster), (group) => targets.includes(group), { states });

const CROWDED = {
  instances: [
    { memMib: 1500, status: 'ERROR_nodeoffline' },
    { memMib: 1000, diskTemplate: 'ext', primary: 1 },
  ],
} as const;

describe('healing by trying everything', () => {
  it('lets one move make room for another, with as few moves as there may be', () => {
    const cluster = clusterOf(CROWDED);
    const moves = heal(cluster, [1])!;
    expect(moves.map(({ instance }) => instance)).to.deep.equal([1, 0]);
    expect(cluster.healthOf(0).state).to.equal('healthy');
    expect(cluster.healthOf(1).state).to.equal('healthy');
  });

  it('stays within the group where no other may take anything', () => {
    const cluster = clusterOf({ instances: [{ diskTemplate: 'ext', status: 'ERROR_nodeoffline' }] });
    const moves = heal(cluster, [])!;
    expect(moves.every(isWithin)).to.equal(true);
  });

  it('leaves no trace when it finds nothing, or its states run out', () => {
    for (const [targets, states] of [
      [[], 5000],
      [[1], 1],
    ] as const) {
      const cluster = clusterOf(CROWDED);
      const before = imageOf(cluster.state);
      expect(heal(cluster, targets, states)).to.equal(undefined);
      expect(imageOf(cluster.state)).to.deep.equal(before);
    }
  });
});
