import { expect } from 'chai';
import {
  FAIL_CPU,
  FAIL_DISK,
  FAIL_MEM,
  FAIL_N1,
  FAIL_SPINDLES,
  FAIL_TAGS,
} from '../../../../../src/htools/cluster/refusal.ts';
import { shrinkCount, shrunk } from '../../../../../src/htools/planners/allocate/fill/shrink.ts';
import {
  sizeCounts,
  sizedInstance,
  sizeOf,
} from '../../../../../src/htools/planners/allocate/sized-instance.ts';

const SIZE = { memMib: 256, diskMib: 1024, vcpus: 3, spindles: 2 };
const instance = sizedInstance(SIZE, 'drbd', 1);

describe('shrinking an instance', () => {
  it('takes 64 MiB of memory, 256 MiB of disk, one cpu or one spindle a step, and leaves one step', () => {
    expect(sizeOf(shrunk(instance, FAIL_MEM, 1))).to.deep.equal({ ...SIZE, memMib: 192 });
    expect(sizeOf(shrunk(instance, FAIL_DISK, 2))).to.deep.equal({ ...SIZE, diskMib: 512 });
    expect(sizeOf(shrunk(instance, FAIL_CPU, 1))).to.deep.equal({ ...SIZE, vcpus: 2 });
    expect(sizeOf(shrunk(instance, FAIL_SPINDLES, 1))).to.deep.equal({ ...SIZE, spindles: 1 });
    const counts = [FAIL_MEM, FAIL_DISK, FAIL_CPU, FAIL_SPINDLES].map((code) => shrinkCount(instance, code));
    expect(counts).to.deep.equal([3, 3, 2, 1]);
  });

  it('shrinks the disk with its sum', () => {
    expect(shrunk(instance, FAIL_DISK, 1).disks).to.deep.equal([{ sizeMib: 768, spindles: 2 }]);
  });

  it('does not go below one step when the size is no multiple of it', () => {
    const odd = { ...instance, memMib: 191 };
    expect(shrinkCount(odd, FAIL_MEM)).to.equal(1);
    expect(shrunk(odd, FAIL_MEM, 1).memMib).to.equal(127);
  });

  it('cannot help against rules that are not about an amount', () => {
    expect([FAIL_N1, FAIL_TAGS].map((code) => shrinkCount(instance, code))).to.deep.equal([0, 0]);
  });
});

describe('sizes', () => {
  it('are counted in the order in which they came', () => {
    const small = shrunk(instance, FAIL_MEM, 1);
    expect(sizeCounts([instance, instance, small, instance])).to.deep.equal([
      { ...SIZE, count: 2 },
      { ...SIZE, memMib: 192, count: 1 },
      { ...SIZE, count: 1 },
    ]);
  });
});
