import { expect } from 'chai';
import { Random } from '../../../../bench/generate/random.ts';
import { DEFAULT_POLICY } from '../../../../src/htools/cluster/policy.ts';
import { applyNodeOptions } from '../../../../src/htools/cluster/prepare/node-options.ts';
import { ALLOWED } from '../../../../src/htools/cluster/refusal.ts';
import { mustLeaveSome, RULES, type RuleName, ruleOf } from '../../../../src/htools/cluster/rules.ts';
import {
  ANY_PRIMARY,
  primaryRefusal,
  secondaryRefusal,
} from '../../../../src/htools/model/rules/admission.ts';
import { primaryReason, secondaryReason } from '../../../../src/htools/model/rules/refusals.ts';
import { amountsOf, Rooms, roomsOf } from '../../../../src/htools/model/rules/rooms.ts';
import * as F from '../../../../src/htools/model/state/node-fields.ts';
import { ClusterState, IS_FORTHCOMING } from '../../../../src/htools/model/state/state.ts';
import { forSeeds } from '../../../builders/seeds.ts';
import { type ClusterSketch, smallCluster } from '../../../builders/small-cluster.ts';
import { randomSuperCluster } from '../../../builders/super-cluster.ts';
import { withWishes } from '../../../builders/wishes.ts';

/**
 * Has less in the books of what is there than in those with what is to come, now here and now there: no
 * cluster does, and so only this shows that both are asked.
 */
function withOddBooks(state: ClusterState, random: Random): ClusterState {
  const { nodeFields: f } = state;
  for (let n = 0; n < state.nodeCount; n++) {
    const at = n * F.NODE_STRIDE;
    for (const free of [F.FREE_MEM, F.FREE_DISK, F.FREE_SPINDLES])
      if (random.chance(0.3)) f[at + free] = Math.trunc(f[at + free]! * random.real(0, 1));
    for (const used of [F.USED_CPU, F.INSTANCE_SPINDLES])
      if (random.chance(0.3)) f[at + used]! += random.below(60);
    // Of a node that fails N+1 already nobody asks for it, and the other rules of memory are heard.
    if (random.chance(0.5)) f[at + F.FAILS_N1] = 1;
  }
  return state;
}

/** Whether a rule looks at no more than an amount, so that rooms know it. */
function isAmount(name: RuleName): boolean {
  const lift = ruleOf(name)?.lift;
  return name !== 'n-plus-one' && lift !== undefined && 'more' in lift;
}

const reasonOf = (sketch: ClusterSketch) => primaryReason(new ClusterState(smallCluster(sketch)), 0, 2);

describe('why a node refuses an instance', () => {
  it('names the rule, and figures by which it refuses', () => {
    const instances = [{ memMib: 4000 }];
    const nodes = [{}, {}];
    expect(reasonOf({ nodes: [...nodes, { totalMemMib: 4096 }], instances })).to.deep.equal({
      rule: 'memory',
      needed: 4000,
      available: 3072,
      unit: 'MiB',
    });
    expect(reasonOf({ nodes: [...nodes, { totalDiskMib: 4096 }], instances })).to.deep.include({
      rule: 'disk',
      needed: 4096,
      available: 4096,
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
      .and.to.have.property('available')
      .that.is.closeTo(7.4, 1e-9);
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
      available: 1360,
      unit: 'MiB',
      withForthcoming: true,
    });
  });

  it('has the reason of the first rule that refuses, and figures that tell why', () => {
    let refused = 0;
    forSeeds(60, (seed) => {
      const isOdd = seed % 2 === 1;
      const cluster = applyNodeOptions(
        randomSuperCluster(seed, { groups: [2, 3], nodes: [3, 5] }, { fill: [0.6, 1] }),
        { offline: [], minDiskRatio: isOdd ? 0.2 : 0, maxCpuRatio: undefined },
      );
      const isWishful = seed % 3 === 0;
      const made = new ClusterState(
        isWishful ? withWishes(cluster, new Random(seed, 'wishes'), 0.1) : cluster,
      );
      const state = isOdd ? withOddBooks(made, new Random(seed, 'books')) : made;
      const amounts = amountsOf(state);
      const rooms = new Rooms(roomsOf(state, amounts), amounts);
      for (let i = 0; i < Math.min(state.instanceCount, 12); i++) {
        for (let n = 0; n < state.nodeCount; n++) {
          if (n === state.primary[i] || n === state.secondary[i] || !state.reaches(i, n)) continue;
          const label = `seed ${seed}, instance ${i}, node ${n}`;
          const isMirrored = state.secondary[i]! >= 0;
          for (const primary of [undefined, ...(isMirrored ? [ANY_PRIMARY, state.primary[i]!] : [])]) {
            for (const isForced of [false, true]) {
              const code =
                primary === undefined
                  ? primaryRefusal(state, i, n, isForced)
                  : secondaryRefusal(state, i, n, primary, false, isForced);
              const reasonFor = (isAsked?: (rule: RuleName) => boolean) =>
                primary === undefined
                  ? primaryReason(state, i, n, isAsked)
                  : secondaryReason(state, i, n, primary, isAsked);
              if (!isForced) {
                const first = reasonFor();
                expect(first && RULES[first.rule].code, label).to.equal(code === ALLOWED ? undefined : code);
                const isOfRooms = !first || isAmount(first.rule);
                if (primary === undefined && isOfRooms && !(state.flags[i]! & IS_FORTHCOMING))
                  expect(rooms.admitsPrimary(i, n, false, false), label).to.equal(!first);
              }
              if (code === ALLOWED) continue;
              refused++;
              const { rule, needed, available } = reasonFor((one) => RULES[one].code === code)!;
              if (needed === undefined) continue;
              if (mustLeaveSome(rule)) expect(needed, label).to.be.at.least(available!);
              else expect(needed, label).to.be.above(available!);
            }
          }
        }
      }
    });
    expect(refused).to.be.above(100);
  });
});
