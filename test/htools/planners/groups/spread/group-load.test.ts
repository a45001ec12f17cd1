import { expect } from 'chai';
import { withHandsOff } from '../../../../../src/htools/cluster/tags/hands-off.ts';
import { SuperCluster } from '../../../../../src/htools/planners/groups/homes/super-cluster.ts';
import { relocate } from '../../../../../src/htools/planners/groups/relocate/relocation.ts';
import { GroupLoads } from '../../../../../src/htools/planners/groups/spread/group-load.ts';
import { type ClusterSketch, smallCluster, times } from '../../../../builders/small-cluster.ts';

/** Two groups of two nodes. @param about the first of each, in place of plain ones */
const cluster = (about: Partial<ClusterSketch> = {}): SuperCluster =>
  new SuperCluster(
    withHandsOff(
      smallCluster({
        groups: [...(about.groups ?? [{}]), {}],
        nodes: [...(about.nodes ?? [{}]), {}, ...times(2, () => ({ group: 1 }))],
        instances: [
          { diskTemplate: 'ext' },
          { diskTemplate: 'ext', primary: 1 },
          {},
          { diskTemplate: 'ext', primary: 2 },
        ],
      }),
    ),
  );

describe('the load of groups', () => {
  it('is relative to that of the cluster', () => {
    const loads = new GroupLoads(cluster());
    expect(loads.of(0)[0]).to.be.closeTo(3 / 2, 1e-12);
    expect(loads.of(1)[0]).to.be.closeTo(1 / 2, 1e-12);
  });

  it('has a spread of the standard deviation, summed over the resources', () => {
    // Cpu, memory and net: 1.5 and 0.5. Disk: the DRBD instance writes on both nodes, so 4 of 5 and 1 of 5.
    expect(new GroupLoads(cluster()).score).to.be.closeTo(3 * 0.5 + 0.6, 1e-12);
  });

  it('counts what is left alone as it is', () => {
    const tags = ['htools:hands-off'];
    for (const left of [{ groups: [{ tags }] }, { nodes: [{ tags }] }])
      expect(new GroupLoads(cluster(left)).score).to.equal(new GroupLoads(cluster()).score);
  });

  it('foretells the spread behind a move, whatever is moved', () => {
    const before = new GroupLoads(cluster());
    for (const [i, secondary] of [
      [0, -1],
      [2, 3],
    ] as const) {
      const after = cluster();
      relocate(after.state, i, { group: 1, primary: 2, secondary });
      expect(before.scoresAfter(i, 0, [1])[0]!).to.be.closeTo(new GroupLoads(after).score, 1e-12);
    }
  });

  it('names the resources in which a group is above the mean by more than the threshold', () => {
    const loads = new GroupLoads(cluster());
    expect(loads.above(0, 0.1)).to.deep.equal(['cpu', 'memory', 'disk', 'net']);
    expect(loads.above(0, 0.55)).to.deep.equal(['disk']);
    expect([loads.above(0, 0.7), loads.above(1, 0.1)]).to.deep.equal([[], []]);
  });
});
