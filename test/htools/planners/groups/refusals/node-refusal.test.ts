import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { DEFAULT_POLICY } from '../../../../../src/htools/cluster/policy.ts';
import { ALLOWED } from '../../../../../src/htools/cluster/refusal.ts';
import { primaryRefusal, secondaryRefusal } from '../../../../../src/htools/model/rules/admission.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import {
  primaryReason,
  secondaryReason,
} from '../../../../../src/htools/planners/groups/refusals/node-refusal.ts';
import { forSeeds } from '../../../../builders/seeds.ts';
import { type ClusterSketch, smallCluster } from '../../../../builders/small-cluster.ts';
import { randomSuperCluster } from '../../../../builders/super-cluster.ts';
import { withWishes } from '../../../../builders/wishes.ts';

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

  it('gives the figures of the rules of a policy and of a node that keeps disk free', () => {
    const others = [{}, {}];
    const busy = { primary: 2, secondary: 0, vcpus: 3 };
    const keepsFree = { nodes: [...others, { minFreeDiskRatio: 0.9 }], instances: [{ diskMib: 20000 }] };
    expect(reasonOf(keepsFree)).to.deep.equal({
      rule: 'disk-reserve',
      needed: 20000,
      available: 10240,
      unit: 'MiB',
    });
    expect(reasonOf({ nodes: [...others, {}], instances: [{ vcpus: 30 }, busy] })).to.deep.equal({
      rule: 'vcpu-ratio',
      needed: 30,
      available: 8 * 4 - 3,
      unit: 'vcpus',
    });
    const policy = { ...DEFAULT_POLICY, vcpuRatio: 1.3 };
    expect(reasonOf({ groups: [{ policy }], nodes: [...others, {}], instances: [{ vcpus: 9 }, busy] }))
      .to.include({ rule: 'vcpu-ratio' })
      .and.to.include({ available: 7 });
    const crowded = { primary: 2, secondary: 0, spindleUse: 30 };
    expect(reasonOf({ nodes: [...others, {}], instances: [{ spindleUse: 4 }, crowded] })).to.deep.equal({
      rule: 'spindle-ratio',
      needed: 4,
      available: 2,
      unit: 'spindles',
    });
  });

  it('tells the spindles that are left under exclusive storage', () => {
    const nodes = [{}, {}, { hasExclusiveStorage: true, spindles: 2, freeSpindles: 2 }];
    const wants = (spindles: number) =>
      reasonOf({ nodes, instances: [{ disks: [{ sizeMib: 4096, spindles }] }] });
    expect(wants(3)).to.deep.equal({ rule: 'spindles', needed: 3, available: 2, unit: 'spindles' });
    expect(wants(2)).to.equal(undefined);
  });

  it('names instances that it has to be with', () => {
    const tags = ['htools:together:web'];
    const instances = [
      { diskTemplate: 'ext' as const, tags },
      { diskTemplate: 'ext' as const, primary: 1, tags },
    ];
    expect(reasonOf({ nodes: [{}, {}, {}], instances })).to.deep.equal({ rule: 'together' });
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
      const cluster = randomSuperCluster(seed, { groups: [2, 3], nodes: [3, 5] }, { fill: [0.6, 1] });
      const isWishful = seed % 3 === 0;
      const state = new ClusterState(
        isWishful ? withWishes(cluster, new Random(seed, 'wishes'), 0.1) : cluster,
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
