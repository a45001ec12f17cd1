import { expect } from 'chai';
import { DEFAULT_POLICY } from '../../../../src/htools/cluster/policy.ts';
import { ALLOWED, FAIL_DISK, FAIL_SPINDLES } from '../../../../src/htools/cluster/refusal.ts';
import { primaryRefusal, secondaryRefusal } from '../../../../src/htools/model/rules/admission.ts';
import { type NodeSketch, smallState } from '../../../builders/small-cluster.ts';

describe('the spindle rule', () => {
  const exclusive: NodeSketch = { hasExclusiveStorage: true, spindles: 8 };
  const dedicated = (freeSpindles: number, spindles: number | undefined) =>
    smallState({
      nodes: [exclusive, exclusive, { ...exclusive, freeSpindles }],
      instances: [{ disks: [{ sizeMib: 4096, spindles }] }],
    });

  it('asks for free spindles under exclusive storage, and is hard', () => {
    for (const ignoreSoftErrors of [false, true]) {
      expect(primaryRefusal(dedicated(1, 2), 0, 2, ignoreSoftErrors)).to.equal(FAIL_SPINDLES);
      expect(secondaryRefusal(dedicated(1, 2), 0, 2, 0, false, ignoreSoftErrors)).to.equal(FAIL_SPINDLES);
      expect(primaryRefusal(dedicated(2, 2), 0, 2, ignoreSoftErrors)).to.equal(ALLOWED);
    }
  });

  it('gives an instance with unknown spindles no place there', () => {
    expect(primaryRefusal(dedicated(8, undefined), 0, 2, true)).to.equal(FAIL_SPINDLES);
  });

  it('holds the policy’s ratio elsewhere, softly', () => {
    const policy = { ...DEFAULT_POLICY, spindleRatio: 2 };
    const shared = (spindleUse: number) =>
      smallState({ groups: [{ policy }], nodes: [{}, {}, { spindles: 1 }], instances: [{ spindleUse }] });
    expect(primaryRefusal(shared(2), 0, 2, false)).to.equal(ALLOWED);
    expect(primaryRefusal(shared(3), 0, 2, false)).to.equal(FAIL_DISK);
    expect(secondaryRefusal(shared(3), 0, 2, 0, false, false)).to.equal(FAIL_DISK);
    expect(primaryRefusal(shared(3), 0, 2, true)).to.equal(ALLOWED);
  });

  it('counts no spindles for shared storage', () => {
    const policy = { ...DEFAULT_POLICY, spindleRatio: 2 };
    const state = smallState({
      groups: [{ policy }],
      nodes: [{}, {}],
      instances: [{ diskTemplate: 'ext', spindleUse: 9 }],
    });
    expect(primaryRefusal(state, 0, 1, false)).to.equal(ALLOWED);
  });
});
