import { expect } from 'chai';
import { DEFAULT_POLICY } from '../../../../src/htools/cluster/policy.ts';
import { ALLOWED, FAIL_CPU } from '../../../../src/htools/cluster/refusal.ts';
import { primaryRefusal, secondaryRefusal } from '../../../../src/htools/model/rules/admission.ts';
import { exceedsVcpuRatio } from '../../../../src/htools/model/rules/vcpu-ratio.ts';
import { type InstanceSketch, type NodeSketch, smallState } from '../../../builders/small-cluster.ts';

describe('the vcpu ratio rule', () => {
  const policy = { ...DEFAULT_POLICY, vcpuRatio: 2 };
  const to = (node: NodeSketch, instance: InstanceSketch) =>
    smallState({ groups: [{ policy }], nodes: [{}, {}, { totalCpus: 4, ...node }], instances: [instance] });

  it('admits vcpus up to the ratio, softly', () => {
    expect(primaryRefusal(to({}, { vcpus: 8 }), 0, 2, false)).to.equal(ALLOWED);
    expect(primaryRefusal(to({}, { vcpus: 9 }), 0, 2, false)).to.equal(FAIL_CPU);
    expect(primaryRefusal(to({}, { vcpus: 9 }), 0, 2, true)).to.equal(ALLOWED);
  });

  it('counts the node’s own vcpus', () => {
    expect(primaryRefusal(to({ nodeCpus: 1 }, { vcpus: 8 }), 0, 2, false)).to.equal(FAIL_CPU);
  });

  it('counts nothing for an instance that is set offline', () => {
    expect(primaryRefusal(to({}, { vcpus: 9, status: 'ADMIN_offline' }), 0, 2, false)).to.equal(ALLOWED);
  });

  it('counts reserved instances', () => {
    const state = smallState({
      groups: [{ policy }],
      nodes: [{}, {}, { totalCpus: 4 }],
      instances: [{ vcpus: 4 }, { vcpus: 5, isForthcoming: true, primary: 2, secondary: 0 }],
    });
    expect(primaryRefusal(state, 0, 2, false)).to.equal(FAIL_CPU);
  });

  it('gives way to --max-cpu', () => {
    expect(primaryRefusal(to({ maxVcpuRatio: 1 }, { vcpus: 5 }), 0, 2, false)).to.equal(FAIL_CPU);
    expect(primaryRefusal(to({ maxVcpuRatio: 3 }, { vcpus: 12 }), 0, 2, false)).to.equal(ALLOWED);
  });

  it('knows no limit below zero', () => {
    expect(exceedsVcpuRatio(to({ maxVcpuRatio: -1 }, {}), 2, 1000)).to.equal(false);
  });

  it('does not look at secondaries', () => {
    expect(secondaryRefusal(to({}, { vcpus: 9 }), 0, 2, 0, false, false)).to.equal(ALLOWED);
  });
});
