import { expect } from 'chai';
import { DEFAULT_POLICY } from '../../../../src/htools/cluster/policy.ts';
import { FAIL_MODES } from '../../../../src/htools/cluster/refusal.ts';
import type { InstancePolicy, InstanceSpec } from '../../../../src/htools/cluster/snapshot.ts';
import { policyRefusal } from '../../../../src/htools/model/rules/policy.ts';
import { type InstanceSketch, instanceFrom } from '../../../builders/small-cluster.ts';

const spec = (changes: Partial<InstanceSpec>): InstanceSpec => ({
  memoryMib: 512,
  cpuCount: 1,
  diskMib: 1024,
  diskCount: 1,
  nicCount: 0,
  spindleUse: 1,
  ...changes,
});
const largest = { memoryMib: 4096, cpuCount: 4, diskMib: 8192, diskCount: 2, spindleUse: 3 };
const policy: InstancePolicy = {
  ...DEFAULT_POLICY,
  ranges: [{ min: spec({}), max: spec(largest) }],
  diskTemplates: ['drbd', 'diskless'],
};

const verdict = (sketch: InstanceSketch, isExclusive = false, rules = policy): string =>
  FAIL_MODES[policyRefusal(instanceFrom(sketch, 0), rules, isExclusive)]!;

describe('the policy rule', () => {
  it('takes an instance on the bounds and refuses one beyond them, by figure', () => {
    expect(verdict({ memMib: 4096, vcpus: 4 })).to.equal('Allowed');
    expect(verdict({ memMib: 4097 })).to.equal('FailMem');
    expect(verdict({ memMib: 511 })).to.equal('FailMem');
    expect(verdict({ vcpus: 5 })).to.equal('FailCPU');
    expect(verdict({ disks: [{ sizeMib: 8193 }] })).to.equal('FailDisk');
    expect(verdict({ disks: [{ sizeMib: 2048 }, { sizeMib: 2048 }, { sizeMib: 2048 }] })).to.equal(
      'FailDiskCount',
    );
    expect(verdict({ spindleUse: 4 })).to.equal('FailSpindles');
  });

  it('asks for the disks of an instance that has some, and for its template', () => {
    expect(verdict({ diskTemplate: 'diskless', disks: [] })).to.equal('Allowed');
    expect(verdict({ diskTemplate: 'plain' })).to.equal('FailDisk');
  });

  it('counts the spindles of the disks where storage is exclusive', () => {
    expect(verdict({ spindleUse: 9, disks: [{ sizeMib: 4096, spindles: 2 }] }, true)).to.equal('Allowed');
    expect(verdict({ disks: [{ sizeMib: 4096, spindles: 4 }] }, true)).to.equal('FailSpindles');
    expect(verdict({ disks: [{ sizeMib: 4096 }] }, true)).to.equal('FailSpindles');
  });

  it('admits what lies within any of several ranges, and else tells what the first one says', () => {
    const small = { min: spec({}), max: spec({ ...largest, memoryMib: 600 }) };
    const oneCpu = { min: spec({}), max: spec({ ...largest, cpuCount: 1 }) };
    const two = { ...policy, ranges: [small, oneCpu] };
    expect(verdict({ memMib: 600, vcpus: 4 }, false, two)).to.equal('Allowed');
    expect(verdict({ memMib: 4096, vcpus: 1 }, false, two)).to.equal('Allowed');
    expect(verdict({ memMib: 4096, vcpus: 4 }, false, two)).to.equal('FailMem');
  });

  it('admits everything where it has no ranges', () => {
    expect(verdict({ memMib: 1 }, false, { ...policy, ranges: [] })).to.equal('Allowed');
  });
});
