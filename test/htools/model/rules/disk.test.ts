import { expect } from 'chai';
import { ALLOWED, FAIL_DISK } from '../../../../src/htools/cluster/refusal.ts';
import { primaryRefusal, secondaryRefusal } from '../../../../src/htools/model/rules/admission.ts';
import { type NodeSketch, smallState } from '../../../builders/small-cluster.ts';

describe('the disk rule', () => {
  const toThird = (third: NodeSketch) =>
    smallState({ nodes: [{}, {}, third], instances: [{ diskMib: 4096 }] });

  it('asks for more than no disk left, of primaries and secondaries, and is hard', () => {
    const full = toThird({ freeDiskMib: 4096 });
    const free = toThird({ freeDiskMib: 4097 });
    for (const ignoreSoftErrors of [false, true]) {
      expect(primaryRefusal(full, 0, 2, ignoreSoftErrors)).to.equal(FAIL_DISK);
      expect(secondaryRefusal(full, 0, 2, 0, false, ignoreSoftErrors)).to.equal(FAIL_DISK);
      expect(primaryRefusal(free, 0, 2, ignoreSoftErrors)).to.equal(ALLOWED);
      expect(secondaryRefusal(free, 0, 2, 0, false, ignoreSoftErrors)).to.equal(ALLOWED);
    }
  });

  it('keeps the share of --min-disk free, softly', () => {
    const kept = { minFreeDiskRatio: 0.5, totalDiskMib: 100000 };
    const state = toThird({ ...kept, freeDiskMib: 50000 + 4095 });
    expect(primaryRefusal(state, 0, 2, false)).to.equal(FAIL_DISK);
    expect(secondaryRefusal(state, 0, 2, 0, false, false)).to.equal(FAIL_DISK);
    expect(primaryRefusal(state, 0, 2, true)).to.equal(ALLOWED);
    expect(primaryRefusal(toThird({ ...kept, freeDiskMib: 50000 + 4096 }), 0, 2, false)).to.equal(ALLOWED);
  });

  it('does not look at the disks of shared storage', () => {
    const state = smallState({
      nodes: [{}, { freeDiskMib: 0 }],
      instances: [{ diskTemplate: 'ext', diskMib: 4096 }],
    });
    expect(primaryRefusal(state, 0, 1, false)).to.equal(ALLOWED);
  });

  it('lets a failed primary keep its disks when it becomes secondary', () => {
    const state = toThird({ freeDiskMib: 0 });
    expect(secondaryRefusal(state, 0, 2, 0, true, true)).to.equal(ALLOWED);
    expect(secondaryRefusal(state, 0, 2, 0, true, false)).to.equal(FAIL_DISK);
  });

  it('refuses a secondary to instances that have none', () => {
    const state = smallState({ nodes: [{}, {}], instances: [{ diskTemplate: 'ext' }] });
    expect(secondaryRefusal(state, 0, 1, 0, false, false)).to.equal(FAIL_DISK);
    expect(secondaryRefusal(state, 0, 1, 0, false, true)).to.equal(FAIL_DISK);
  });

  it('counts the disks of reserved instances, softly', () => {
    const state = smallState({
      nodes: [{}, {}, { totalDiskMib: 8000 }],
      instances: [{ diskMib: 4096 }, { diskMib: 4096, isForthcoming: true, primary: 2, secondary: 0 }],
    });
    expect(primaryRefusal(state, 0, 2, false)).to.equal(FAIL_DISK);
    expect(secondaryRefusal(state, 0, 2, 0, false, false)).to.equal(FAIL_DISK);
    expect(primaryRefusal(state, 0, 2, true)).to.equal(ALLOWED);
  });
});
