import { expect } from 'chai';
import { ALLOWED, FAIL_MEM } from '../../../../src/htools/cluster/refusal.ts';
import { primaryRefusal, secondaryRefusal } from '../../../../src/htools/model/rules/admission.ts';
import { freeMemForthcomingWith, freeMemWith } from '../../../../src/htools/model/rules/memory.ts';
import { type InstanceSketch, smallState } from '../../../builders/small-cluster.ts';

const external = (memMib: number, more: InstanceSketch = {}): InstanceSketch => ({
  diskTemplate: 'ext',
  memMib,
  ...more,
});

describe('the memory rule', () => {
  const withRoom = (freeMib: number, instance: InstanceSketch) =>
    smallState({ nodes: [{}, { totalMemMib: 1024 + freeMib }], instances: [instance] });

  it('asks for more than no memory left', () => {
    expect(primaryRefusal(withRoom(1024, external(1024)), 0, 1, false)).to.equal(FAIL_MEM);
    expect(primaryRefusal(withRoom(1025, external(1024)), 0, 1, false)).to.equal(ALLOWED);
  });

  it('is hard', () => {
    expect(primaryRefusal(withRoom(1024, external(1024)), 0, 1, true)).to.equal(FAIL_MEM);
  });

  it('counts the memory of an instance that is down softly', () => {
    const state = withRoom(512, external(1024, { status: 'ADMIN_down' }));
    expect(freeMemWith(state, 0, 1)).to.equal(512);
    expect(freeMemForthcomingWith(state, 0, 1)).to.equal(512 - 1024);
    expect(primaryRefusal(state, 0, 1, false)).to.equal(FAIL_MEM);
    expect(primaryRefusal(state, 0, 1, true)).to.equal(ALLOWED);
  });

  it('sees what a node misses', () => {
    const state = smallState({
      nodes: [{}, { totalMemMib: 4096, freeMemMib: 1000 }],
      instances: [external(1024)],
    });
    expect(primaryRefusal(state, 0, 1, false)).to.equal(FAIL_MEM);
  });

  it('sees reserved instances, softly', () => {
    const reserved = external(1024, { isForthcoming: true, primary: 1 });
    const state = smallState({
      nodes: [{}, { totalMemMib: 1024 + 2048 }],
      instances: [external(1024), reserved],
    });
    expect(primaryRefusal(state, 0, 1, false)).to.equal(FAIL_MEM);
    expect(primaryRefusal(state, 0, 1, true)).to.equal(ALLOWED);
  });

  it('asks a secondary for more memory than the instance would need there', () => {
    const need = (freeMib: number) =>
      smallState({ nodes: [{}, {}, { totalMemMib: 1024 + freeMib }], instances: [{}] });
    expect(secondaryRefusal(need(1024), 0, 2, 0, false, false)).to.equal(FAIL_MEM);
    expect(secondaryRefusal(need(1025), 0, 2, 0, false, false)).to.equal(ALLOWED);
    expect(secondaryRefusal(need(10), 0, 2, 0, false, true)).to.equal(ALLOWED);
  });

  it('asks a secondary for nothing when the instance is not balanced automatically', () => {
    const state = smallState({
      nodes: [{}, {}, { totalMemMib: 1024 + 10 }],
      instances: [{ isAutoBalanced: false }],
    });
    expect(secondaryRefusal(state, 0, 2, 0, false, false)).to.equal(ALLOWED);
  });
});
