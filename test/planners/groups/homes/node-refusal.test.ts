import { expect } from 'chai';
import { ALLOWED } from '../../../../src/cluster/refusal.ts';
import { primaryRefusal, secondaryRefusal } from '../../../../src/model/rules/admission.ts';
import { ClusterState } from '../../../../src/model/state/state.ts';
import { primaryReason, secondaryReason } from '../../../../src/planners/groups/homes/node-refusal.ts';
import { forSeeds } from '../../../builders/seeds.ts';
import { type ClusterSketch, smallCluster } from '../../../builders/small-cluster.ts';
import { randomSuperCluster } from '../../../builders/super-cluster.ts';

const reasonOf = (sketch: ClusterSketch) => primaryReason(new ClusterState(smallCluster(sketch)), 0, 2);

describe('why a node refuses an instance', () => {
  it('names the rule, and figures by which it refuses', () => {
    const instances = [{ memMib: 4000 }];
    const nodes = [{}, {}];
    expect(reasonOf({ nodes: [...nodes, { totalMemMib: 4096 }], instances })).to.deep.equal({
      rule: 'memory',
      needed: 4000,
      available: 3071,
      unit: 'MiB',
    });
    expect(reasonOf({ nodes: [...nodes, { totalDiskMib: 4096 }], instances })).to.deep.include({
      rule: 'disk',
      needed: 4096,
      available: 4095,
    });
  });

  it('tells the books with instances to come from those without', () => {
    const coming = { primary: 2, secondary: 1, memMib: 14000, isForthcoming: true };
    expect(reasonOf({ nodes: [{}, {}, {}], instances: [{ memMib: 2000 }, coming] })).to.deep.equal({
      rule: 'memory',
      needed: 2000,
      available: 1359,
      unit: 'MiB',
      withForthcoming: true,
    });
  });

  it('has a reason exactly where the rules refuse, and figures that tell why', () => {
    let refused = 0;
    forSeeds(30, (seed) => {
      const state = new ClusterState(
        randomSuperCluster(seed, { groups: [2, 3], nodes: [3, 5] }, { fill: [0.6, 1] }),
      );
      for (let i = 0; i < Math.min(state.instanceCount, 12); i++) {
        for (let n = 0; n < state.nodeCount; n++) {
          if (n === state.primary[i] || n === state.secondary[i] || !state.reaches(i, n)) continue;
          const reasons = [
            [primaryRefusal(state, i, n, false), primaryReason(state, i, n)],
            ...(state.secondary[i]! >= 0
              ? [[secondaryRefusal(state, i, n, n, false, false), secondaryReason(state, i, n)]]
              : []),
          ] as const;
          for (const [code, reason] of reasons) {
            expect(reason === undefined, `seed ${seed}, instance ${i}, node ${n}`).to.equal(code === ALLOWED);
            if (reason === undefined) continue;
            refused++;
            if (typeof reason === 'object' && reason.needed !== undefined)
              expect(reason.needed).to.be.above(reason.available!);
          }
        }
      }
    });
    expect(refused).to.be.above(100);
  });
});
