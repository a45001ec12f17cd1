import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { SuperCluster } from '../../../../../src/htools/planners/groups/homes/super-cluster.ts';
import { relocate } from '../../../../../src/htools/planners/groups/relocate/relocation.ts';
import { GroupLoads } from '../../../../../src/htools/planners/groups/spread/group-load.ts';
import { forSeeds } from '../../../../builders/seeds.ts';
import { smallCluster, times } from '../../../../builders/small-cluster.ts';
import { randomSuperCluster } from '../../../../builders/super-cluster.ts';

const cluster = (): SuperCluster =>
  new SuperCluster(
    smallCluster({
      groups: [{}, {}],
      nodes: [...times(2, () => ({})), ...times(2, () => ({ group: 1 }))],
      instances: [
        { diskTemplate: 'ext' },
        { diskTemplate: 'ext', primary: 1 },
        {},
        { diskTemplate: 'ext', primary: 2 },
      ],
    }),
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

  it('bounds the spread behind a move to any of some groups, closely where these are alike', () => {
    let closest = Number.POSITIVE_INFINITY;
    forSeeds(40, (seed) => {
      const cluster = new SuperCluster(randomSuperCluster(seed, { groups: [2, 6], nodes: [2, 5] }));
      const { state, groups } = cluster;
      const random = new Random(seed, 'reach');
      for (let k = 0; k < state.utilisation.length; k++) state.utilisation[k] = random.real(0, 2);
      const loads = new GroupLoads(cluster);
      for (let i = 0; i < state.instanceCount; i++) {
        const from = state.groupOf[state.primary[i]!]!;
        const targets = groups.filter((group) => group !== from);
        if (state.isOffline[state.primary[i]!] || targets.length === 0) continue;
        const least = loads.leastAfter(i, from, loads.reachOf(targets));
        const lowest = Math.min(...loads.scoresAfter(i, from, targets));
        expect(least, `seed ${seed}, instance ${i}`).to.be.at.most(lowest);
        closest = Math.min(closest, lowest - least);
      }
    });
    expect(closest).to.be.below(1e-9);
  });

  it('names the groups above the mean by more than the threshold, with the resources', () => {
    const loads = new GroupLoads(cluster());
    expect(loads.outliers(0.1)).to.deep.equal([{ group: 0, resources: ['cpu', 'memory', 'disk', 'net'] }]);
    expect(loads.outliers(0.55)).to.deep.equal([{ group: 0, resources: ['disk'] }]);
    expect(loads.outliers(0.7)).to.deep.equal([]);
  });
});
