import { expect } from 'chai';
import { DEFAULT_POLICY } from '../../../../src/htools/cluster/policy.ts';
import { FAIL_CPU, FAIL_DISK, FAIL_MEM, FAIL_TAGS } from '../../../../src/htools/cluster/refusal.ts';
import { primaryRefusal, secondaryRefusal } from '../../../../src/htools/model/rules/admission.ts';
import { type NodeSketch, smallState } from '../../../builders/small-cluster.ts';

describe('admission', () => {
  const tags = ['service:web'];
  /** Node 2 breaks every rule for instance 0, but for those that the sketch mends. */
  const mending = (mended: NodeSketch, hasTwin = true) =>
    smallState({
      tags: ['htools:iextags:service'],
      groups: [{ policy: { ...DEFAULT_POLICY, vcpuRatio: 1 } }],
      nodes: [{}, {}, { freeMemMib: 0, freeDiskMib: 0, totalCpus: 1, ...mended }],
      instances: [
        { tags, vcpus: 2 },
        { tags: hasTwin ? tags : [], primary: 2, secondary: 1, memMib: 0 },
      ],
    });

  it('names the first rule that is broken: memory, disk, vcpus, tags', () => {
    const room = { freeMemMib: 8000 };
    const disk = { ...room, freeDiskMib: 50000 };
    const cpus = { ...disk, totalCpus: 8 };
    expect(primaryRefusal(mending({}), 0, 2, false)).to.equal(FAIL_MEM);
    expect(primaryRefusal(mending(room), 0, 2, false)).to.equal(FAIL_DISK);
    expect(primaryRefusal(mending(disk), 0, 2, false)).to.equal(FAIL_CPU);
    expect(primaryRefusal(mending(cpus), 0, 2, false)).to.equal(FAIL_TAGS);
    expect(primaryRefusal(mending(cpus, false), 0, 2, false)).to.equal(0);
  });

  it('asks a secondary for disk before memory', () => {
    expect(secondaryRefusal(mending({}), 0, 2, 0, false, false)).to.equal(FAIL_DISK);
    expect(secondaryRefusal(mending({ freeDiskMib: 50000 }), 0, 2, 0, false, false)).to.equal(FAIL_MEM);
  });

  it('changes nothing', () => {
    const state = mending({});
    const before = [...state.nodeFields];
    primaryRefusal(state, 0, 2, false);
    secondaryRefusal(state, 0, 2, 0, false, true);
    expect([...state.nodeFields]).to.deep.equal(before);
  });

  it('asks for a reserved instance the reserved limits alone', () => {
    const state = smallState({ nodes: [{}, {}, { freeMemMib: 512 }], instances: [{ isForthcoming: true }] });
    expect(primaryRefusal(state, 0, 2, false)).to.equal(FAIL_MEM);
    expect(primaryRefusal(state, 0, 2, true)).to.equal(0);
  });

  it('counts the disk of reserved instances, unless soft rules are left out', () => {
    const coming = { primary: 2, secondary: 0, isForthcoming: true, diskMib: 50000 };
    const state = smallState({ nodes: [{}, {}, {}], instances: [{ diskMib: 60000 }, coming] });
    expect(primaryRefusal(state, 0, 2, false)).to.equal(FAIL_DISK);
    expect(primaryRefusal(state, 0, 2, true)).to.equal(0);
  });
});
